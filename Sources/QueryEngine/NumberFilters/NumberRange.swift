import Storage

/// What a condition on a number comes down to: a range with both bounds included, perhaps its opposite, and the
/// answer for null.
struct NumberRange<Number: Comparable & Sendable>: Sendable {
  var low: Number
  var high: Number
  /// Whether the numbers outside the range are meant.
  var isNegated = false
  var acceptsNull = false

  /// Whether no number is in the range.
  var isEmpty: Bool { !(low <= high) }

  @inline(__always) func contains(_ number: Number) -> Bool {
    (low <= number && number <= high) != isNegated
  }
}

extension NumberRange<Int64> {
  static var nothing: NumberRange { NumberRange(low: .max, high: .min) }

  init(_ comparison: RelationalOperator, _ bound: Int64) {
    switch comparison {
    case .equal: self.init(low: bound, high: bound)
    case .notEqual: self.init(low: bound, high: bound, isNegated: true, acceptsNull: true)
    case .less: self = bound == .min ? .nothing : NumberRange(low: .min, high: bound - 1)
    case .lessOrEqual: self.init(low: .min, high: bound)
    case .greater: self = bound == .max ? .nothing : NumberRange(low: bound + 1, high: .max)
    case .greaterOrEqual: self.init(low: bound, high: .max)
    }
  }
}

extension NumberRange<Int64> {
  /// All integers, or none, by how they compare with a decimal that is less or greater than all of them; nil for others.
  init?(_ comparison: RelationalOperator, beyondIntegers bound: Value) {
    guard case .decimal128 = bound else { return nil }
    let isAbove = Value.order(.int(.max), bound) < 0
    guard isAbove || Value.order(.int(.min), bound) > 0 else { return nil }
    self = .nothing
    isNegated = comparison.accepts(isAbove ? -1 : 1)
    acceptsNull = comparison == .notEqual
  }
}

extension NumberRange where Number: BinaryFloatingPoint {
  static var nothing: NumberRange { NumberRange(low: .infinity, high: -.infinity) }

  /// NaN satisfies only inequality, and is equal to nothing.
  init(_ comparison: RelationalOperator, _ bound: Number) {
    if bound.isNaN {
      self = .nothing
      isNegated = comparison == .notEqual
      acceptsNull = isNegated
      return
    }
    switch comparison {
    case .equal: self.init(low: bound, high: bound)
    case .notEqual: self.init(low: bound, high: bound, isNegated: true, acceptsNull: true)
    case .less:
      self = bound == -.infinity ? .nothing : NumberRange(low: -.infinity, high: bound.nextDown)
    case .lessOrEqual: self.init(low: -.infinity, high: bound)
    case .greater: self = bound == .infinity ? .nothing : NumberRange(low: bound.nextUp, high: .infinity)
    case .greaterOrEqual: self.init(low: bound, high: .infinity)
    }
  }
}

extension NumberRange<Double> {
  /// - Parameter isOfFloats: Whether the next number is the next float. The bound is one, then.
  init(_ comparison: RelationalOperator, _ bound: Double, isOfFloats: Bool) {
    guard isOfFloats else {
      self.init(comparison, bound)
      return
    }
    let floats = NumberRange<Float>(comparison, Float(bound))
    self.init(
      low: Double(floats.low), high: Double(floats.high), isNegated: floats.isNegated,
      acceptsNull: floats.acceptsNull)
  }
}

extension NumberRange {
  /// All numbers, or none, by how null compares with null.
  static func comparedWithNull(_ comparison: RelationalOperator, nothing: NumberRange) -> NumberRange {
    var range = nothing
    range.isNegated = comparison == .notEqual
    range.acceptsNull = comparison == .equal || comparison == .lessOrEqual || comparison == .greaterOrEqual
    return range
  }
}
