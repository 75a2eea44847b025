import Foundation

/// The command: measures what the options ask for and reports it.
struct Benchmark {
  let options: Options
  let log = RunLog()

  /// Returns the exit code: 1 when an answer was wrong or a system failed.
  func run() throws -> Int32 {
    SQLitePeer.isTuned = options.isSQLiteTuned
    let types = Systems.all.filter { options.systems.contains($0.system) }
    log.note("Generating \(options.rows) dogs.")
    let dataset = Dataset(count: options.rows)
    let workloads = workloads(on: dataset)
    try options.checkWorks(known: workloads.map(\.work) + Self.specialWorks + Self.openRealmWorks)
    let files = try FileStore(parent: options.directory, dataset: dataset)
    defer { files.removeAll() }

    var report = Report()
    let runner = WorkloadRunner(types: types, files: files, dataset: dataset, options: options, log: log)
    for workload in workloads where options.includes(workload.work) {
      let measurement = try runner.run(workload)
      report.add(measurement)
      if let seconds = workload.secondsPerRow {
        report.add(measurement.alone(atMost: seconds * Double(options.rows)))
      }
    }
    try runSpecialWorkloads(types, files: files, dataset: dataset, into: &report)
    try runQueryMeasurements(files: files, dataset: dataset, into: &report)
    if options.systems.contains(.openRealm) {
      try runOpenRealmMeasurements(files: files, dataset: dataset, into: &report)
    }
    print(report.table())
    try report.json().write(to: URL(fileURLWithPath: options.resultPath))
    if log.failureCount > 0 {
      log.note("\n*** \(log.failureCount) FAILED, see above.")
      return 1
    }
    return 0
  }

  private static let specialWorks =
    ["W18", "W19"] + TextSearch.works + KennelQueries.works + ScanMeasurements.works + ReadersAndWriter.works

  private func workloads(on dataset: Dataset) -> [Workload] {
    let model = ReferenceModel(dataset: dataset)
    let writes = WriteWorkloads(model: model)
    return [writes.insert()] + ReadWorkloads(model: model).all() + writes.changes()
      + writes.listsAndDeletion()
  }

  private func runQueryMeasurements(
    files: FileStore, dataset: Dataset, into report: inout Report
  ) throws {
    let queries = KennelQueries(dataset: dataset, options: options, log: log)
    for measurement in try queries.run(in: files.directory) { report.add(measurement) }
    guard options.systems.contains(.openRealm) else { return }
    let scans = try ScanMeasurements(options: options, log: log).run(in: files.directory)
    for measurement in scans.measurements { report.add(measurement) }
    for note in scans.notes { report.add(note: note) }
  }

  private func runSpecialWorkloads(
    _ types: [any MeasuredDatabase.Type], files: FileStore, dataset: Dataset, into report: inout Report
  ) throws {
    if options.includes("W18") {
      let opening = OpeningWorkload(
        types: types.compactMap { $0 as? any QueryingDatabase.Type }, files: files, dataset: dataset,
        repetitions: options.repetitions ?? 5, log: log)
      for measurement in try opening.run() {
        report.add(measurement)
      }
    }
    let busy = ReadersAndWriter(types: types, files: files, dataset: dataset, options: options, log: log)
    for measurement in try busy.run() { report.add(measurement) }
    if options.includes("W19") {
      let size = try SizeWorkload(types: types, files: files).run()
      report.add(size.measurement)
      report.add(note: size.note)
    }
    if TextSearch.works.contains(where: options.includes), types.count > 1 {
      for measurement in try TextSearch(files: files, options: options, log: log).run() {
        report.add(measurement)
      }
    }
  }
}
