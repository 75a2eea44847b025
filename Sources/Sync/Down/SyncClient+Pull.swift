import Storage

// Down: one snapshot of the server, applied in one local transaction.
extension SyncClient {
  private struct Pulled {
    var cursor = ""
    var now = Stamp.never
    var applied: UInt64 = 0
    var classes: [PulledClass] = []
    /// In the order of the client's lists.
    var lists: [PulledList] = []
    var isWhole = false
    /// Whether a whole pull compares the classes that the file has, instead of reading them.
    var isComparison = false
    /// Whether every difference is a fault.
    var isAudit = false
    /// Whether the server hashes rows as this library does.
    var usesHashes = false
    var policyEpoch: Int64 = -1
    var selection = PulledSelection()
    let blocks: PulledBlocks
  }

  /// Reads what has changed on the server since the last pull, and applies it. Returns whether the file has changed.
  ///
  /// - Throws: `PostgresError`; `StorageError`.
  @discardableResult
  package func pull() throws -> Bool { try pull(isAudit: false) }

  /// Receives what has changed, then compares the file with the same state of the server, and repairs what differs.
  ///
  /// - Returns: Nil when the pull was dropped, because the server lags behind or another process has changed the file.
  package func audit() throws -> AuditFindings? {
    _ = try pull(isAudit: true)
    return isPullApplied ? facts.lastAudit : nil
  }

  private func pull(isAudit: Bool) throws -> Bool {
    isPullApplied = false
    try refresh()
    let connection = try connected()
    let began = state
    var pulled = Pulled(blocks: PulledBlocks(beside: file, memoryLimit: pullMemoryLimit))
    do {
      try connection.query("begin isolation level repeatable read read only")
      let isCurrent = try readState(&pulled, connection)
      guard isCurrent == true else {
        try connection.query("rollback")
        if isCurrent == nil { try contact() }
        return false
      }
      // An acknowledgement has changed what is to be read again.
      pulled.isWhole = state.needsFullPull
      pulled.isComparison = pulled.isWhole && !wantsEverything
      pulled.selection = try pulledSelection()
      if pulled.isComparison || isAudit { pulled.usesHashes = try canCompareHashes(connection) }
      beginTransfer(.download, rows: try rowsToReceive(connection))
      for number in classes.indices {
        pulled.classes.append(try read(classNumber: number, pulled, connection))
      }
      pulled.lists = try readLists(pulled, connection)
      if isAudit { return try audit(pulled, from: began.cursor, connection) }
      try connection.query("commit")
    } catch {
      leaveTransaction(after: error)
      throw error
    }
    if state.cursor != began.cursor { return false }
    return try apply(pulled)
  }

  /// Reads the cursor of the transaction. Returns whether its snapshot is one that this client may apply; nil when the server
  /// does not know the client any more, or another file has sent what it says.
  private func readState(_ pulled: inout Pulled, _ connection: any ServerConnection) throws -> Bool? {
    let rows = try connection.query(
      """
      select pg_current_snapshot()::text, realm.now_hlc()::text,
        (select applied::text from realm.client where id = $1::int and token = $2::uuid),
        (select policy_epoch::text from realm.server), set_config('statement_timeout', '0', true)
      """, [String(state.client), state.token])
    guard let row = rows.first, let cursor = row[0], let now = row[1].flatMap({ Int64($0) }),
      let applied = try appliedVersion(row[2])
    else { return nil }
    pulled.cursor = cursor
    pulled.now = Stamp(rawValue: now)
    pulled.applied = applied
    // The server is one that lags behind what this client has seen.
    if applied < state.acknowledged { return false }
    pulled.policyEpoch = row[3].flatMap { Int64($0) } ?? record.policyEpoch
    if pulled.policyEpoch != record.policyEpoch, !state.needsFullPull {
      // Others than before may be seen now, without having changed.
      state.needsFullPull = true
      if record.policyEpoch >= 0 { report(.reset(.policiesChanged)) }
    }
    guard try take(applied: applied, connection, now: pulled.now.milliseconds) else { return nil }
    // A caller that waits for the upload finds in the file what came of refused objects, which this pull reads.
    if state.again.isEmpty && state.evictions.isEmpty { noteReadBack() }
    return true
  }

