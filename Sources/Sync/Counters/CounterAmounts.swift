import Storage

/// What one push adds to the counters of the server.
///
/// The file has it, durable, before the push sends anything: when the answer to the push is lost, the server says whether it
/// has the version, and only the file says what belongs to it. While the version is greater than the acknowledged one, the push
/// is in flight. Afterwards it is kept for a day: a server that is restored to an earlier time gets it again.
struct CounterAmounts: Hashable {
  /// What is added to one counter of one object.
  struct Amount: Hashable {
    var table: Int
    var slot: Int
    var row: Int
    var amount: Int64
  }

  var amounts: [Amount] = []

  var isEmpty: Bool { amounts.isEmpty }

  /// Reads what is pending in a version of a file.
  init(_ pending: PendingChanges, _ classes: [LocalClass], in snapshot: Snapshot) throws(StorageError) {
    let bases = CounterBases(snapshot)
    for localClass in classes where localClass.hasCounters && !pending.isEmpty(table: localClass.table) {
      pending.forEachPushedRow(of: localClass, in: snapshot, bases) { pushed in
        guard let row = pushed.row else { return }
        for (slot, amount) in pushed.amounts where amount != 0 {
          amounts.append(Amount(table: localClass.table, slot: slot, row: row, amount: amount))
        }
      }
    }
    try bases.check()
  }

  /// Reads what `encoded` wrote; nil for anything else.
  init?(_ bytes: [UInt8]) {
    var reader = StateReader(bytes)
    let amounts = reader.readList { reader -> Amount? in
      guard let table = reader.readInteger(), let slot = reader.readInteger(), let row = reader.readInteger(),
        let amount = reader.readInteger()
      else { return nil }
      return Amount(table: Int(table), slot: Int(slot), row: Int(row), amount: amount)
    }
    guard let amounts, reader.isAtEnd else { return nil }
    self.amounts = amounts
  }

  /// The bytes that are stored.
  var encoded: [UInt8] {
    var writer = StateWriter()
    writer.append(amounts) {
      for number in [$1.table, $1.slot, $1.row] { $0.append(Int64(number)) }
      $0.append($1.amount)
    }
    return writer.bytes
  }
}

extension LocalClass {
  /// The properties of which differences are sent.
  var counters: [LocalProperty] { properties.filter(\.isCounter) }

  var hasCounters: Bool { properties.contains(where: \.isCounter) }

  /// Returns a row of a push with what it adds to counters; nil when nothing is left that has to be sent.
  func counted(
    _ pushed: PushedRow, in snapshot: Snapshot, _ bases: CounterBases, _ pending: PendingChanges
  ) -> PushedRow? {
    guard let row = pushed.row else { return pushed }
    // The base is that of the object that the row was before.
    let isAnother = pending.rekeyedRows(table: table).contains(row)
    var pushed = pushed
    for counter in counters {
      let stamp = pushed.written.removeValue(forKey: counter.slot)
      guard stamp != nil || pushed.operation == .created,
        case .int(let value) = self.value(of: counter, row: row, in: snapshot)
      else { continue }
      let amount = isAnother ? value : value &- bases[table, counter.slot, row]
      pushed.amounts[counter.slot] = amount
      if amount != 0, let stamp { pushed.counted = min(pushed.counted ?? stamp, stamp) }
    }
    let isNeeded =
      pushed.operation == .created || !pushed.written.isEmpty || pushed.amounts.values.contains { $0 != 0 }
    return isNeeded ? pushed : nil
  }
}
