import Storage

// Up: everything that is pending, in one transaction on the server.
extension SyncClient {
  /// Sends what is pending. Returns whether anything was sent.
  ///
  /// - Throws: `PostgresError`, after which the connection may be lost and the outcome unknown: the next contact finds it out.
  @discardableResult
  package func push() throws -> Bool {
    try refresh()
    if lists.progress.isSharing {
      // What a copy of the file has sent must be known before it is sent again.
      try pull()
      if lists.progress.isSharing { return false }
    }
    try noteLinksBeforePush()
    try composeListsBeforePush()
    var pending = try pending()
    if let changed = classes.first(where: { $0.table == pending.tableWithChangedKey }) {
      throw SyncProblem(
        "The primary key of '\(changed.name)' is not the one with which its changes were made, which therefore cannot "
          + "be sent: synchronise a new file.")
    }
    guard try hasAnythingToSend(pending) else {
      state.noteNothingPending(at: snapshot.version, time: time() + facts.clockOffset)
      // Counters that were written and have no difference are not pending any more.
      forgetPending()
      return false
    }
    // Nothing is sent from a commit that may be lost.
    try waitForDurability(snapshot.version)
    let connection = try connected()
    do {
      try connection.query("begin")
      let held = try connection.query(
        """
        update realm.client set seen = now()
          where id = $1::int and token = $2::uuid and applied = $3::bigint returning realm.now_hlc()::text
        """, [String(state.client), state.token, String(state.acknowledged)])
      guard let now = held.first?[0].flatMap({ Int64($0) }) else {
        try takeEarlierPush(connection)
        return true
      }
      try noteAmounts()
      pending = try self.pending()
      let version = snapshot.version
      // Asked after the last step to a newer version: it has nothing that was committed after sending was forbidden.
      guard maySend() else {
        try connection.query("rollback")
        return false
      }
      let unsendable = try send(pending, connection)
      let mark = Self.mark(of: version, newestStamp: pending.newestStamp)
      let outcomes = try finish(version, mark: mark, connection) + unsendable
      try acknowledge(version, outcomes, now: Stamp(rawValue: now).milliseconds)
    } catch {
      leaveTransaction(after: error)
      throw error
    }
    return true
  }

  /// Another push of this client has committed: what it sent is acknowledged first.
  private func takeEarlierPush(_ connection: any ServerConnection) throws {
    try connection.query("rollback")
    let rows = try connection.query(
      "select applied::text, realm.now_hlc()::text from realm.client where id = $1::int and token = $2::uuid",
      [String(state.client), state.token])
    guard let row = rows.first, let applied = try appliedVersion(row[0]),
      let now = row[1].flatMap({ Int64($0) })
    else { return try contact() }
    if applied < state.acknowledged { return try contact() }
    if try !take(applied: applied, connection, now: Stamp(rawValue: now).milliseconds) { try contact() }
  }

  /// Returns the objects whose keys PostgreSQL cannot store, so that it cannot note their outcomes.
  private func send(_ pending: PendingChanges, _ connection: any ServerConnection) throws -> [Outcome] {
    // How long a million rows take is no sign of a fault. The connection still ends when the server is silent for too long.
    try connection.query("select realm.begin_push(), set_config('statement_timeout', '0', true)")
    beginTransfer(.upload, rows: facts.waiting)
    var unsendable: [Outcome] = []
    for number in classes.indices
    where !pending.isEmpty(table: classes[number].table)
      || !lists.pending(table: classes[number].table, after: state.acknowledged).isEmpty
    {
      unsendable += try send(pending, classNumber: number, connection)
    }
    return unsendable
  }

  private func send(
    _ pending: PendingChanges, classNumber: Int, _ connection: any ServerConnection
  ) throws -> [Outcome] {
    let syncClass = model.classes[classNumber]
    let localClass = classes[classNumber]
    let numbers = propertyNumbers[classNumber]
    let names = ServerNames(schema: schema, className: syncClass.name)
    let staged = try connection.query("select \(names.stage)()")
    let propertyCount = max(staged.first?[0].flatMap { Int($0) } ?? 0, numbers.max() ?? 0)
    let knowsAll = numbers.count + syncClass.collections.count == propertyCount
    let input = PushInput(keyType: syncClass.key.type, types: syncClass.properties.map(\.type)) { body in
      let bases = CounterBases(self.snapshot)
      try pending.forEachPushedRow(of: localClass, in: self.snapshot, bases) { row in
        try body(self.inputRow(row, localClass, numbers, of: propertyCount, knowsAll: knowsAll))
        self.countRow()
      }
      try bases.check()
    }
    let columns = ["_op", syncClass.key.name] + syncClass.properties.map(\.name) + ["_at", "_st"]
    var unsent = try connection.copyIn(
      "copy \(names.input) (\(columns.map { SQLText.identifier($0) }.joined(separator: ", "))) "
        + "from stdin (format binary)", input)
    let elements =
      try sendElements(pending, classNumber: classNumber, connection)
      + sendLists(classNumber: classNumber, connection)
    unsent += elements.filter { KeyText.isSendable($0.key) }
    for row in unsent where KeyText.isSendable(row.key) {
      try connection.query(
        "insert into \(ServerNames.outcome) (class, key, reason, property) values ($1, $2, $3, $4)",
        [syncClass.name, KeyText.text(of: row.key), "rejected 22P05 \(row.reason)", row.property])
    }
    try connection.query("select realm.apply($1)", [syncClass.name])
    return unsent.filter { !KeyText.isSendable($0.key) && localClass.row($0.key, in: snapshot) != nil }.map {
      Outcome(
        className: syncClass.name, key: $0.key, reason: .rejected(sqlState: "22P05", message: $0.reason))
    }
  }