  private func read(
    classNumber: Int, _ whole: Pulled, _ connection: any ServerConnection
  ) throws -> PulledClass {
    let syncClass = model.classes[classNumber]
    let selected = whole.selection.classes[classNumber].rows
    let isWhole = whole.isWhole || whole.selection.classes[classNumber].isWhole
    let reading = elementReading(whole, classNumber: classNumber)
    let cursor = isWhole ? SessionState.emptyCursor : state.cursor
    let query = PullQuery(
      syncClass, schema: schema, numbers: propertyNumbers[classNumber], cursor: cursor,
      filter: selected.filter)
    var pulled = PulledClass()
    let isSelected = !selected.isEmpty
    if whole.isComparison && isSelected && snapshot.liveCount(table: classes[classNumber].table) > 0 {
      pulled = try differences(
        classNumber: classNumber, query, usesHashes: whole.usesHashes, in: whole.blocks, connection)
    } else if isSelected {
      try connection.copyOutEncoded(query.rows, fields: query.rowTypes.count) {
        pulled.rows.append($0, of: query, in: whole.blocks)
        countRow()
      }
    }
    if !isWhole && isSelected {
      try connection.copyOut(query.departures, query.departureTypes) {
        pulled.departures.append(query.departure($0))
      }
    }
    let again = state.again.filter { $0.className == syncClass.name }.map(\.key.value)
    if !again.isEmpty {
      var found: Set<ExactValue> = []
      try again.forEachStatement { keys in
        try connection.copyOut(query.rows(withKeys: keys), query.rowTypes + [.boolean]) {
          guard case .bool(true) = $0[$0.count - 1] else { return }
          let row = query.row($0)
          found.insert(ExactValue(row.key))
          pulled.rows.append(row)
        }
      }
      pulled.missing += again.filter { !found.contains(ExactValue($0)) }
    }
    try readElements(
      into: &pulled, classNumber: classNumber, reading, filter: selected.filter, again: again, connection)
    return pulled
  }

  /// Which elements of a class are read.
  private func elementReading(_ whole: Pulled, classNumber: Int) -> ElementReading {
    if whole.isAudit && whole.usesHashes { return .differences }
    if whole.isComparison, whole.usesHashes, snapshot.liveCount(table: classes[classNumber].table) > 0 {
      return .differences
    }
    let isWhole = whole.isAudit || whole.isWhole || whole.selection.classes[classNumber].isWhole
    return isWhole ? .everything : .changes
  }

  private func readLists(_ pulled: Pulled, _ connection: any ServerConnection) throws -> [PulledList] {
    try lists.lists.map { list in
      guard let number = classes.firstIndex(where: { $0.name == list.className }) else { return PulledList() }
      let filter = pulled.selection.classes[number].rows.filter
      return try readList(
        list, elementReading(pulled, classNumber: number), filter: filter, connection)
    }
  }

  private func apply(_ pulled: Pulled) throws -> Bool {
    let canFillLinks = try !links.postponed.isEmpty && links.canFillPostponed(pending(), in: snapshot)
    let before = (state, record, facts)
    facts.lastPull = pulled.now.milliseconds
    facts.confirmedVersion = pulled.applied
    let isEmpty = pulled.classes.allSatisfy(\.isEmpty) && pulled.lists.allSatisfy(\.isEmpty)
    if isEmpty && state.evictions.isEmpty && !pulled.isWhole && !pulled.isAudit
      && state.again.isEmpty && !pulled.selection.isNew
      && !canFillLinks
    {
      // The cursor moves in memory; the file gets it with the next change.
      state.cursor = pulled.cursor
      isPullApplied = true
      return false
    }
    do {
      return try applyInTransaction(pulled)
    } catch {
      (state, record, facts) = before
      if error is StateConflict {
        try refresh()
        return false
      }
      throw error
    }
  }

