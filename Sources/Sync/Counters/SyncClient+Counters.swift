import Storage

// Counters: each amount is added on the server once, whatever is lost on the way.
extension SyncClient {
  struct SentAmounts {
    var key: SessionKey
    var version: UInt64
    var amounts: CounterAmounts
  }

  /// The keys of the amounts in the file, by their versions.
  private func amountKeys() throws(StorageError) -> [SessionKey] {
    try snapshot.sessionKeys(of: .counterAmounts).filter { $0.table == 0 }
  }

  /// What pushes of the versions after one have sent, or were about to send.
  func sentAmounts(after version: UInt64) throws(StorageError) -> [SentAmounts] {
    var sent: [SentAmounts] = []
    for key in try amountKeys() where key.row > version {
      guard let amounts = try snapshot.session(key).flatMap({ CounterAmounts($0) }) else { continue }
      sent.append(SentAmounts(key: key, version: UInt64(key.row), amounts: amounts))
    }
    return sent
  }

  /// Writes what a push will add to counters into the file, and waits until it is durable. The snapshot then is at the version
  /// that the push sends.
  ///
  /// The caller holds the row of this client on the server, which shows that no earlier push is in flight: what one was about to
  /// send is still pending, and what the file says of it is removed.
  func noteAmounts() throws {
    // A class whose amounts a failed push has noted may be left out by now.
    let failed = try sentAmounts(after: state.acknowledged)
    let hasCounters = classes.contains(where: \.hasCounters)
    if failed.isEmpty, try !hasCounters || CounterAmounts(pending(), classes, in: snapshot).isEmpty { return }
    var version: UInt64 = 0
    try write { transaction in
      let amounts = try CounterAmounts(pending(), classes, in: snapshot)
      version = snapshot.version + 1
      for sent in failed { transaction.setSession(sent.key, nil) }
      try forgetBasesOfRekeyedRows(transaction)
      if amounts.isEmpty { return }
      transaction.setSession(
        SessionKey(.counterAmounts, row: Int(version)), amounts.encoded)
    }
    if snapshot.version != version { throw StateConflict() }
    try waitForDurability(snapshot.version)
  }

  /// Rows that became other objects add their whole values to the new ones.
  private func forgetBasesOfRekeyedRows(_ transaction: WriteTransaction) throws(StorageError) {
    let bases = CounterBases(snapshot)
    let pending = try pending()
    for localClass in classes where localClass.hasCounters {
      for row in pending.rekeyedRows(table: localClass.table) {
        for counter in localClass.counters { bases[localClass.table, counter.slot, row] = 0 }
      }
    }
    try bases.store(in: transaction)
  }

  /// Stores that the server has what the pushes of some versions have sent.
  ///
  /// - Parameter former: The version that was acknowledged before.
  /// - Returns: Whether the state was stored with it. It was not when no counter is concerned.
  func settleAmounts(after former: UInt64) throws -> Bool {
    let sent = try sentAmounts(after: former).filter { $0.version <= state.acknowledged }
    if sent.isEmpty { return false }
    let old = try amountKeys().filter { $0.row <= state.logBound }
    try write { transaction in
      try add(sent, factor: 1, transaction)
      for key in old { transaction.setSession(key, nil) }
    }
    return true
  }

  /// Stores that the server has lost what came after a version, which is the acknowledged one now: the amounts are pending again.
  func takeBackAmounts(acknowledgedBefore former: UInt64) throws {
    let lost = try sentAmounts(after: state.acknowledged)
    try write { transaction in
      // A push in flight was not added to the bases.
      try add(lost.filter { $0.version <= former }, factor: -1, transaction)
      for sent in lost { transaction.setSession(sent.key, nil) }
    }
  }

  private func add(
    _ sent: [SentAmounts], factor: Int64, _ transaction: WriteTransaction
  ) throws(StorageError) {
    let bases = CounterBases(snapshot)
    for amount in sent.flatMap(\.amounts.amounts) {
      bases[amount.table, amount.slot, amount.row] &+= factor &* amount.amount
    }
    try bases.store(in: transaction)
  }
}
