import Storage

/// How a stored value compares with a constant or another value.
///
/// Null equals null and is unequal to everything else; it is neither less nor greater. Typed floating-point
/// columns compare as IEEE 754 has it: NaN is unequal to all. Mixed values compare when both are numbers, both
/// strings or data, or both of one type, and there NaN equals itself; otherwise they are only unequal.
enum ValueComparison {
  static func compare(
    _ value: Value, _ comparison: RelationalOperator, _ other: Value, type: ValueType
  ) -> Bool {
    if value.isNull || other.isNull {
      guard value.isNull && other.isNull else { return comparison == .notEqual }
      return comparison == .equal || comparison == .lessOrEqual || comparison == .greaterOrEqual
    }
    switch (value, other) {
    case (.string(let text), .data(let bytes)) where type == .mixed:
      return comparison.accepts(order(Array(text.utf8), bytes))
    case (.data(let bytes), .string(let text)) where type == .mixed:
      return comparison.accepts(order(bytes, Array(text.utf8)))
    case (.list, .list), (.dictionary, .dictionary):
      let isEqual = isDeeplyEqual(value, other)
      return comparison == .equal ? isEqual : comparison == .notEqual && !isEqual
    default: break
    }
    if type == .mixed {
      guard rank(value) == rank(other) else { return comparison == .notEqual }
    } else if isNaN(value) || isNaN(other) {
      return comparison == .notEqual
    }
    return comparison.accepts(Value.order(value, other))
  }

  private static func order(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.withUnsafeBytes { a in b.withUnsafeBytes { b in a.order(b) } }
  }

  private static func isNaN(_ value: Value) -> Bool {
    switch value {
    case .float(let number): number.isNaN
    case .double(let number), .date(let number): number.isNaN
    case .decimal128(let decimal): decimal.isDecimalNaN
    default: false
    }
  }

  /// Equal for types that compare with each other.
  private static func rank(_ value: Value) -> Int {
    switch value {
    case .null: 0
    case .int, .float, .double, .decimal128: 1
    case .bool: 2
    case .string, .data: 3
    case .date: 4
    case .objectId: 5
    case .uuid: 6
    case .link: 7
    case .list: 8
    case .dictionary: 9
    }
  }

  /// Whether two lists, or two dictionaries, hold equal values. In a loop: values may be nested deep.
  private static func isDeeplyEqual(_ a: Value, _ b: Value) -> Bool {
    var pairs = [(a, b)]
    while let pair = pairs.popLast() {
      switch pair {
      case (.list(let a), .list(let b)):
        if a.count != b.count { return false }
        pairs.append(contentsOf: zip(a, b))
      case (.dictionary(let a), .dictionary(let b)):
        if a.count != b.count { return false }
        for (a, b) in zip(a, b) {
          if a.key != b.key { return false }
          pairs.append((a.value, b.value))
        }
      case (let a, let b): if !compare(a, .equal, b, type: .mixed) { return false }
      }
    }
    return true
  }
}

extension Fixed16 {
  /// For a decimal: whether it is not a number.
  var isDecimalNaN: Bool { low.byteSwapped & 0x7C00_0000_0000_0000 == 0x7C00_0000_0000_0000 }
}