  private func applyInTransaction(_ pulled: Pulled) throws -> Bool {
    var changed = 0
    var unreadable: [UnreadableValue] = []
    try write { transaction in
      try store(pulled.selection, transaction)
      var application = PullApplication(snapshot, try pending(), links, evictions: state.evictions)
      for (number, content) in pulled.classes.enumerated() {
        try application.apply(
          content, classes[number], isWhole: pulled.isWhole || pulled.selection.classes[number].isWhole)
      }
      for (number, content) in pulled.classes.enumerated() {
        application.applyElements(content, classes[number])
      }
      application.evict(classes)
      for (list, content) in zip(lists.lists, pulled.lists) {
        for element in content.elements {
          guard let reason = element.value.unreadableReason,
            let row = classes.first(where: { $0.table == list.table })?.row(element.owner, in: snapshot)
          else { continue }
          application.noteUnreadable(
            reason, table: list.table, row: row, columns: [list.column], element: .number(element.number),
            stamp: element.valueStamp)
        }
      }
      let listed = try applyLists(pulled.lists, application.pending, transaction)
      if pulled.isWhole { lists.endSharing() }
      try application.bases.store(in: transaction)
      var clock = try snapshot.syncClock()
      // Stamps further ahead were not sent by a client, and would be cut when this client sends its own.
      clock.observe(
        min(
          max(application.greatestStamp, listed.greatestStamp),
          Stamp(milliseconds: pulled.now.milliseconds + Int64(ServerSchema.clockTolerance))))
      transaction.setClock(clock)
      changed = application.changedObjects + listed.changed
      unreadable = application.unreadable
      noteFindings(pulled, application, changed)
      state.evictions = application.evictions
      state.cursor = pulled.cursor
      state.again = []
      state.needsFullPull = false
    }
    isPullApplied = true
    reportUnreadable(unreadable)
    wantsEverything = false
    if pulled.isAudit, let findings = facts.lastAudit { report(.audited(findings)) }
    return changed > 0
  }

  /// Reports values of the server that cannot be read: each one once, although each comparison finds it again.
  private func reportUnreadable(_ values: [UnreadableValue]) {
    let news = values.filter { reportedUnreadable.updateValue($0.stamp, forKey: $0.place) != $0.stamp }
    if news.isEmpty { return }
    facts.unreadable += news.count
    report(.unreadable(news))
  }

  /// Takes note of what was found, in the transaction that applies it.
  private func noteFindings(_ pulled: Pulled, _ application: PullApplication, _ changed: Int) {
    record.policyEpoch = pulled.policyEpoch
    facts.lastPullCounts = (
      pulled.classes.reduce(0) { $0 + ($1.isComparison ? $1.comparedCount : $1.rows.count) }, changed
    )
    if pulled.isAudit {
      record.audit = AuditFindings(
        time: pulled.now.milliseconds, objects: facts.lastPullCounts.read, differences: changed)
      facts.lastAudit = record.audit
    } else if changed > 0 && !pulled.isWhole && application.greatestStamp > .never {
      facts.downloadLag.add(serverTime - application.greatestStamp.milliseconds)
    }
  }

  /// Applies a pull, and compares the file with the server's state in the same transaction of the server.
  private func audit(
    _ pulled: Pulled, from cursor: String, _ connection: any ServerConnection
  ) throws -> Bool {
    let isCurrent = state.cursor == cursor
    let hasChanged = isCurrent ? try apply(pulled) : false
    guard isCurrent && isPullApplied else {
      try connection.query("rollback")
      return false
    }
    isPullApplied = false
    var found = pulled
    (found.isAudit, found.isWhole, found.classes, found.lists) = (true, false, [], [])
    for number in classes.indices {
      let filter = found.selection.classes[number].rows.filter
      let query = PullQuery(
        model.classes[number], schema: schema, numbers: propertyNumbers[number], cursor: state.cursor,
        filter: filter)
      var differing = try differences(
        classNumber: number, query, usesHashes: found.usesHashes, in: found.blocks, connection)
      try readElements(
        into: &differing, classNumber: number, elementReading(found, classNumber: number), filter: filter,
        again: [], connection)
      found.classes.append(differing)
    }
    found.lists = try readLists(found, connection)
    try connection.query("commit")
    return try apply(found) || hasChanged
  }
}
