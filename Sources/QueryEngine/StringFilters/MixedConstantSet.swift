import Storage

/// Many constants that mixed values are compared with, found by their hashes.
///
/// Says what comparing with each of them would: numbers are equal across types, strings and data by their bytes, and
/// nothing else across types.
struct MixedConstantSet {
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
