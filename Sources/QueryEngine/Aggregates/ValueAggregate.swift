import CDecimal128
package import Storage

/// An aggregate that is fed value by value. Nulls are skipped, and so is everything that is not a number in a mixed
/// column, but for minimum and maximum, which follow the order of all values.
package struct ValueAggregate {
  private let operation: AggregateOperation
  private let type: ValueType
  private var count = 0
  private var extreme = Value.null
  private var integerSum: Int128 = 0
  private var doubleSum = 0.0
  private var decimalSum = BID_UINT128.zero

  package init(_ operation: AggregateOperation, _ type: ValueType) {
    self.operation = operation
    self.type = type
  }

  package mutating func add(_ value: Value) {
    if value.isNull { return }
    switch operation {
    case .minimum, .maximum: addExtreme(value)
    case .sum, .average: addNumber(value)
    }
  }

  /// Adds integers or doubles, whichever the type is, without wrapping each in a value. Returns false, having added
  /// nothing, when the operation or the type needs the values.
  mutating func addNumbers(rows: [Int], of table: Table, column: Int) -> Bool {
    guard operation == .sum || operation == .average else { return false }
    switch type {
    case .int:
      for row in rows where !table.isNull(column, row) {
        integerSum += Int128(table.integer(column, row))
        count += 1
      }
    case .double:
      for row in rows where !table.isNull(column, row) {
        doubleSum += table.double(column, row)
        count += 1
      }
    default: return false
    }
    return true
  }

  private mutating func addExtreme(_ value: Value) {
    // A typed floating-point column has no least NaN.
    if type != .mixed {
      switch value {
      case .float(let number) where number.isNaN: return
      case .double(let number) where number.isNaN: return
      case .date(let number) where number.isNaN: return
      case .decimal128(let number) where number.isDecimalNaN: return
      default: break
      }
    }
    count += 1
    if extreme.isNull {
      extreme = value
      return
    }
    let order = Value.order(value, extreme)
    if operation == .minimum ? order < 0 : order > 0 { extreme = value }
  }

  private mutating func addNumber(_ value: Value) {
    if type == .mixed || type == .decimal128 {
      guard let decimal = BID_UINT128(number: value) else { return }
      decimalSum = decimalSum.adding(decimal)
      count += 1
      return
    }
    switch value {
    case .int(let number): integerSum += Int128(number)
    case .float(let number): doubleSum += Double(number)
    case .double(let number): doubleSum += number
    default: return
    }
    count += 1
  }

  /// The result as programs see it: the sum of no mixed values is an integer, that of some a decimal.
  package var reported: Value {
    operation == .sum && type == .mixed && count == 0 ? .int(0) : result
  }

  /// Null for the minimum, maximum or average of nothing.
  package var result: Value {
    switch operation {
    case .minimum, .maximum: return extreme
    case .sum:
      switch type {
      case .mixed, .decimal128: return .decimal128(Fixed16(decimalSum))
      case .int: return .int(Int64(truncatingIfNeeded: integerSum))
      default: return .double(doubleSum)
      }
    case .average:
      if count == 0 { return .null }
      switch type {
      case .mixed, .decimal128: return .decimal128(Fixed16(decimalSum.divided(by: count)))
      case .int: return .double(Double(integerSum) / Double(count))
      default: return .double(doubleSum / Double(count))
      }
    }
  }
}
