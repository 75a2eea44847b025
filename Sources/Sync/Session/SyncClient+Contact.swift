import Storage

// What every session compares first: the clock, the history, the schema, its own row.
extension SyncClient {
  /// Compares the client with the server, and registers it if need be.
  ///
  /// - Throws: `PostgresError`; `SyncProblem` when the schema does not fit; `StorageError`.
  package func contact() throws {
    try refresh()
    let connection = try connected()
    let server = try compareSettings(connection)
    try register(connection, server.history, now: server.now.milliseconds)
    try compare(server.history)
    try compareCopiedClasses()
    if server.isTooLate && state.cursor != SessionState.emptyCursor && !state.needsFullPull {
      state.needsFullPull = true
      report(.reset(.tooOld))
    }
    try setClockOffset()
  }

  /// Finds out whether the versions and the schema of the server fit the file. Changes neither.
  ///
  /// - Throws: `PostgresError`; `SyncProblem` when something does not fit; `StorageError`.
  package func verifyServer() throws {
    try refresh()
    _ = try compareSettings(connected())
  }

  /// What the server says of itself.
  private struct FoundServer {
    var history: SyncHistory
    var now: Stamp
    /// Whether departures were removed that the file does not know of.
    var isTooLate: Bool
  }

  /// Compares the versions and the schema of the server with those of the client, and the clocks.
  private func compareSettings(_ connection: any ServerConnection) throws -> FoundServer {
    let asked = time()
    let server = try connection.query(
      """
      select s.protocol::text, s.history::text || ':' || s.system_identifier::text || ':'
        || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8),
        realm.now_hlc()::text, (pg_snapshot_xmin($1::pg_snapshot) < s.horizon)::text,
        (select extract(epoch from b.stats_reset)::text from pg_stat_bgwriter b), to_jsonb(s) ->> 'routines_version'
        from realm.server s
      """, [state.cursor])
    guard let row = server.first, row.count == 6, let serverTime = row[2].flatMap({ Int64($0) }) else {
      throw SyncProblem("The database has no row in realm.server. Run 'realm sync init'.")
    }
    guard row[0] == "1" else {
      throw SyncProblem("The database has protocol \(row[0] ?? "?"), and this library knows protocol 1.")
    }
    // A database of an earlier version has no such column.
    let routines = row[5].flatMap { Int($0) } ?? 0
    serverKnowsCopies = routines >= ServerSchema.copiesRoutinesVersion
    guard routines >= ServerSchema.leastRoutinesVersion else {
      throw SyncProblem(
        "The functions of the database are those of an earlier version. Run 'realm sync push-schema'.")
    }
    let now = Stamp(rawValue: serverTime)
    facts.clockOffset = try snapshot.syncClock().offset(server: now, asked: asked, answered: time())
    try compareSchema(connection)
    return FoundServer(
      history: SyncHistory(database: row[1] ?? "", recovery: row[4] ?? ""), now: now,
      isTooLate: row[3] == "true")
  }

  /// Reads the properties of the server by their classes and names, and takes note of the routing properties.
  private func foundProperties(
    _ connection: any ServerConnection
  ) throws(PostgresError) -> [String: [String: FoundProperty]] {
    let rows = try connection.query(
      """
      select class, name, number::text, type, nullable::text, counter::text, target, collection, routing::text
        from realm.property order by class, number
      """)
    var routing: [String: Set<String>] = [:]
    var properties: [String: [String: FoundProperty]] = [:]
    for row in rows {
      guard row.count == 9, let name = row[0], let property = row[1], let number = row[2].flatMap({ Int($0) })
      else { continue }
      if row[8] == "true" { routing[name, default: []].insert(property) }
      properties[name, default: [:]][property] = FoundProperty(
        number: number, type: row[3] ?? "", isOptional: row[4] == "true", isCounter: row[5] == "true",
        target: row[6], collection: row[7] ?? "none")
    }
    self.routing = model.classes.map { routing[$0.name] ?? [] }
    return properties
  }

