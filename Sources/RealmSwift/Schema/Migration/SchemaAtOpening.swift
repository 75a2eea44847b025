import Storage

/// Makes a file that is being opened have the tables of the realm's classes.
struct SchemaAtOpening {
  private let configuration: Realm.Configuration
  private let classes: ModelClasses
  private let snapshot: Snapshot

  init(_ configuration: Realm.Configuration, _ classes: ModelClasses, _ snapshot: Snapshot) {
    self.configuration = configuration
    self.classes = classes
    self.snapshot = snapshot
  }

  /// Returns false when the file is to be deleted, as the configuration has it, instead of being migrated.
  ///
  /// - Throws: `schemaMismatch` when a migration is needed and the schema version says nothing of one; `fail`
  ///   when the schema version is lower than that of the file, or a primary key has duplicates; what a step of the
  ///   migration block throws; `invalidDatabase` when a value that is read is damaged.
  func run() throws -> Bool {
    // Most files fit, and need no lock.
    let step = try nextStep(snapshot)
    switch step {
    case .nothing: return true
    case .deletion: return false
    case .emptyTables(let schemas):
      let update = SchemaUpdate([], to: classes, in: snapshot)
      snapshot.addEmptyTables(update.tables(schemas, in: snapshot.catalogue))
    case .update, .migration:
      // With a snapshot of its own, which nothing else uses when objects of a migration outlive it.
      let isWritten = try write(Snapshot(file: snapshot.file))
      try snapshot.advance()
      // Others may have been quicker.
      if !isWritten { return try run() }
    }
    return true
  }

  /// Returns false when there is nothing to be written any more.
  private func write(_ snapshot: Snapshot) throws -> Bool {
    let writer = Writer(snapshot)
    try writer.begin()
    let damage = FoundDamage()
    snapshot.foundDamage = damage
    defer { damage.end() }
    do {
      let old = snapshot.catalogue
      let step = try nextStep(snapshot)
      switch step {
      case .update(let changes):
        var update = SchemaUpdate(changes, to: classes, in: snapshot)
        try update.prepare(version: snapshot.hasCatalogue ? nil : configuration.schemaVersion)
        try update.finish()
      case .migration(let changes):
        try MigrationRun(configuration: configuration, classes: classes, snapshot: snapshot).run(changes)
      case .nothing, .deletion, .emptyTables:
        writer.cancel()
        return false
      }
      try writer.commit(durability: configuration.durability == .relaxed ? .relaxed : .full)
      log(step, old, version: snapshot.version)
      return true
    } catch {
      if snapshot.isWriting { writer.cancel() }
      // Whatever else went wrong may have come of it.
      if let found = damage.error { throw describing(found) }
      throw error
    }
  }

  private func describing(_ damage: StorageError) -> Realm.Error {
    error(
      .invalidDatabase,
      "\(damage.message) Nothing was migrated, and the file is as it was. `Realm.verify(at:)` tells what is lost, and `Realm.salvage(from:to:)` copies the rest."
    )
  }

  private func log(_ step: Step, _ old: Catalogue, version: UInt64) {
    guard Logger.isShared(.detail) else { return }
    let activity: (String, [SchemaChange])? =
      switch step {
      case .migration(let changes):
        ("Migrated to schema version \(configuration.schemaVersion) in version \(version):", changes)
      case .update(let changes): ("Changed the schema in version \(version):", changes)
      case .nothing, .deletion, .emptyTables: nil
      }
    guard let (text, changes) = activity else { return }
    Logger.shared.log(.detail, "DB: '\(configuration.path)' \(text)\n\(lines(changes, old))")
  }

  // MARK: What is to be done

  private enum Step {
    case nothing
    case deletion
    /// The realm cannot be written: classes that the file does not have are empty.
    case emptyTables([ClassSchema])
    /// Differences that need no new schema version, or a file that has no tables yet.
    case update([SchemaChange])
    case migration([SchemaChange])
  }

