import Storage

// A constant that is stored as an embedded object equals the objects that have the same in each property.
extension Resolver {
  func members(
    _ path: PropertyPath, _ comparison: ComparisonExpression, _ names: [String], _ values: [Operand]
  ) throws -> Predicate {
    let resolved = try paths.resolve(path, table: table)
    var isNegated: Bool
    switch comparison.comparison {
    case .equal: isNegated = false
    case .notEqual: isNegated = true
    case .isIn where resolved.isToMany: isNegated = false
    case let other: throw PredicateError.operatorNotSupported(other.rawValue, type: resolved.type.name)
    }
    guard resolved.type == .link, resolved.operation == nil || resolved.operation == .allValues else {
      throw PredicateError.invalidValue(
        "Cannot compare value of type 'Object' to property '\(resolved.propertyName)' of type '\(resolved.type.name)'"
      )
    }
    let target = Resolver(paths: paths, table: resolved.target, texts: texts)
    let isEqual = Predicate.and(
      try zip(names, values).map { name, value in
        try target.resolve(
          .comparison(ComparisonExpression(.keyPath(PropertyPath(properties: [name])), .equal, value)))
      })
    if comparison.comparison != .isIn { try checkModifier(comparison.modifier, resolved) }
    switch resolved.end {
    case .scalar(.row):
      return isNegated ? .not(isEqual) : isEqual
    case .scalar(.column(let column, _)):
      // Null is unequal to every value.
      if comparison.modifier == .all { isNegated.toggle() }
      let isMatching = Predicate.throughLink(
        column: column, target: resolved.target, isNegated ? .not(isEqual) : isEqual, whenNull: isNegated)
      let found = resolved.behindSteps(isMatching, whenNull: isNegated && !resolved.isToMany)
      return comparison.modifier == .all ? .not(found) : found
    case .elements(let column, _):
      let source = LinkSource.collection(column: column, target: resolved.target)
      let found = resolved.behindSteps(.someTarget(source, isEqual), whenNull: false)
      if !isNegated && comparison.modifier != .all { return found }
      // That no element is equal; for ANY there must be one.
      let none = Predicate.not(found)
      if isNegated && comparison.modifier == .all { return none }
      if isNegated {
        return .and([resolved.behindSteps(.someTarget(source, .constant(true)), whenNull: false), none])
      }
      return .not(resolved.behindSteps(.someTarget(source, .not(isEqual)), whenNull: false))
    case .scalar, .backlinks, .nestedAny:
      throw PredicateError.invalidPredicate("Only embedded objects can be compared with a custom value.")
    }
  }
}
