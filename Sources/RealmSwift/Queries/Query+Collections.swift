import Foundation
import QueryEngine
import Storage

// Queries on collections: comparisons ask whether any element satisfies them.

extension Query where T: RealmCollection {
  /// The number of elements.
  public var count: Query<Int> {
    Query<Int>(.path(PropertyPath(path.components + [.operation(.count)]), isToMany: false))
  }

  public static func == (lhs: Query<T>, rhs: T.Element) -> Query<Bool> { lhs.comparing(.equal, Operand(rhs)) }
  public static func != (lhs: Query<T>, rhs: T.Element) -> Query<Bool> {
    lhs.comparing(.notEqual, Operand(rhs))
  }

  /// Whether the value is one of the elements.
  public func contains(_ element: T.Element) -> Query<Bool> {
    Query<Bool>(.predicate(.comparison(ComparisonExpression(Operand(element), .isIn, operand))))
  }

  /// Whether any of the values is an element.
  public func containsAny<S: Sequence>(in values: S) -> Query<Bool> where S.Element == T.Element {
    comparing(.isIn, .list(values.map { Operand($0) }))
  }

  func aggregate<Result>(_ operation: CollectionOperation) -> Query<Result> {
    Query<Result>(.path(PropertyPath(path.components + [.operation(operation)]), isToMany: false))
  }
}

extension Query where T: RealmCollection, T.Element: ObjectBase {
  /// A property of the elements.
  public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V> {
    let property: Query<V> = appending(member)
    return Query<V>(.path(property.path, isToMany: true))
  }
}

extension Query
where T: RealmCollection, T.Element: _HasPersistedType, T.Element.PersistedType: _QueryOrdered {
  public static func < (lhs: Query<T>, rhs: T.Element) -> Query<Bool> { lhs.comparing(.less, Operand(rhs)) }
  public static func <= (lhs: Query<T>, rhs: T.Element) -> Query<Bool> {
    lhs.comparing(.lessOrEqual, Operand(rhs))
  }
  public static func > (lhs: Query<T>, rhs: T.Element) -> Query<Bool> {
    lhs.comparing(.greater, Operand(rhs))
  }
  public static func >= (lhs: Query<T>, rhs: T.Element) -> Query<Bool> {
    lhs.comparing(.greaterOrEqual, Operand(rhs))
  }

  /// The smallest element.
  public var min: Query<T.Element> { aggregate(.minimum) }
  /// The largest element.
  public var max: Query<T.Element> { aggregate(.maximum) }
  /// The average of the elements.
  public var avg: Query<T.Element> { aggregate(.average) }
  /// The sum of the elements.
  public var sum: Query<T.Element> { aggregate(.sum) }
}

extension Query where T: RealmCollection, T.Element: Comparable {
  /// Whether all elements lie in the range.
  public func contains(_ range: Range<T.Element>) -> Query<Bool> {
    let (smallest, largest): (Query<T.Element>, Query<T.Element>) = (aggregate(.minimum), aggregate(.maximum))
    return Query<Bool>(
      .predicate(
        .and([
          smallest.comparing(.greaterOrEqual, Operand(range.lowerBound)).expression,
          largest.comparing(.less, Operand(range.upperBound)).expression,
        ])))
  }

  public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> {
    let (smallest, largest): (Query<T.Element>, Query<T.Element>) = (aggregate(.minimum), aggregate(.maximum))
    return Query<Bool>(
      .predicate(
        .and([
          smallest.comparing(.greaterOrEqual, Operand(range.lowerBound)).expression,
          largest.comparing(.lessOrEqual, Operand(range.upperBound)).expression,
        ])))
  }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryOrdered {
  /// The smallest value of the property among the elements of a collection of objects.
  public var min: Query<T> { elementAggregate(.minimum) }
  /// The largest value of the property among the elements of a collection of objects.
  public var max: Query<T> { elementAggregate(.maximum) }
  /// The average of the property over the elements of a collection of objects.
  public var avg: Query<T> { elementAggregate(.average) }
  /// The sum of the property over the elements of a collection of objects.
  public var sum: Query<T> { elementAggregate(.sum) }

  private func elementAggregate(_ operation: CollectionOperation) -> Query<T> {
    var components = path.components
    components.insert(.operation(operation), at: Swift.min(1, components.count))
    return Query(.path(PropertyPath(components), isToMany: false))
  }
}

extension Query where T: RealmKeyedCollection {
  /// The number of entries.
  public var count: Query<Int> {
    Query<Int>(.path(PropertyPath(path.components + [.operation(.count)]), isToMany: false))
  }

  /// The keys; comparisons ask whether any of them satisfies them.
  public var keys: Query<String> { appending(.operation(.allKeys), isToMany: true) }
  /// The values; comparisons ask whether any of them satisfies them.
  public var values: Query<T.Value> { appending(.operation(.allValues), isToMany: true) }

  /// The value of a key; null when there is none.
  public subscript(key: T.Key) -> Query<T.Value> {
    Query<T.Value>(.path(PropertyPath(path.components + [.key("\(key)")]), isToMany: false))
  }

  /// Whether the value is one of the map's values.
  public func contains(_ value: T.Value) -> Query<Bool> {
    Query<Bool>(.predicate(.comparison(ComparisonExpression(Operand(value), .isIn, operand))))
  }

  /// Whether any of the values is one of the map's.
  public func containsAny<S: Sequence>(in values: S) -> Query<Bool> where S.Element == T.Value {
    comparing(.isIn, .list(values.map { Operand($0) }))
  }
}

extension PredicateExpression {
  /// The expression as it reads from inside one element: the first name of its collection paths is removed.
  func insideCollection(_ collection: inout PropertyPath?) -> PredicateExpression {
    switch self {
    case .constant: return self
    case .and(let operands): return .and(operands.map { $0.insideCollection(&collection) })
    case .or(let operands): return .or(operands.map { $0.insideCollection(&collection) })
    case .not(let operand): return .not(operand.insideCollection(&collection))
    case .comparison(var comparison):
      let isAny = comparison.modifier == .any
      if isAny { comparison.modifier = nil }
      comparison.left = comparison.left.insideCollection(&collection, isCollection: isAny)
      comparison.right = comparison.right.insideCollection(&collection, isCollection: isAny)
      return .comparison(comparison)
    }
  }
}

extension Operand {
  fileprivate func insideCollection(_ collection: inout PropertyPath?, isCollection: Bool) -> Operand {
    guard case .keyPath(let path) = self, isCollection, let first = path.components.first else { return self }
    collection = PropertyPath([first])
    return .keyPath(PropertyPath(Array(path.components.dropFirst())))
  }
}
