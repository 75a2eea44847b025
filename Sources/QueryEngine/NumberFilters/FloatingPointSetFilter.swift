import Storage

/// Floats, doubles and dates that are among many constants.
final class FloatingPointSetFilter: ChunkFilter {
  private let reader: RowReader
  private let column: Int
  private let type: ValueType
  private let constants: Set<Value>
  var cost: Double { 40 }

  init(_ reader: RowReader, _ column: Int, _ type: ValueType, _ constants: [Value]) {
    self.reader = reader
    self.column = column
    self.type = type
    // A NaN equals nothing, like the one in a set.
    self.constants = Set(constants)
  }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    mask.filter { constants.contains(reader.table.value(column, number &* chunkCapacity &+ $0)) }
  }
}
