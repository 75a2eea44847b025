import Storage

// Copies of a file: what both add to counters counts once, and what both insert into lists is inserted once.
//
// Everything else that waits in both can be sent by both, because the stamps are the same. Increments and insertions cannot: the
// first file that sends does it under the registration that both have. The other one drops its increments, and says so. It finds
// its insertions among the elements of the server, by their stamps and values, and sends the rest.
extension SyncClient {
  /// The token with which this file takes over the registration of the one that it was copied from. It is durable before the
  /// server gets it: the answer may be lost.
  private static let claim = SessionKey(.counterAmounts, table: 1)

  /// Takes over the registration under which the increments and insertions in this file would have been sent, if there are any.
  /// Another copy that has taken it over, but has sent nothing, loses it again.
  ///
  /// - Parameters:
  ///   - place: Identifies this file.
  ///   - isCopy: Whether the registration is that of another file.
  /// - Returns: Whether the file is registered.
  func takeOverRegistration(
    _ connection: any ServerConnection, _ place: String, isCopy: Bool
  ) throws -> Bool {
    guard try hasAdditions() else { return false }
    let token = try claim()
    let taken = try connection.query(
      """
      update realm.client set token = $2::uuid
        where id = $1::int and applied = $3::bigint returning id::text
      """, [String(state.client), token, String(state.acknowledged)])
    if !taken.isEmpty {
      (state.token, state.place) = (token, place)
      if isCopy {
        state.needsFullPull = true
        lists.separateNumbers()
      }
      try write { $0.setSession(Self.claim, nil) }
      return true
    }
    let known = try connection.query(
      "select id::text from realm.client where id = $1::int", [String(state.client)])
    if known.isEmpty && !isCopy { try settleUnknownPush() } else { try dropAmounts() }
    return false
  }

  /// Whether anything waits that would be there twice if both files sent it.
  private func hasAdditions() throws -> Bool {
    // What waits of classes that are left out is not known.
    if try !state.leftClasses.isEmpty || mayInsert() { return true }
    return try classes.contains(where: \.hasCounters)
      && !CounterAmounts(pending(), classes, in: snapshot).isEmpty
  }

  /// Whether elements of lists may wait to be inserted.
  func mayInsert() throws -> Bool {
    try scanLists()
    return lists.mayInsert(after: state.acknowledged)
  }

  private func claim() throws -> String {
    if let bytes = try snapshot.session(Self.claim) { return String(decoding: bytes, as: UTF8.self) }
    let token = Self.randomUUID()
    try write { $0.setSession(Self.claim, Array(token.utf8)) }
    try waitForDurability(snapshot.version)
    return token
  }

  /// The registration was removed from the server, and nothing says any more whether a push in flight has committed: what it
  /// sent is not sent again.
  private func settleUnknownPush() throws {
    let sent = try sentAmounts(after: state.acknowledged)
    try write { transaction in
      let bases = CounterBases(snapshot)
      for amount in sent.flatMap(\.amounts.amounts) {
        bases[amount.table, amount.slot, amount.row] &+= amount.amount
      }
      for record in sent { transaction.setSession(record.key, nil) }
      try bases.store(in: transaction)
      state.needsFullPull = true
    }
    forgetPending()
  }

  /// Takes the increments that wait back, because another copy of the file has sent them or may have.
  private func dropAmounts() throws {
    try dropAmounts(of: classes) { transaction in
      for record in try sentAmounts(after: state.acknowledged) { transaction.setSession(record.key, nil) }
      transaction.setSession(Self.claim, nil)
      state.copiedClasses.formUnion(state.leftClasses.keys)
    }
  }

  /// Compares what waits of classes that were left out while the other classes were compared with what a copy has sent.
  func compareCopiedClasses() throws {
    let back = classes.filter { state.copiedClasses.contains($0.name) }
    if back.isEmpty { return }
    try dropAmounts(of: back) { _ in
      state.copiedClasses.subtract(back.map(\.name))
      state.needsFullPull = true
      lists.shareInsertions()
    }
  }

  /// - Parameter body: Is called in the same transaction.
  private func dropAmounts(
    of classes: [LocalClass], _ body: (WriteTransaction) throws -> Void
  ) throws {
    var dropped: [RejectedObject] = []
    try write { transaction in
      let amounts = try CounterAmounts(pending(), classes, in: snapshot)
      let bases = CounterBases(snapshot)
      for amount in amounts.amounts {
        bases[amount.table, amount.slot, amount.row] &+= amount.amount
        note(amount, in: &dropped)
      }
      try bases.store(in: transaction)
      try body(transaction)
      try NotedRejection.note(dropped, time: serverTime, snapshot, transaction)
      state.needsFullPull = true
    }
    forgetPending()
    if dropped.isEmpty { return }
    facts.rejected += dropped.count
    report(.rejected(dropped))
  }

  private func note(_ amount: CounterAmounts.Amount, in dropped: inout [RejectedObject]) {
    guard let index = classes.firstIndex(where: { $0.table == amount.table }),
      let place = classes[index].properties.firstIndex(where: { $0.slot == amount.slot })
    else { return }
    let key = snapshot.table(amount.table).value(classes[index].keyColumn, amount.row)
    let property = model.classes[index].properties[place].name
    if let known = dropped.firstIndex(where: {
      $0.className == classes[index].name && ExactValue($0.key) == ExactValue(key)
    }) {
      dropped[known].values[property] = .int(amount.amount)
    } else {
      dropped.append(
        .init(
          className: classes[index].name, key: key, reason: .lost, values: [property: .int(amount.amount)]))
    }
  }
}