  private func nextStep(_ snapshot: Snapshot) throws -> Step {
    let catalogue = snapshot.catalogue
    let changes = SchemaChange.all(from: catalogue, to: classes)
    if configuration.readOnly { return try readOnlyStep(catalogue, changes) }
    let version = configuration.schemaVersion
    if !snapshot.hasCatalogue { return .update(changes) }
    if version == catalogue.schemaVersion {
      if changes.isEmpty { return .nothing }
      if changes.allSatisfy(\.isSilent) { return .update(changes) }
    }
    if configuration.deleteRealmIfMigrationNeeded { return .deletion }
    if version < catalogue.schemaVersion {
      throw error(
        .fail,
        "Provided schema version \(version) is less than last set version \(catalogue.schemaVersion). A newer version of the program has migrated \(fileText): update this program, or set `schemaVersion` to \(catalogue.schemaVersion) or more.",
        reason: .schemaVersion
      )
    }
    if version == catalogue.schemaVersion {
      throw error(
        .schemaMismatch,
        "Migration is required due to the following errors:\n"
          + lines(changes.filter { !$0.isSilent }, catalogue)
          + "\nThis concerns \(fileText): set `schemaVersion` to more than \(version) to migrate it."
      )
    }
    return .migration(changes)
  }

  private func readOnlyStep(_ catalogue: Catalogue, _ changes: [SchemaChange]) throws -> Step {
    if catalogue.schemaVersion != configuration.schemaVersion {
      throw error(
        .fail,
        "Provided schema version \(configuration.schemaVersion) does not equal last set version \(catalogue.schemaVersion). A read-only realm is not migrated: open \(fileText) for writing once, or set `schemaVersion` to \(catalogue.schemaVersion).",
        reason: .schemaVersion
      )
    }
    let forbidden = changes.filter { !$0.isAllowedReadOnly }
    if !forbidden.isEmpty {
      throw error(
        .schemaMismatch,
        "The following changes cannot be made in read-only schema mode:\n" + lines(forbidden, catalogue)
          + "\nThis concerns \(fileText): open it for writing once to migrate it.")
    }
    let missing = changes.compactMap { change in
      if case .classAdded(let schema) = change { schema } else { nil }
    }
    return missing.isEmpty ? .nothing : .emptyTables(missing)
  }

  /// What `run` would do, without doing it.
  var plan: MigrationPlan {
    let catalogue = snapshot.catalogue
    let changes = SchemaChange.all(from: catalogue, to: classes)
    let action: MigrationPlan.Action
    do {
      action =
        switch try nextStep(snapshot) {
        case .nothing: .nothing
        case .deletion: .deletion
        case .emptyTables, .update: snapshot.hasCatalogue ? .silent : .creation
        case .migration: .migration
        }
    } catch {
      action = .refusal(error.localizedDescription)
    }
    return MigrationPlan(
      oldSchemaVersion: snapshot.hasCatalogue ? catalogue.schemaVersion : nil,
      newSchemaVersion: configuration.schemaVersion,
      differences: snapshot.hasCatalogue ? changes.map { $0.line(catalogue) } : [],
      losses: changes.filter { $0.losesValues != nil }.map { $0.line(catalogue) }, action: action)
  }

  /// The file, as messages name it.
  private var fileText: String {
    configuration.inMemoryIdentifier.map { "the in-memory realm '\($0)'" }
      ?? "the Realm file at path '\(configuration.path)'"
  }

  private func lines(_ changes: [SchemaChange], _ catalogue: Catalogue) -> String {
    changes.map { "- \($0.line(catalogue))" }.joined(separator: "\n")
  }

  private func error(
    _ code: Realm.Error.Code, _ message: String, reason: Realm.Error.Reason? = nil
  ) -> Realm.Error {
    Realm.Error(code, message, path: configuration.path, reason: reason)
  }
}
