import Foundation

/// What is measured of OpenRealm alone.
extension Benchmark {
  static let openRealmWorks =
    accessWorks + NotificationLatency.works + MigrationMeasurements.works + RuleMeasurements.works
    + CInterfaceMeasurements.works + JSONMeasurements.works + ToolMeasurements.works + EncryptionCost.works
    + FirstReads.works
    + [SharedCommits.work, OtherProcess.work, OpenRealmMemory.work, VerificationSpeed.work]

  private static let accessWorks = ["property-int", "property-string", "accessor", "accessor-kept"]

  func runOpenRealmMeasurements(
    files: FileStore, dataset: Dataset, into report: inout Report
  ) throws {
    if Self.accessWorks.contains(where: options.includes) {
      let access = ObjectAccess(
        path: try files.fileAfterInsert(for: OpenRealmSubject.self), dataset: dataset,
        repetitions: options.repetitions ?? 5, options: options, log: log)
      for measurement in try access.run() { report.add(measurement) }
    }
    if CInterfaceMeasurements.works.contains(where: options.includes) {
      let calls = CInterfaceMeasurements(
        path: try files.copyOfFileAfterInsert(for: OpenRealmSubject.self, label: "c"), dataset: dataset,
        repetitions: options.repetitions ?? 5, options: options, log: log)
      for measurement in try calls.run() { report.add(measurement) }
    }
    if FirstReads.works.contains(where: options.includes) {
      for measurement in try FirstReads(files: files, options: options, log: log).run() {
        report.add(measurement)
      }
    }
    if NotificationLatency.works.contains(where: options.includes) {
      let latency = NotificationLatency(
        path: try files.copyOfFileAfterInsert(for: OpenRealmSubject.self, label: "notify"), dataset: dataset,
        options: options, log: log)
      for measurement in try latency.run() {
        report.add(measurement)
      }
    }
    if options.includes(SharedCommits.work) {
      let path = try files.copyOfFileAfterInsert(for: OpenRealmSubject.self, label: "grouped")
      report.add(try SharedCommits(path: path, dataset: dataset, options: options, log: log).run())
    }
    if options.includes(OtherProcess.work) {
      let path = try files.copyOfFileAfterInsert(for: OpenRealmSubject.self, label: "told")
      report.add(try OtherProcess(path: path, dataset: dataset).run())
    }
    if MigrationMeasurements.works.contains(where: options.includes) {
      let migration = try MigrationMeasurements(files: files, options: options).run()
      for measurement in migration.measurements { report.add(measurement) }
      report.add(note: migration.note)
    }
    try runWays(files: files, into: &report)
    // Where all files are encrypted there is nothing to compare with.
    if EncryptionCost.works.contains(where: options.includes), getenv("BENCHMARK_ENCRYPTED") == nil {
      let cost = try EncryptionCost(directory: files.directory, options: options).run()
      for measurement in cost.measurements { report.add(measurement) }
      for note in cost.notes { report.add(note: note) }
    }
    if options.includes(VerificationSpeed.work) {
      let verification = try VerificationSpeed(files: files, options: options).run()
      report.add(verification.measurement)
      report.add(note: verification.note)
    }
    if options.includes(OpenRealmMemory.work) {
      let memory = try OpenRealmMemory(rows: options.rows, files: files).run()
      report.add(memory.measurement)
      report.add(note: memory.note)
    }
  }

  /// What is measured beside another way to do the same.
  private func runWays(files: FileStore, into report: inout Report) throws {
    if RuleMeasurements.works.contains(where: options.includes) {
      let rules = RuleMeasurements(files: files, options: options)
      for measurement in try rules.run() { report.add(measurement) }
    }
    if JSONMeasurements.works.contains(where: options.includes) {
      for measurement in try JSONMeasurements(files: files, options: options).run() {
        report.add(measurement)
      }
    }
    if ToolMeasurements.works.contains(where: options.includes), options.systems.contains(.sqlite) {
      for measurement in try ToolMeasurements(files: files, options: options).run() {
        report.add(measurement)
      }
    }
  }
}
