import Storage

// What the shared logger is told of a realm.
extension RealmCore {
  /// Logs what the realm does, with a message that is only built if its level is logged.
  func log(_ level: LogLevel, _ activity: @autoclosure () -> String) {
    if Logger.isShared(level) { Logger.shared.log(level, "DB: \(number) \(activity())") }
  }

  func logOpening() {
    log(
      .detail,
      "Opened '\(configuration.path)' at version \(snapshot.version), schema version \(snapshot.catalogue.schemaVersion)"
    )
  }

  /// - Parameter move: It decodes the log of changes when they are to be logged.
  func log(_ move: inout RealmMove) {
    guard Logger.isShared(.detail) else { return }
    // Who writes is told of it as well.
    if let failure = move.failure { log(.detail, "Stays at version \(move.to): \(failure.message)") }
    switch move.cause {
    case .committed: if move.isToOtherVersion { log(.detail, "Committed version \(move.to)") }
    case .staged: log(.debug, "Staged a transaction upon version \(move.to)")
    case .writeBegun: log(.debug, "Began a write transaction on version \(move.to)")
    case .rolledBack: log(.debug, "Rolled back to version \(move.to)")
    case .invalidated: log(.debug, "Invalidated at version \(move.to)")
    case .refreshed, .refreshedQuietly: break
    }
    guard move.isToOtherVersion else { return }
    if !move.isLocal { log(.debug, "Moved from version \(move.from) to \(move.to)") }
    guard Logger.isShared(.trace), let changes = move.changes else { return }
    for (table, change) in changes.tables.sorted(by: { $0.key < $1.key }) {
      let name = snapshot.catalogue.tables[table].name
      let created = change.insertedRange.count
      log(
        .trace,
        "\(name): \(created) created, \(change.modifiedRows.count) changed, \(change.deleted.count) deleted")
    }
  }

  /// Warns when the file has grown because a reader keeps an old version (see `Realm.Diagnostics`). After a commit.
  func logGrowth() {
    guard file.hasGrownForOldVersions else { return }
    log(
      .warn,
      "The Realm file at path '\(configuration.path)' grows because old versions are in use: \(Realm(self).diagnostics)"
    )
  }
}