  /// Finds the numbers of the properties on the server.
  private func compareSchema(_ connection: any ServerConnection) throws {
    let properties = try foundProperties(connection)
    var missing: [String] = []
    var different: [String] = []
    func compare(_ here: FoundProperty, _ found: FoundProperty, _ name: PropertyName) {
      if here.description == found.description { return }
      different.append("\(name) (\(here) in the file, \(found) in the database)")
    }
    propertyNumbers = model.classes.map { syncClass in
      guard let known = properties[syncClass.name] else {
        missing.append("class \(syncClass.name)")
        return []
      }
      if let key = known[syncClass.key.name], key.number == 0 {
        compare(FoundProperty(syncClass.key), key, PropertyName(syncClass.name, syncClass.key.name))
      } else {
        different.append("the primary key of \(syncClass.name)")
      }
      for collection in syncClass.collections {
        let name = PropertyName(syncClass.name, collection.name)
        if let found = known[collection.name] {
          compare(FoundProperty(collection), found, name)
        } else {
          missing.append("\(name)")
        }
      }
      return syncClass.properties.map { property in
        guard let found = known[property.name] else {
          missing.append("\(syncClass.name).\(property.name)")
          return 0
        }
        compare(FoundProperty(property), found, PropertyName(syncClass.name, property.name))
        return found.number
      }
    }
    if !different.isEmpty {
      throw SyncProblem(
        "The types of the file and the database differ: \(different.joined(separator: ", ")). Add a property with "
          + "another name instead of changing the type of one.")
    }
    if !missing.isEmpty {
      throw SyncProblem(
        "The database lacks \(missing.joined(separator: ", ")). Run 'realm sync push-schema'.")
    }
    try verifyNumbers()
  }

  /// The stamps of a row are an array that the numbers of the properties are indexes of, from 1. A table of PostgreSQL has 1,600
  /// columns at most, and there are collections.
  private static let possibleNumbers = 1...(1 << 15)

  private func verifyNumbers() throws {
    for (syncClass, numbers) in zip(model.classes, propertyNumbers) {
      for (property, number) in zip(syncClass.properties, numbers)
      where !Self.possibleNumbers.contains(number) {
        throw SyncProblem(
          "In the table realm.property of the database, \(syncClass.name).\(property.name) has the number \(number), which "
            + "no property has. Restore the table from a backup of the database.")
      }
    }
  }

  /// Reads what the last push noted.
  func outcomes(_ connection: any ServerConnection) throws(PostgresError) -> [Outcome] {
    let rows = try connection.query(
      """
      select e ->> 0, e ->> 1, e ->> 2, e ->> 3 from realm.client c, jsonb_array_elements(c.outcome) e
        where c.id = $1::int and jsonb_typeof(c.outcome) = 'array'
      """, [String(state.client)])
    return rows.compactMap { row in
      guard row.count == 4, let className = row[0], let text = row[1], let reason = row[2],
        let syncClass = model.classes.first(where: { $0.name == className }),
        let key = KeyText.key(text, syncClass.key.type)
      else { return nil }
      return Outcome(
        className: className, key: key, reason: Outcome.Reason(reason), property: row[3])
    }
  }

  /// Lets the file be compared with the server if it was restored, if another one took over, or if it has recovered from a crash.
  ///
  /// A crash takes transaction numbers back: those of transactions that were rolled back, and of signals, are not durable when
  /// snapshots already show them as ended. What is committed with such a number later looks as if the file had it. PostgreSQL
  /// resets its statistics when it recovers, which every role sees.
  private func compare(_ history: SyncHistory) throws {
    if state.history == history.text { return }
    if !history.isKnown(by: state.history) {
      state.needsFullPull = true
      if !state.history.isEmpty { report(.reset(.historyChanged)) }
    }
    state.history = history.text
    try saveState()
  }

  /// Lets every program that writes the file add the offset to its clock.
  private func setClockOffset() throws {
    if try snapshot.syncClock().offset == facts.clockOffset { return }
    try write { transaction in
      var clock = try snapshot.syncClock()
      clock.offset = facts.clockOffset
      transaction.setClock(clock)
    }
  }
}

/// A property as `realm.property` has it.
private struct FoundProperty: CustomStringConvertible {
  var number: Int
  var type: String
  var isOptional: Bool
  var isCounter: Bool
  var target: String?
  var collection = "none"

  var description: String {
    (collection == "none" ? "" : "a \(collection) of ") + (isOptional ? "optional " : "") + type
      + (isCounter ? " as a counter" : "")
      + (target.map { " as a link to \($0)" } ?? "")
  }
}

extension FoundProperty {
  init(_ property: SyncProperty) {
    self.init(
      number: property.number, type: property.type.rawValue, isOptional: property.isOptional,
      isCounter: property.isCounter, target: property.target)
  }

  init(_ collection: SyncCollection) {
    self.init(
      number: collection.number, type: collection.element.rawValue, isOptional: collection.isOptional,
      isCounter: false, target: collection.target, collection: collection.kindName)
  }
}
