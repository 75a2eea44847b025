import Storage

// Down: one snapshot of the server, applied in one local transaction.
extension SyncClient {
  private struct Pulled {
    var cursor = ""
    var now = Stamp.never
    var applied: UInt64 = 0
    var classes: [PulledClass] = []
    var isWhole = false
  }

  /// Reads what has changed on the server since the last pull, and applies it. Returns whether the file has changed.
  ///
  /// - Throws: `PostgresError`; `StorageError`.
  @discardableResult
  package func pull() throws -> Bool {
    isPullApplied = false
    try refresh()
    let connection = try connected()
    let began = state
    var pulled = Pulled()
    do {
      try connection.query("begin isolation level repeatable read read only")
      guard try readState(&pulled, connection) else {
        try connection.query("rollback")
        return false
      }
      // An acknowledgement has changed what is to be read again.
      pulled.isWhole = state.needsFullPull
      for number in classes.indices {
        pulled.classes.append(try read(classNumber: number, isWhole: pulled.isWhole, connection))
      }
      try connection.query("commit")
    } catch {
      leaveTransaction(after: error)
      throw error
    }
    if state.cursor != began.cursor { return false }
    return try apply(pulled)
  }

  /// Reads the cursor of the transaction. Returns whether its snapshot is one that this client may apply.
  private func readState(_ pulled: inout Pulled, _ connection: any ServerConnection) throws -> Bool {
    let rows = try connection.query(
      """
      select pg_current_snapshot()::text, realm.now_hlc()::text,
        (select applied::text from realm.client where id = $1::int)
      """, [String(state.client)])
    guard let row = rows.first, let cursor = row[0], let now = row[1].flatMap({ Int64($0) }),
      let applied = row[2].flatMap({ UInt64($0) })
    else { return false }
    pulled.cursor = cursor
    pulled.now = Stamp(rawValue: now)
    pulled.applied = applied
    // The server is one that lags behind what this client has seen.
    if applied < state.acknowledged { return false }
    try take(applied: applied, connection, now: pulled.now.milliseconds)
    return true
  }

  private func read(
    classNumber: Int, isWhole: Bool, _ connection: any ServerConnection
  ) throws -> PulledClass {
    let syncClass = model.classes[classNumber]
    let cursor = isWhole ? SessionState.emptyCursor : state.cursor
    let query = PullQuery(
      syncClass, schema: schema, numbers: propertyNumbers[classNumber], cursor: cursor)
    var pulled = PulledClass()
    try connection.copyOut(query.rows, query.rowTypes) { pulled.rows.append(query.row($0)) }
    if !isWhole {
      try connection.copyOut(query.departures, query.departureTypes) {
        pulled.departures.append(query.departure($0))
      }
    }
    let again = state.again.filter { $0.className == syncClass.name }.map(\.key.value)
    if !again.isEmpty {
      var found: Set<ExactValue> = []
      try connection.copyOut(query.rows(withKeys: again), query.rowTypes) {
        let row = query.row($0)
        found.insert(ExactValue(row.key))
        pulled.rows.append(row)
      }
      pulled.missing = again.filter { !found.contains(ExactValue($0)) }
    }
    return pulled
  }

  private func apply(_ pulled: Pulled) throws -> Bool {
    facts.lastPull = pulled.now.milliseconds
    facts.confirmedVersion = pulled.applied
    let isEmpty = pulled.classes.allSatisfy(\.isEmpty)
    if isEmpty && state.evictions.isEmpty && !pulled.isWhole && state.again.isEmpty {
      // The cursor moves in memory; the file gets it with the next change.
      state.cursor = pulled.cursor
      isPullApplied = true
      return false
    }
    let before = state
    do {
      return try applyInTransaction(pulled)
    } catch {
      state = before
      if error is StateConflict {
        try refresh()
        return false
      }
      throw error
    }
  }

  private func applyInTransaction(_ pulled: Pulled) throws -> Bool {
    var changed = 0
    try write { transaction in
      var application = PullApplication(snapshot, try pending(), evictions: state.evictions)
      for (number, content) in pulled.classes.enumerated() {
        application.apply(content, classes[number], isWhole: pulled.isWhole)
      }
      application.evict(classes)
      var clock = try snapshot.syncClock()
      // Stamps further ahead were not sent by a client, and would be cut when this client sends its own.
      clock.observe(
        min(
          application.greatestStamp,
          Stamp(milliseconds: pulled.now.milliseconds + Int64(ServerSchema.clockTolerance))))
      transaction.setClock(clock)
      changed = application.changedObjects
      state.evictions = application.evictions
      state.cursor = pulled.cursor
      state.again = []
      state.needsFullPull = false
    }
    isPullApplied = true
    return changed > 0
  }
}
