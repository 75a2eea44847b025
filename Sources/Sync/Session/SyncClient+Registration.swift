import Storage

// The row of this file on the server, and files that share one: copies, and backups that were copied over a file.
extension SyncClient {
  /// The device and the inode of the file.
  var place: String { Self.place(of: file) }

  /// The number of an element of a list has 40 bits below that of the client.
  private static let clientLimit: Int64 = 1 << 23

  /// Finds the row of this file on the server, or makes one.
  func register(_ connection: any ServerConnection, _ history: SyncHistory, now: Int64) throws {
    if state.client == 0, try registerFirst(connection, history, now: now) { return }
    // A copy sends and receives as a client of its own: both files go on from what they have.
    var isCopy = state.client != 0 && state.place != place
    var isRestored = false
    let applied = try appliedVersion(connection)
    if let applied {
      if applied >= state.acknowledged {
        if !isCopy {
          if try take(applied: applied, connection, now: now) { return }
          // The place is forgotten at once: from now on the file gives no numbers of the client to elements of lists.
          (isCopy, isRestored, state.place) = (true, true, "")
        } else if try sharesPush(applied, connection) {
          // What was sent waits in neither file: of what waits in both, the first one takes the registration over.
          try acknowledge(applied, try outcomes(connection), now: now)
        }
      } else {
        try takeBack(after: applied)
        // Another history is reported when the histories are compared.
        if history.isKnown(by: state.history) { report(.reset(.historyChanged)) }
        if !isCopy { return }
      }
    } else if state.client != 0 && state.acknowledged > 0 && !history.isDatabase(of: state.history) {
      throw SyncProblem(
        "The database is not the one with which '\(file.path)' was synchronised, or it was restored to a time before that: "
          + "what it lacks would be removed from the file. Nothing was changed. Use the former database, or synchronise a "
          + "new file and copy the objects to it.")
    }
    if state.client != 0, applied != nil || history.isDatabase(of: state.history),
      try takeOverRegistration(connection, place, isCopy: isCopy)
    {
      return
    }
    // No longer registered, or a copy: what was acknowledged stays so.
    let former = state.client
    let isSharing = try former != 0 && mayInsert()
    try takeNewRow(
      connection.query(
        "insert into realm.client (applied) values ($1::bigint) returning id::text, token::text",
        [String(state.acknowledged)]), now: now)
    if isCopy || isSharing { state.needsFullPull = true }
    if former == 0 { return }
    try write { transaction in
      if isRestored { try lists.renumberInsertions(of: former, by: state, snapshot, transaction) }
      if isSharing { lists.shareInsertions() }
    }
  }

  private func takeNewRow(_ rows: [[String?]], now: Int64) throws {
    guard let row = rows.first, let client = row[0].flatMap({ Int64($0) }), let token = row[1] else {
      throw SyncProblem("The database does not register clients: realm.client returns no row.")
    }
    guard client < Self.clientLimit else {
      throw SyncProblem(
        "The database has registered more clients than elements of lists can tell apart (\(Self.clientLimit)): prepare a new "
          + "database, and let the clients synchronise with that.")
    }
    (state.client, state.token, state.place) = (client, token, place)
    state.noteRegistration(at: now)
  }

  // MARK: First contact

  /// Registers a file that was never registered.
  ///
  /// - Returns: Whether it was. If a copy of the file was registered before, the file now is a copy of that one.
  private func registerFirst(
    _ connection: any ServerConnection, _ history: SyncHistory, now: Int64
  ) throws -> Bool {
    let shift = facts.clockOffset - (try snapshot.syncClock().offset)
    guard serverKnowsCopies else {
      try takeNewRow(
        connection.query(
          "insert into realm.client (applied) values ($1::bigint) returning id::text, token::text",
          [String(state.acknowledged)]), now: now)
      try correctStamps(by: shift, copied: shift)
      return true
    }
    let rows = try connection.query(
      """
      insert into realm.client (applied, nonce, shift) values ($1::bigint, $2::uuid, $3::bigint)
        on conflict (nonce) do nothing returning id::text, token::text
      """, [String(state.acknowledged), state.nonce, String(shift)])
    if !rows.isEmpty {
      try takeNewRow(rows, now: now)
      try correctStamps(by: shift, copied: shift)
      return true
    }
    // Also when the answer to a first attempt of this file was lost.
    let known = try connection.query(
      "select client::text, token::text, shift::text from realm.registration($1::uuid)", [state.nonce])
    guard let row = known.first, let client = row[0].flatMap({ Int64($0) }), let token = row[1] else {
      throw SyncProblem("The database does not say which client has registered a copy of '\(file.path)'.")
    }
    (state.client, state.token, state.place, state.history) = (client, token, "", history.text)
    // What both have is recognised by its stamps, which are corrected alike. What was written here afterwards must not be later
    // than it was, and not earlier than what it follows.
    let noted = row[2].flatMap { Int64($0) } ?? shift
    let copied = try isPossible(shift: noted) ? noted : shift
    try correctStamps(by: shift < copied - Self.otherMachine ? shift : copied, copied: copied)
    return false
  }

  /// Whether a copy of this file may have corrected its stamps by a shift: those stamps are times since 1970.
  private func isPossible(shift: Int64) throws -> Bool {
    let latest = Stamp(rawValue: Int64(bitPattern: try snapshot.syncClock().greatest))
    let times = -state.baselineStamp.milliseconds...(Stamp(rawValue: .max).milliseconds - latest.milliseconds)
    return times.contains(shift)
  }

