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
  ///   when the schema version is lower than that of the file, or the migration needs what is not there yet.
  func run() throws -> Bool {
    if configuration.readOnly {
      try fitReadOnly()
      return true
    }
    // Most files fit, and need no lock.
    var step = try nextStep()
    if case .write = step {
      try snapshot.beginWrite()
      do {
        // Others may have been quicker.
        step = try nextStep()
        guard case .write(let changes, let isMigration) = step else {
          snapshot.cancelWrite()
          return try run()
        }
        try AutomaticMigration(classes, snapshot).apply(
          changes, version: isMigration || !snapshot.hasCatalogue ? configuration.schemaVersion : nil)
        try snapshot.commitWrite(durability: configuration.durability == .relaxed ? .relaxed : .full)
      } catch {
        if snapshot.isWriting { snapshot.cancelWrite() }
        throw error
      }
    }
    if case .reset = step { return false }
    return true
  }

  private enum Step {
    case done
    case reset
    case write([SchemaChange], isMigration: Bool)
  }

  private func nextStep() throws -> Step {
    let catalogue = snapshot.catalogue
    let changes = SchemaChange.all(from: catalogue, to: classes)
    let version = configuration.schemaVersion
    if !snapshot.hasCatalogue { return .write(changes, isMigration: false) }
    if version == catalogue.schemaVersion {
      if changes.isEmpty { return .done }
      if changes.allSatisfy(\.isSilent) { return .write(changes, isMigration: false) }
    }
    if configuration.deleteRealmIfMigrationNeeded { return .reset }
    if version < catalogue.schemaVersion {
      throw error(
        .fail, "Provided schema version \(version) is less than last set version \(catalogue.schemaVersion).")
    }
    if version == catalogue.schemaVersion {
      throw error(
        .schemaMismatch,
        "Migration is required due to the following errors:\n"
          + lines(changes.filter { !$0.isSilent }, catalogue))
    }
    if configuration.migrationBlock != nil {
      throw error(
        .fail,
        "Migration blocks are not available in this version: the Realm at path '\(configuration.path)' has schema version \(catalogue.schemaVersion), and its migration block would have to run to make that \(version)."
      )
    }
    return .write(changes, isMigration: true)
  }

  private func fitReadOnly() throws {
    let catalogue = snapshot.catalogue
    if catalogue.schemaVersion != configuration.schemaVersion {
      throw error(
        .fail,
        "Provided schema version \(configuration.schemaVersion) does not equal last set version \(catalogue.schemaVersion)."
      )
    }
    let changes = SchemaChange.all(from: catalogue, to: classes)
    let forbidden = changes.filter { !$0.isAllowedReadOnly }
    if !forbidden.isEmpty {
      throw error(
        .schemaMismatch,
        "The following changes cannot be made in read-only schema mode:\n" + lines(forbidden, catalogue))
    }
    // Classes that the file does not have are empty.
    let missing = changes.compactMap { change in
      if case .classAdded(let schema) = change { schema } else { nil }
    }
    if !missing.isEmpty { snapshot.addEmptyTables(AutomaticMigration(classes, snapshot).tables(missing)) }
  }

  private func lines(_ changes: [SchemaChange], _ catalogue: Catalogue) -> String {
    changes.map { "- \($0.line(catalogue))" }.joined(separator: "\n")
  }

  private func error(_ code: Realm.Error.Code, _ message: String) -> Realm.Error {
    Realm.Error(code, message, path: configuration.path)
  }
}
