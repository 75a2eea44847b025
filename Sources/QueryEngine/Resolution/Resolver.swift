package import Storage

/// Looks up every name of an expression and fits its constants to the columns.
///
/// - Parameters:
///   - table: The table whose rows the predicate is about.
///   - lookup: Finds properties by their names in the class; by default the columns' names.
///   - texts: Reads strings that are compared with dates, object ids and UUIDs; by default that is an error.
/// - Throws: `PredicateError` for unknown properties, types that do not fit and operators that the type does
///   not have.
package func resolve(
  _ expression: PredicateExpression, table: Int, catalogue: Catalogue, lookup: PropertyLookup? = nil,
  texts: TextConstants = .refused
) throws -> Predicate {
  // Not with `??`, which wraps closures in others.
  let names: PropertyLookup = if let lookup { lookup } else { catalogue.columnLookup }
  return try Resolver(
    paths: PathResolver(catalogue: catalogue, lookup: names), table: table, texts: texts
  ).resolve(expression)
}

extension Predicate {
  /// The comparison of a column's values with a constant that fits; nil for what is wrong, and for columns of links, mixed
  /// values and collections, of which more has to be known.
  package init?(
    column: Int, ofTable table: Int, _ catalogue: Catalogue, _ comparison: ComparisonOperator,
    _ constant: Value
  ) {
    let columns = catalogue.tables[table].columns
    let type = columns[column].type
    guard let operation = RelationalOperator(comparison), columns[column].collection == .none, type != .link,
      type != .mixed, !comparison.isOrdering || type.isOrdered || type.isText,
      let fitted = ConstantConversion.convert(constant, to: type)
    else { return nil }
    self = .value(.column(column, type), .compare(operation, fitted))
  }
}

/// Resolves expressions about one table's rows.
struct Resolver {
  let paths: PathResolver
  let table: Int
  var texts: TextConstants

  func resolve(_ expression: PredicateExpression) throws -> Predicate {
    switch expression {
    case .constant(let answer): return .constant(answer)
    case .and(let operands): return .and(try operands.map(resolve))
    case .or(let operands): return .or(try operands.map(resolve))
    case .not(let operand): return .not(try resolve(operand))
    case .comparison(let comparison):
      let predicate = try resolve(comparison)
      return comparison.modifier == .some(.none) ? .not(predicate) : predicate
    }
  }

  func resolve(_ comparison: ComparisonExpression) throws -> Predicate {
    if let searched = try comparison.pathsOfSeveralTexts() {
      let search = try comparison.preparedSearch()
      return try SearchedTexts(searched, table: table, paths).predicate(search.text)
    }
    switch (comparison.left, comparison.right) {
    case (.keyPath(let path), .members(let names, let values)),
      (.members(let names, let values), .keyPath(let path)):
      return try members(path, comparison, names, values)
    case (.subqueryCount(let collection, let inner), let other):
      return try subquery(collection, inner, comparison.comparison, other)
    case (let other, .subqueryCount(let collection, let inner)):
      guard let exchanged = comparison.comparison.exchanged else { throw Self.subqueryError }
      return try subquery(collection, inner, exchanged, other)
    case (.keyPath(let left), .keyPath(let right)):
      return try properties(left, right, comparison)
    case (.keyPath(let path), let constant):
      if let plain = plainComparison(path, comparison, constant) { return plain }
      let resolved = try paths.resolve(path, table: table)
      try checkModifier(comparison.modifier, resolved)
      if comparison.comparison == .isIn, case .region(let region) = constant {
        return try resolved.predicate(
          within: region, isUniversal: comparison.modifier == .all, catalogue: paths.catalogue)
      }
      let condition = try ConditionResolver(
        path: resolved, comparison: comparison.comparison, options: comparison.options, paths: paths,
        texts: texts
      ).condition(constant)
      return predicate(resolved, condition, comparison.modifier)
    case (let constant, .keyPath(let path)):
      return try exchanged(constant, path, comparison)
    default:
      throw PredicateError(
        "Invalid predicate expressions",
        "Predicate expressions must compare a keypath and another keypath or a constant value")
    }
  }