  private func inputRow(
    _ row: PushedRow, _ localClass: LocalClass, _ numbers: [Int], of propertyCount: Int, knowsAll: Bool
  ) -> PushInput.Row {
    guard let number = row.row else {
      let nulls = [Value](repeating: .null, count: localClass.properties.count)
      return .init(operation: .deleted, key: row.key, values: nulls, at: row.at, stamps: nil)
    }
    return .init(
      operation: row.operation, key: row.key,
      values: localClass.properties.map { property in
        property.isCounter
          ? .int(row.amounts[property.slot] ?? 0)
          : localClass.value(of: property, row: number, in: snapshot, links)
      }, at: row.at,
      stamps: knowsAll && row.written.isEmpty ? nil : stamps(row, localClass, numbers, of: propertyCount))
  }

  /// Returns the stamps of a created or changed object by the numbers of its properties.
  private func stamps(
    _ row: PushedRow, _ localClass: LocalClass, _ numbers: [Int], of propertyCount: Int
  ) -> [Stamp?] {
    // A property that this program does not know never wins when an object is created, and is not written otherwise.
    var stamps = [Stamp?](
      repeating: row.operation == .created ? Stamp.never : nil, count: propertyCount)
    for (property, number) in zip(localClass.properties, numbers) {
      stamps[number - 1] = row.written[property.slot]
    }
    return stamps
  }

  /// Stores the outcome and commits.
  private func finish(
    _ version: UInt64, mark: String?, _ connection: any ServerConnection
  ) throws -> [Outcome] {
    try connection.query(
      """
      update realm.client set applied = $2::bigint\(serverKnowsCopies ? ", mark = $3" : ""), outcome = (select coalesce(jsonb_agg(distinct
        jsonb_build_array(o.class, o.key, o.reason, o.property)), '[]') from \(ServerNames.outcome) o) where id = $1::int
      """, [String(state.client), String(version)] + (serverKnowsCopies ? [mark] : []))
    let outcomes = try outcomes(connection)
    try connection.query("commit")
    // Outside of the transaction: no lock around the commit of the data.
    try connection.query("notify \(SQLText.identifier(Self.channel(of: schema)))")
    return outcomes
  }

  /// The channel of the signals that there is something new.
  package static func channel(of schema: String) -> String { "realm_" + schema }

  /// Rolls back, unless the connection is lost.
  func leaveTransaction(after error: any Error) {
    let isLost = (error as? PostgresError)?.isConnectionLost ?? false
    if isLost || (try? connection?.query("rollback")) == nil { disconnect() }
  }

  /// Takes note that the server has everything up to a version, and which objects came out otherwise.
  func acknowledge(_ version: UInt64, _ outcomes: [Outcome], now: Int64) throws {
    guard version > state.acknowledged else { return }
    let before = state
    // After the acknowledgement, the log no longer says what was sent.
    let refused = try rejectedObjects(outcomes)
    try noteSentObjects()
    state.acknowledge(version, at: now)
    facts.lastAcknowledged = now
    forgetPending()
    for outcome in outcomes {
      let name = SessionState.ObjectName(outcome.className, outcome.key)
      // The server cannot be asked for a key that it cannot store.
      if KeyText.isSendable(outcome.key) { state.again.insert(name) } else { state.evictions.insert(name) }
    }
    newRejections += refused
    // The next push would forget them on the server.
    do {
      if try !settleAmounts(after: before.acknowledged), !outcomes.isEmpty { try saveState() }
    } catch is StateConflict {
      // What the server has noted is read again, now or by the process that has changed the state.
      return
    } catch {
      state = before
      throw error
    }
    if refused.isEmpty { return }
    facts.rejected += refused.count
    report(.rejected(refused))
  }

  /// Takes note of what is pending in the newest version of the file, while the server cannot be asked.
  package func noteWaiting() throws {
    try refresh()
    _ = try hasAnythingToSend(pending())
  }

  /// Whether any synced value, object or deletion is pending. Takes note of how much is.
  private func hasAnythingToSend(_ pending: PendingChanges) throws -> Bool {
    let bases = CounterBases(snapshot)
    facts.waiting = 0
    facts.oldestWaiting = nil
    countedVersion = snapshot.version
    func note(_ stamp: Stamp) { facts.oldestWaiting = min(facts.oldestWaiting ?? stamp, stamp) }
    for localClass in classes where !pending.isEmpty(table: localClass.table) {
      var rows = WaitingRows(pending, of: localClass, in: snapshot, bases)
      forEachOwner(of: pending, localClass, except: rows) { rows.add($0) }
      facts.waiting += rows.count
      if let oldest = rows.oldest { note(oldest) }
    }
    try bases.check()
    try scanLists()
    let waiting = lists.waiting(after: state.acknowledged)
    facts.waiting += waiting.count
    if let oldest = waiting.oldest { note(oldest) }
    return facts.waiting > 0
  }
}
