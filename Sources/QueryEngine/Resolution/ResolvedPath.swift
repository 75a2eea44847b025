import Storage

/// A property path with every name looked up: steps to other rows, then what is asked at the end.
struct ResolvedPath {
  typealias Step = PathSource.Step
  typealias End = PathSource.End

  /// How many links a path can follow.
  static let linkLimit = 64

  var text: String
  var steps: [Step] = []
  var end: End
  /// The name of the last property, and of the class that has it.
  var propertyName = ""
  var className = ""
  /// The operation in the path, if any.
  var operation: CollectionOperation?
  /// The type that constants are compared with, and the table of links.
  var type: ValueType
  var target = -1
  var isNullable = true
  /// Whether it is a property whose words are indexed.
  var isFullText = false

  /// The type of the values at its end, which for an average is not that of the property.
  var comparedType: ValueType {
    if operation?.isAggregate == true, case .scalar(let source) = end { source.type } else { type }
  }

  /// Whether the path leads to any number of values.
  var isToMany: Bool { source.isToMany }

  /// The way to the values.
  var source: PathSource { PathSource(steps: steps, end: end) }

  /// Whether the value is one number, or date, of a whole collection.
  var isAggregate: Bool { operation == .count || operation?.isAggregate == true }

  /// The path as one value of the row, when it is.
  var propertySource: PropertySource? {
    guard case .scalar(let source) = end else { return nil }
    var links: [PropertySource.Link] = []
    for step in steps {
      guard case .link(let column, let target) = step else { return nil }
      links.append(PropertySource.Link(column: column, target: target))
    }
    return PropertySource(links: links, source: source)
  }

  /// The predicate that the value, or some value, at the end of the path satisfies a condition.
  func predicate(_ condition: ValueCondition) -> Predicate {
    // A null link on the way counts as a null value only where the path leads to exactly one.
    var whenNull = false
    if !isToMany, case .scalar(let source) = end {
      whenNull = condition.matches(source.valueBehindNullLink, type: source.type)
    }
    return behindSteps(endPredicate(condition), whenNull: whenNull)
  }

  /// The predicate that every value at the end of the path satisfies a condition, as it is when there are none.
  func universalPredicate(_ condition: ValueCondition) -> Predicate {
    .not(behindSteps(endPredicate(.negated(condition)), whenNull: false))
  }

  /// The predicate that a row, or some row, that the steps lead to satisfies another one.
  func behindSteps(_ inner: Predicate, whenNull: Bool) -> Predicate {
    steps.reversed().reduce(inner) { predicate, step in
      switch step {
      case .link(let column, let target):
        .throughLink(column: column, target: target, predicate, whenNull: whenNull)
      case .links(let source): .someTarget(source, predicate)
      }
    }
  }

  private func endPredicate(_ condition: ValueCondition) -> Predicate {
    switch end {
    case .scalar(let source): .value(source, condition)
    case .elements(let column, let part): .someElement(column: column, part, condition)
    case .backlinks(let table, let column):
      .someTarget(.backlinks(table: table, column: column), .value(.row(table: table), condition))
    case .nestedAny(let column, let steps): .someNested(column: column, steps, condition)
    }
  }
}