  /// A comparison of a value of the row itself with a constant that fits, as most are: the same predicate without a path.
  /// nil for all others, and for what is wrong.
  private func plainComparison(
    _ path: PropertyPath, _ comparison: ComparisonExpression, _ constant: Operand
  ) -> Predicate? {
    guard comparison.modifier == nil, comparison.options.isEmpty, path.components.count == 1,
      case .property(let name) = path.components[0], case .value(let value) = constant,
      case .column(let column)? = paths.lookup(table, name)
    else { return nil }
    return Predicate(column: column, ofTable: table, paths.catalogue, comparison.comparison, value)
  }

  /// A comparison whose constant was written first.
  private func exchanged(
    _ constant: Operand, _ path: PropertyPath, _ comparison: ComparisonExpression
  ) throws -> Predicate {
    let resolved = try paths.resolve(path, table: table)
    if comparison.comparison == .isIn {
      guard resolved.isToMany else {
        throw PredicateError.invalidPredicate(
          "Predicate with IN operator must compare a KeyPath with an aggregate")
      }
      let condition = try ConditionResolver(
        path: resolved, comparison: .equal, options: [], paths: paths, texts: texts
      ).condition(constant)
      return resolved.predicate(condition)
    }
    guard let operation = comparison.comparison.exchanged else {
      if comparison.comparison == .between {
        throw PredicateError.invalidPredicate(
          "Predicate with BETWEEN operator must compare a KeyPath with an aggregate with two values")
      }
      throw PredicateError.unsupported(
        "Operator '\(comparison.comparison.rawValue)' requires a keypath on the left side.")
    }
    try checkModifier(comparison.modifier, resolved)
    let condition = try ConditionResolver(
      path: resolved, comparison: operation, options: comparison.options, paths: paths, texts: texts
    ).condition(constant)
    return predicate(resolved, condition, comparison.modifier)
  }

  private func predicate(
    _ path: ResolvedPath, _ condition: ValueCondition, _ modifier: ElementModifier?
  ) -> Predicate {
    modifier == .all ? path.universalPredicate(condition) : path.predicate(condition)
  }

  func checkModifier(_ modifier: ElementModifier?, _ path: ResolvedPath) throws {
    if modifier == nil && path.isToMany {
      throw PredicateError.invalidPredicate(
        "Key paths that include a collection property must use aggregate operations")
    }
    if modifier != nil && !path.isToMany {
      throw PredicateError.invalidPredicate(
        "Aggregate operations can only be used on key paths that include an collection property")
    }
  }

  // MARK: Subqueries

  private static let subqueryError = PredicateError(
    "Invalid predicate expression",
    "SUBQUERY(…).@count is only supported when compared with a constant number.")

  private func subquery(
    _ collection: PropertyPath, _ inner: PredicateExpression, _ comparison: ComparisonOperator,
    _ other: Operand
  ) throws -> Predicate {
    let constant: Value
    switch other {
    case .value(let value): constant = value
    case .number(let literal): constant = literal.decimal
    default: throw Self.subqueryError
    }
    guard let operation = RelationalOperator(comparison), constant.isNumber else { throw Self.subqueryError }
    let path = try paths.resolve(collection, table: table)
    let source: LinkSource
    switch path.end {
    case .elements(let column, .values(.link)): source = .collection(column: column, target: path.target)
    case .backlinks(let origin, let column): source = .backlinks(table: origin, column: column)
    default:
      throw PredicateError.invalidPredicate(
        "SUBQUERY is only supported on collections of objects, not on '\(path.text)'.")
    }
    let condition = ValueCondition.compare(operation, constant)
    let innerPredicate = try Resolver(paths: paths, table: source.table, texts: texts).resolve(inner)
    var predicate = Predicate.targetCount(source, innerPredicate, condition)
    for step in path.steps.reversed() {
      guard case .link(let column, let target) = step else {
        throw PredicateError.invalidPredicate(
          "Key paths that include a collection property must use aggregate operations")
      }
      predicate = .throughLink(
        column: column, target: target, predicate, whenNull: condition.matches(.int(0), type: .int))
    }
    return predicate
  }
}

extension Value {
  var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal128: true
    default: false
    }
  }
}
