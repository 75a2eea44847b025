import Storage

extension PredicateExpression {
  /// The expression with every number in one form, so that conditions are equal that differ only in how their numbers were
  /// written: `0`, `0.0` and `false` are one constant, as they are for Foundation.
  package var withPlainNumbers: PredicateExpression {
    switch self {
    case .constant: self
    case .and(let operands): .and(operands.map(\.withPlainNumbers))
    case .or(let operands): .or(operands.map(\.withPlainNumbers))
    case .not(let operand): .not(operand.withPlainNumbers)
    case .comparison(var comparison):
      {
        comparison.left = comparison.left.withPlainNumbers
        comparison.right = comparison.right.withPlainNumbers
        return .comparison(comparison)
      }()
    }
  }
}

extension Operand {
  fileprivate var withPlainNumbers: Operand {
    switch self {
    case .value(let value): .value(value.asPlainNumber)
    case .list(let elements): .list(elements.map(\.withPlainNumbers))
    case .members(let names, let values): .members(names: names, values: values.map(\.withPlainNumbers))
    case .subqueryCount(let collection, let predicate):
      .subqueryCount(collection: collection, predicate: predicate.withPlainNumbers)
    case .keyPath, .number, .detachedObject, .region, .unsupported: self
    }
  }
}

extension Value {
  fileprivate var asPlainNumber: Value {
    switch self {
    case .bool(let flag): .int(flag ? 1 : 0)
    case .float(let number): Value.double(Double(number)).asPlainNumber
    case .double(let number): Int64(exactly: number).map(Value.int) ?? self
    default: self
    }
  }
}
