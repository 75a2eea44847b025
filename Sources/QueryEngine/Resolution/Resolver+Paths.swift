import Storage

// Comparisons of two properties, of which one may lead through a collection.
extension Resolver {
  func properties(
    _ left: PropertyPath, _ right: PropertyPath, _ comparison: ComparisonExpression
  ) throws -> Predicate {
    let left = try paths.resolve(left, table: table)
    let right = try paths.resolve(right, table: table)
    guard let leftSource = left.propertySource, let rightSource = right.propertySource else {
      return try collections(left, right, comparison)
    }
    if comparison.modifier != nil {
      throw PredicateError.invalidPredicate(
        "Aggregate operations can only be used on key paths that include an collection property")
    }
    switch try test(left, right, comparison.comparison, comparison.options) {
    case .relation(let operation, _): return .properties(leftSource, operation, rightSource)
    case .text(let operation, let options):
      if case .mapValue = leftSource.source {
        throw PredicateError.unsupported(
          "String comparisons on a Dictionary and another property are only implemented for AnyRealmValue properties."
        )
      }
      return .propertyText(leftSource, operation, options, rightSource)
    }
  }

  /// `ANY collection == property`, `property IN collection`, and the same through links.
  private func collections(
    _ left: ResolvedPath, _ right: ResolvedPath, _ comparison: ComparisonExpression
  ) throws -> Predicate {
    if left.isToMany && right.isToMany {
      throw PredicateError.invalidPredicate("Comparing two collection columns is not permitted.")
    }
    var operation = comparison.comparison
    if operation == .isIn, right.isToMany, comparison.modifier == nil {
      operation = .equal
    } else if comparison.modifier == nil, left.isToMany || right.isToMany {
      throw PredicateError.invalidPredicate(
        "Key paths that include a collection property must use aggregate operations")
    }
    return .paths(
      PathComparison(
        left: left.source, test: try test(left, right, operation, comparison.options), right: right.source,
        isUniversal: comparison.modifier == .all))
  }

  /// What an operator asks of a value of each path.
  private func test(
    _ left: ResolvedPath, _ right: ResolvedPath, _ comparison: ComparisonOperator, _ options: StringOptions
  ) throws -> PathComparison.Test {
    switch comparison {
    case .isIn:
      throw PredicateError.invalidPredicate(
        "Predicate with IN operator must compare a KeyPath with an aggregate")
    case .between:
      throw PredicateError.invalidPredicate(
        "Predicate with BETWEEN operator must compare a KeyPath with an aggregate with two values")
    case .fullText: throw PredicateError.searchNotConstant
    default: break
    }
    let type = try commonType(left, right)
    try ConditionResolver(path: left, comparison: comparison, options: options, paths: paths, texts: texts)
      .checkOperator(type: type)
    if type.isText, let operation = TextOperator(comparison),
      operation != .equal && operation != .notEqual || !options.isEmpty
    {
      return .text(operation, options)
    }
    guard let operation = RelationalOperator(comparison) else {
      throw PredicateError.operatorNotSupported(comparison.rawValue, type: type.name)
    }
    return .relation(operation, left.comparedType == right.comparedType ? left.comparedType : .mixed)
  }

  /// The type that decides which operators the two paths have.
  private func commonType(_ left: ResolvedPath, _ right: ResolvedPath) throws -> ValueType {
    guard left.isAggregate || right.isAggregate else {
      if left.type != right.type {
        throw PredicateError(
          "RLMPropertiesComparisonTypeMismatchException",
          "Property type mismatch between \(left.type.name) and \(right.type.name)")
      }
      return left.type
    }
    let (aggregate, other) = left.isAggregate ? (left, right) : (right, left)
    if left.operation == .count || right.operation == .count {
      if !left.type.isNumeric || !right.type.isNumeric {
        throw PredicateError("Invalid operand", "@count can only be compared with a numeric value.")
      }
    } else if other.type != aggregate.type && !(other.type.isNumeric && aggregate.type.isNumeric) {
      throw PredicateError(
        "Invalid operand",
        "\(aggregate.operation!.rawValue) on a property of type \(aggregate.type.name) cannot be compared with property of type '\(other.type.name)'"
      )
    }
    return aggregate.type
  }
}