  /// Corrects the stamps that were made before the server's clock was known: a machine whose clock is ahead would win every
  /// conflict. Their order stays.
  ///
  /// - Parameter copied: What is added to the stamps up to the version at which the file was copied.
  private func correctStamps(by shift: Int64, copied: Int64) throws {
    try write { transaction in
      var clock = try snapshot.syncClock()
      if shift == 0 && copied == 0 { return }
      state.shift = shift
      state.copiedShift = copied
      state.shiftedBefore = snapshot.version + 1
      clock.greatest = UInt64(max(Int64(bitPattern: clock.greatest) + shift << 16, 0))
      clock.offset = facts.clockOffset
      transaction.setClock(clock)
    }
    forgetPending()
  }

  /// Milliseconds by which the clocks of two machines differ at least, so that what one has written after the other stays later.
  private static let otherMachine: Int64 = 1000

  // MARK: What was sent

  /// The version that the server has of the registered client; nil if it does not know the client.
  private func appliedVersion(_ connection: any ServerConnection) throws -> UInt64? {
    if state.client == 0 { return nil }
    let rows = try connection.query(
      "select applied::text from realm.client where id = $1::int and token = $2::uuid",
      [String(state.client), state.token])
    return try appliedVersion(rows.first?[0])
  }

  /// Reads the version that `realm.client` says the registered client has sent; nil if it has no such client.
  ///
  /// - Throws: `SyncProblem` if the version is impossible. A new registration would count as a copy of the file, whose increments are
  ///   refused.
  func appliedVersion(_ text: String?) throws -> UInt64? {
    guard let text else { return nil }
    guard let version = UInt64(text) else {
      throw SyncProblem(
        "In the table realm.client of the database, the client \(state.client) has sent version \(text), which no file has. "
          + "Restore the row from a backup of the database, or set its column applied to \(state.acknowledged), the last version "
          + "that '\(file.path)' knows to be sent.")
    }
    return version
  }

  /// What was acknowledged and is missing on the server is pending again, from the log.
  private func takeBack(after applied: UInt64) throws {
    let former = state.acknowledged
    state.regress(to: applied)
    facts.confirmedVersion = applied
    state.needsFullPull = true
    forgetPending()
    try takeBackAmounts(acknowledgedBefore: former)
  }

  /// Takes note of the version that the server says it has.
  ///
  /// - Returns: Whether this file has sent it. Otherwise the file is a backup of the one that has: the next contact registers it
  ///   as a client of its own.
  func take(applied: UInt64, _ connection: any ServerConnection, now: Int64) throws -> Bool {
    if applied <= state.acknowledged { return true }
    // Another process may have committed and sent since this one looked.
    if applied > snapshot.version { try refresh() }
    if applied <= state.acknowledged { return true }
    guard applied <= snapshot.version, try hasSent(applied, connection, ifUnknown: true) else { return false }
    // The answer to a push was lost.
    try acknowledge(applied, try outcomes(connection), now: now)
    return true
  }

  /// Whether the last push under the registration that this copy shares was made before the file was copied, and its acknowledgement
  /// was stored after that.
  private func sharesPush(_ applied: UInt64, _ connection: any ServerConnection) throws -> Bool {
    guard applied > state.acknowledged, applied <= snapshot.version,
      try hasSent(applied, connection, ifUnknown: false)
    else { return false }
    // The numbers of the elements that it inserted, and what it added to counters, are known only to a file that was copied after
    // they were noted.
    guard state.leftClasses.isEmpty, state.lateClasses.isEmpty,
      try lists.areComposed(upTo: applied, snapshot)
    else { return false }
    if try sentAmounts(after: state.acknowledged).contains(where: { $0.version == applied }) { return true }
    return try CounterAmounts(pending(), classes, in: snapshot).isEmpty
  }

  /// Whether the transactions up to a version are those that the server has: a backup may have got others in their place.
  ///
  /// - Parameter isUnknown: What is returned if the server does not say which transactions it has.
  private func hasSent(
    _ version: UInt64, _ connection: any ServerConnection, ifUnknown isUnknown: Bool
  ) throws -> Bool {
    guard serverKnowsCopies else { return isUnknown }
    let rows = try connection.query(
      "select mark from realm.client where id = $1::int", [String(state.client)])
    // An earlier version of this library leaves the mark of a former push.
    guard let mark = rows.first?[0], mark.hasPrefix("\(version):") else { return isUnknown }
    let sent = try snapshot.syncEntries(after: state.startOfPending).filter {
      $0.version <= version && $0.origin == .user
    }
    // As the log has them, stamps from before the first contact may be greater than later ones.
    let newest = sent.map(state.correctedStamp).max() ?? .never
    return mark == Self.mark(of: version, newestStamp: max(newest, state.stampAtStartOfPending))
  }

  /// Returns what tells a version of a file from the same version of a file that has gone on from a backup; nil if the user has
  /// written nothing that is sent with it.
  ///
  /// - Parameter newestStamp: The greatest stamp of the user's transactions up to the version; the least if there is none.
  static func mark(of version: UInt64, newestStamp: Stamp) -> String? {
    newestStamp == .never ? nil : "\(version):\(newestStamp.rawValue)"
  }
}
