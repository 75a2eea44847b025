import Storage

/// Many constants that mixed values are compared with, found by their hashes.
///
/// Says what comparing with each of them would: numbers are equal across types, strings and data by their bytes, and
/// nothing else across types.
struct ConstantSet {
  private var integers: Set<Int64> = []
  /// Floats too.
  private var doubles: Set<Double> = []
  private var hasNaN = false
  private var texts: Set<[UInt8]> = []
  /// Values that only equal values of their type.
  private var others: Set<Value> = []
  /// Decimals, lists and dictionaries, which are compared one by one.
  private var rest: [Value] = []
  private let all: [Value]

  init(_ values: [Value]) {
    all = values
    for value in values {
      switch value {
      case .int(let number): integers.insert(number)
      case .float(let number): insert(Double(number))
      case .double(let number): insert(number)
      case .string, .data: texts.insert(value.textBytes!)
      case .date(let seconds) where seconds.isNaN: rest.append(value)
      case .null, .bool, .date, .objectId, .uuid, .link: others.insert(value)
      case .decimal128, .list, .dictionary: rest.append(value)
      }
    }
  }

  private mutating func insert(_ number: Double) {
    if number.isNaN { hasNaN = true } else { doubles.insert(number) }
  }

  func contains(_ value: Value) -> Bool {
    switch value {
    case .int(let number):
      if integers.contains(number) || Double(exactly: number).map(doubles.contains) == true { return true }
    case .float(let number): if contains(Double(number)) { return true }
    case .double(let number): if contains(number) { return true }
    case .string, .data: return texts.contains(value.textBytes!)
    case .null, .bool, .date, .objectId, .uuid, .link: if others.contains(value) { return true }
    case .decimal128: return contains(value, among: all)
    case .list, .dictionary: break
    }
    return contains(value, among: rest)
  }

  private func contains(_ number: Double) -> Bool {
    if number.isNaN { return hasNaN }
    return doubles.contains(number) || Int64(exactly: number).map(integers.contains) == true
  }

  private func contains(_ value: Value, among constants: [Value]) -> Bool {
    constants.contains { ValueComparison.compare(value, .equal, $0, type: .mixed) }
  }
}

/// Floats, doubles and dates that are among many constants.
final class NumberSetFilter: ChunkFilter {
  private let reader: RowReader
  private let column: Int
  private let type: ValueType
  private let constants: Set<Value>
  override var cost: Double { 40 }

  init(_ reader: RowReader, _ column: Int, _ type: ValueType, _ constants: [Value]) {
    self.reader = reader
    self.column = column
    self.type = type
    // A NaN equals nothing, like the one in a set.
    self.constants = Set(constants)
  }

  override func filter(_ mask: ChunkMask, chunk number: Int) {
    mask.filter { constants.contains(reader.table.value(column, number &* chunkCapacity &+ $0)) }
  }
}
