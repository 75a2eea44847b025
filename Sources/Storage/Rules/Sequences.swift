// Sequences: numbers that rows get as their keys, each given once for all times.
//
// The highest number that was ever given or set stands in the entry `sequences` of the main tree, for each column that
// has a sequence: u32 table · u32 column · i64 number. It is read when a write transaction first asks, kept in the table's
// state meanwhile, and written with the transaction: the next writer, in any process, continues from there.
extension Table {
  /// The next number of a column's sequence, or nil when the last one was the limit.
  @inline(__always)
  package func nextInSequence(_ column: Int, limit: Int64) -> Int64? {
    if state.pointee.sequence < 0 { writer.beginSequence(self, column) }
    if state.pointee.sequence >= limit { return nil }
    state.pointee.sequence &+= 1
    return state.pointee.sequence
  }

  /// Makes a column's sequence go on behind a number that was set.
  @inline(__always)
  package func raiseSequence(_ column: Int, to number: Int64) {
    if state.pointee.sequence < 0 { writer.beginSequence(self, column) }
    if number > state.pointee.sequence { state.pointee.sequence = number }
  }

  /// Makes a column's sequence go on behind all numbers that are there. Cost: that of reading the column.
  package func raiseSequenceToHighest(_ column: Int) {
    raiseSequence(column, to: highestNumber(column))
  }

  fileprivate func highestNumber(_ column: Int) -> Int64 {
    var highest: Int64 = 0
    forEachRow { if !isNull(column, $0) { highest = max(highest, integer(column, $0)) } }
    return highest
  }
}

/// The content of the entry.
struct SequenceNumbers {
  static let key = Array("sequences".utf8)
  private static let size = 16

  struct Place: Hashable {
    var table: Int
    var column: Int
  }

  var highest: [Place: Int64] = [:]

  init() {}

  /// Nil when the bytes are no such entry.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count % Self.size == 0 else { return nil }
    var reader = ByteReader(bytes)
    while let table = reader.read(UInt32.self), let column = reader.read(UInt32.self),
      let number = reader.read(Int64.self)
    {
      if number < 0 { return nil }
      highest[Place(table: Int(table), column: Int(column))] = number
    }
  }

  var encoded: [UInt8] {
    var writer = ByteWriter()
    for (place, number) in highest.sorted(by: {
      ($0.key.table, $0.key.column) < ($1.key.table, $1.key.column)
    }) {
      writer.append(UInt32(place.table))
      writer.append(UInt32(place.column))
      writer.append(number)
    }
    return writer.bytes
  }
}

extension Catalogue {
  /// Whether a column is there and numbers its rows.
  func isSequence(_ place: SequenceNumbers.Place) -> Bool {
    guard tables.indices.contains(place.table), tables[place.table].columns.indices.contains(place.column)
    else { return false }
    let (table, column) = (tables[place.table], tables[place.table].columns[place.column])
    return !table.isRemoved && !column.isRemoved && column.isSequence && column.isPrimaryKey
  }
}

extension Writer {
  /// Reads where a sequence is, before it is first asked. One that is not in the entry goes on behind all that is there.
  @inline(never)
  fileprivate func beginSequence(_ table: Table, _ column: Int) {
    let transaction = transaction
    var stored: Int64?
    do throws(ValueFault) {
      if let bytes = try snapshot.source.value(.main, key: SequenceNumbers.key) {
        guard let numbers = SequenceNumbers(bytes) else { throw ValueFault(reason: "its form is wrong") }
        stored = numbers.highest[.init(table: table.number, column: column)]
      }
    } catch {
      transaction.failure = .damaged(path: snapshot.file.path, "its sequences: \(error.reason)")
    }
    // Programs that do not know of the sequence, and damage, may have left it behind the keys that are there.
    table.state.pointee.sequence = max(stored ?? 0, highestKey(table, column))
    transaction.sequences.append((table.number, column, stored ?? -1))
  }

  /// The highest number among the keys, from their index; without one from the column.
  private func highestKey(_ table: Table, _ column: Int) -> Int64 {
    guard snapshot.catalogue.tables[table.number].columns[column].hasValueIndex else {
      return table.highestNumber(column)
    }
    var highest: Int64 = 0
    snapshot.forEachRow(.column(column, ofTable: table.number), in: .all, ascending: false) { row in
      if table.isNull(column, row) { return true }
      highest = max(0, table.integer(column, row))
      return false
    }
    return highest
  }

  /// Writes the sequences that have gone on.
  func storeSequences(_ transaction: WriteTransaction, _ target: EntryTransaction) throws(EntryError) {
    let changed = transaction.sequences.filter {
      snapshot.tables[$0.table].state.pointee.sequence != $0.highest
    }
    if changed.isEmpty { return }
    let bytes = try? target.value(.main, key: SequenceNumbers.key)
    var numbers = bytes.flatMap { SequenceNumbers($0) } ?? SequenceNumbers()
    // Those of removed properties are over.
    numbers.highest = numbers.highest.filter { snapshot.catalogue.isSequence($0.key) }
    for sequence in changed {
      numbers.highest[.init(table: sequence.table, column: sequence.column)] =
        snapshot.tables[sequence.table].state.pointee.sequence
    }
    try target.store(.main, key: SequenceNumbers.key, numbers.encoded)
  }
}
