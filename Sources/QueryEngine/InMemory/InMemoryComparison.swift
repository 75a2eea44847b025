import Storage

/// One comparison about something in memory.
struct InMemoryComparison {
  let comparison: ComparisonExpression
  let subject: PredicateSubject

  init(_ comparison: ComparisonExpression, _ subject: PredicateSubject) {
    self.comparison = comparison
    self.subject = subject
  }

  func evaluate() throws -> Bool {
    if case .members(let names, let values) = comparison.right, case .keyPath(let path) = comparison.left {
      return try evaluateMembers(path, names, values)
    }
    if comparison.comparison == .matches {
      throw PredicateError.operatorNotSupported("MATCHES", type: "string")
    }
    if comparison.comparison == .like && comparison.options.contains(.diacriticInsensitive) {
      throw PredicateError(
        "Invalid operator type", "Operator 'LIKE' not supported with diacritic-insensitive modifier.")
    }
    if comparison.comparison == .fullText { return try searchFinds() }
    if comparison.comparison == .isIn, case .region(let region) = comparison.right {
      return try evaluate(within: region)
    }
    var isReversedIn = false
    if case .keyPath = comparison.right { isReversedIn = comparison.comparison == .isIn }
    var left = try values(comparison.left)
    if case .number = comparison.left {
      left = try values(comparison.left, comparedWith: values(comparison.right))
    }
    switch comparison.comparison {
    case .isIn where !isReversedIn, .between:
      guard let constants = try constants(comparison.right, comparedWith: left) else {
        throw PredicateError.invalidValue(
          comparison.comparison == .isIn
            ? "IN clause requires an array of items" : "object must be of type NSArray for BETWEEN operations"
        )
      }
      if comparison.comparison == .between && constants.count != 2 {
        throw PredicateError.invalidValue(
          "NSArray object must contain exactly two objects for BETWEEN operations")
      }
      let condition: ValueCondition =
        comparison.comparison == .isIn
        ? .isInFolded(ConstantSet(constants, options: comparison.options))
        : .between(constants[0], constants[1])
      return satisfies(left) { condition.matches($0, type: .mixed) }
    default:
      let right = try values(comparison.right, comparedWith: left)
      let operation = isReversedIn ? ComparisonOperator.equal : comparison.comparison
      let pairs = left.flatMap { first in right.map { (first, $0) } }
      return satisfies(pairs) { holds($0, operation, $1) }
    }
  }

  /// Whether some of the values do, or none, or all, as the comparison is modified.
  func satisfies<Element>(
    _ elements: [Element], _ isMatching: (Element) throws -> Bool
  ) rethrows -> Bool {
    switch comparison.modifier {
    case .all: try elements.allSatisfy(isMatching)
    case .some(.none): try !elements.contains(where: isMatching)
    case .any, nil: try elements.contains(where: isMatching)
    }
  }

  private func evaluateMembers(_ path: PropertyPath, _ names: [String], _ values: [Operand]) throws -> Bool {
    guard comparison.comparison == .equal || comparison.comparison == .notEqual else {
      throw PredicateError.operatorNotSupported(comparison.comparison.rawValue, type: "object")
    }
    let equalities = zip(names, values).map { name, value in
      PredicateExpression.comparison(
        ComparisonExpression(.keyPath(PropertyPath(properties: [name])), .equal, value))
    }
    return try satisfies(InMemoryPath(path, from: subject).subjects) { subject in
      var isEqual = false
      if case .object = subject { isEqual = try equalities.allSatisfy { try $0.matches(subject) } }
      return isEqual == (comparison.comparison == .equal)
    }
  }

  /// Returns whether the search finds something in the words of what the path, or one of several paths, leads to.
  private func searchFinds() throws -> Bool {
    if let paths = try comparison.pathsOfSeveralTexts() {
      let search = try comparison.preparedSearch()
      return search.finds(try paths.flatMap { try InMemoryPath($0, from: subject).searchableValues })
    }
    guard case .keyPath(let path) = comparison.left else {
      throw PredicateError.unsupported("Operator 'TEXT' requires a keypath on the left side.")
    }
    _ = try InMemoryPath(path, from: subject).searchableValues
    let condition = try comparison.preparedSearch().condition
    return satisfies(try values(comparison.left)) { condition.matches($0) }
  }

  private func holds(_ left: Value, _ operation: ComparisonOperator, _ right: Value) -> Bool {
    if let text = TextOperator(operation) {
      let isEquality = text == .equal || text == .notEqual
      if !isEquality || !comparison.options.isEmpty && (right.isNull || right.textBytes != nil) {
        if right.textBytes == nil && !right.isNull { return false }
        return TextCondition(text, right.textBytes, options: comparison.options).matches(left)
      }
    }
    guard let relation = RelationalOperator(operation) else { return false }
    if case .link(let table, _) = right, table < 0 { return relation == .notEqual }
    if case .link(let table, _) = left, table < 0 { return relation == .notEqual }
    return ValueComparison.compare(left, relation, right, type: .mixed)
  }

  /// The values of one side: those that a path leads to, or the constant.
  private func values(_ operand: Operand) throws -> [Value] {
    switch operand {
    case .keyPath(let path):
      let found = try InMemoryPath(path, from: subject)
      if found.isToMany && comparison.modifier == nil && comparison.comparison != .isIn {
        throw PredicateError.invalidPredicate(
          "Key paths that include a collection property must use aggregate operations")
      }
      return found.values
    case .value(let value): return [value]
    case .number(let literal): return [literal.decimal]
    case .list(let elements): return [.list(try elements.flatMap { try values($0) })]
    case .detachedObject: return [.link(table: -1, row: -1)]
    case .region(let region): throw PredicateError.invalidValue("Cannot compare value '\(region)'")
    case .members:
      throw PredicateError.invalidValue("Only == and != compare a property with a custom value.")
    case .unsupported(let description, let type):
      throw PredicateError.invalidValue("Cannot compare value '\(description)' of type '\(type)'")
    case .subqueryCount(let collection, let predicate):
      let elements = try InMemoryPath(collection, from: subject).subjects
      return [.int(Int64(try elements.count { try predicate.matches($0) }))]
    }
  }

  /// The values of one side, a number as the other side's values are.
  private func values(_ operand: Operand, comparedWith others: [Value]) throws -> [Value] {
    guard case .number(let literal) = operand else { return try values(operand) }
    return [literal.value(comparedWith: others.first ?? .null)]
  }

  private func constants(_ operand: Operand, comparedWith others: [Value]) throws -> [Value]? {
    switch operand {
    case .list(let elements): try elements.flatMap { try values($0, comparedWith: others) }
    case .value(.list(let values)): values
    default: nil
    }
  }
}
