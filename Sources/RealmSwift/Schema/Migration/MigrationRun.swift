import Storage

/// Raises the schema version of a file: the whole migration, with the program's block in the middle.
///
/// The block works with two realms. The old one is frozen, at the version before; the new one is the open write
/// transaction. No other code can access them.
struct MigrationRun {
  /// With its classes filled in.
  let configuration: Realm.Configuration
  let classes: ModelClasses
  /// With an open write transaction.
  let snapshot: Snapshot

  /// - Throws: What a step of the block throws; `fail` when a primary key has duplicates; errors of reading the file.
  func run(_ changes: [SchemaChange]) throws {
    var update = SchemaUpdate(changes, to: classes, in: snapshot)
    guard let block = configuration.migrationBlock else {
      warnOfLosses(changes)
      try update.prepare(version: configuration.schemaVersion)
      return try update.finish()
    }
    let notes = MigrationNotes()
    let old = try oldRealm(notes)
    try update.prepare(version: configuration.schemaVersion)
    // Before the block is given what stands for values that cannot be read.
    try snapshot.checkDamage()
    let new = RealmCore(
      configuration: configuration, file: snapshot.file, snapshot: snapshot, schemas: classes.schemas,
      confinement: .current, openedAt: nil, migration: notes)
    let migration = Migration(update, from: old, to: new)
    block(migration, update.oldCatalogue.schemaVersion)
    try snapshot.checkDamage()
    if let failure = migration.failure { throw failure }
    try migration.update.finish(changedKeys: notes.tablesWithChangedKeys)
  }

  /// The version before, where every class is what the file says of it.
  private func oldRealm(_ notes: MigrationNotes) throws -> RealmCore {
    let old = try Snapshot(sharing: snapshot)
    old.foundDamage = snapshot.foundDamage
    var configuration = configuration
    configuration.schema = .ofFile
    return RealmCore(
      configuration: configuration, file: snapshot.file, snapshot: old, schemas: [], confinement: .anywhere,
      openedAt: nil, isFrozen: true, migration: notes)
  }

  /// Without a block the official SDK replaces values by zero without a word.
  private func warnOfLosses(_ changes: [SchemaChange]) {
    let catalogue = snapshot.catalogue
    let losses = changes.filter { change in
      change.losesValues.map { snapshot.table($0).state.pointee.liveCount > 0 } ?? false
    }
    if losses.isEmpty { return }
    let lines = losses.map { "\n- \($0.line(catalogue))" }.joined()
    Logger.shared.log(
      .warn,
      "DB: '\(configuration.path)' is migrated to schema version \(configuration.schemaVersion) without a migration block, and loses values:\(lines)"
    )
  }
}
