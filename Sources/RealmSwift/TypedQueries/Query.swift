import Foundation
import QueryEngine
import Storage

/// An expression of a typed query: a property, or a condition on properties.
///
/// ```swift
/// let roomy = huts.where { $0.beds >= 40 || ($0.visits.count == 0 && $0.warden != nil) }
/// ```
@dynamicMemberLookup
public struct Query<T> {
  let node: QueryNode

  init(_ node: QueryNode) { self.node = node }
  init(_ path: QueryPath) { node = .path(path) }

  /// The object, or the value, that the query is about.
  static var root: Query<T> { Query(QueryNode.itself) }

  var path: QueryPath {
    guard case .path(let path) = node else { trap("Cannot apply a keypath to a condition.") }
    return path
  }

  func appending<Other>(_ component: PropertyPath.Component) -> Query<Other> {
    Query<Other>(path.appending([component]))
  }

  /// A path with the properties that a key path reads appended.
  func appending<Root: ObjectBase, Other>(_ keyPath: KeyPath<Root, Other>) -> Query<Other> {
    let path = path
    if case .key? = path.components.last { trap("Cannot apply key path to Map subscripts.") }
    let reading = KeyPathRecorder.reading(of: keyPath, from: Root.self)
    return Query<Other>(
      path.appending(reading.components, isCollection: Query<Other>.isCollection(reading.property)))
  }

  /// Whether the values of a path are collections, which reads a property last. The property tells, if its values are of this
  /// type and nothing is computed from them: the runtime looks long for what a type conforms to.
  private static func isCollection(_ property: ClassProperty?) -> Bool {
    let kind =
      if let property, property.access.valueType == T.self {
        property.kind
      } else {
        (T.self as? any _RealmSchemaDiscoverable.Type)?._rlmKind
      }
    guard let kind else { return false }
    return kind.collection != .none || kind.type == .linkingObjects
  }

  /// A comparison with a constant, any Swift value that an argument of a predicate can be.
  func comparing(
    _ comparison: ComparisonOperator, _ constant: Any, options: StringOptions = []
  ) -> Query<Bool> {
    Query<Bool>(.comparison(node, comparison, .constant(constant), options))
  }

  /// A comparison with another property.
  func comparing<Other>(
    _ comparison: ComparisonOperator, property other: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    if node.isToMany && other.node.isToMany {
      trap("Comparing two collection columns is not permitted.")
    }
    return Query<Bool>(.comparison(node, comparison, other.node, options))
  }

  /// A comparison of some element of a collection of some size with both bounds.
  func isBetween(_ lower: Any, _ upper: Any) -> Query<Bool> { Query<Bool>(.between(node, lower, upper)) }

  func isIn(_ lower: Any, upTo upper: Any) -> Query<Bool> {
    Query<Bool>(
      .joined(comparing(.greaterOrEqual, lower).node, .and, comparing(.less, upper).node))
  }
}

// MARK: The text

extension Query {
  /// The start of a query, for tests.
  public static func _constructForTesting() -> Query<T> { root }

  /// The condition in predicate syntax with its arguments, for tests.
  public func _constructPredicate() -> (String, [Any]) {
    let text = QueryFormatString(node)
    return (text.text, text.arguments)
  }
}

/// Options for the comparison of strings.
public struct StringOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int8
  /// Creates options from bits.
  public init(rawValue: Int8) { self.rawValue = rawValue }

  /// Ignores case: `a` equals `A`, by Unicode's full case folding.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// Ignores diacritics: `a` equals `ä`.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)
}

// MARK: Properties

extension Query where T: ObjectBase {
  /// A property of the object.
  public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> { appending(member) }
}

extension Query where T: OptionalProtocol, T.Wrapped: ObjectBase {
  /// A property of the object.
  public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V> { appending(member) }
}

// MARK: Compounds

extension Query where T == Bool {
  /// Returns a condition that is true if the condition is false.
  public static prefix func ! (query: Query<Bool>) -> Query<Bool> { Query(query.node.negated) }
  /// Returns a condition that is true if both conditions are.
  public static func && (lhs: Query<Bool>, rhs: Query<Bool>) -> Query<Bool> {
    Query(.joined(lhs.node, .and, rhs.node))
  }
  /// Returns a condition that is true if at least one of the conditions is.
  public static func || (lhs: Query<Bool>, rhs: Query<Bool>) -> Query<Bool> {
    Query(.joined(lhs.node, .or, rhs.node))
  }

  /// The number of elements of a collection that satisfy the condition.
  ///
  /// ```swift
  /// let steep = realm.objects(Trail.self).where {
  ///   ($0.huts.altitude > 2_000 && $0.huts.beds > 50).count > 0
  /// }
  /// ```
  ///
  /// Stops the program unless a path of the condition starts with a collection of objects.
  public var count: Query<Int> {
    var collection: String?
    let inner = node.insideCollection(&collection)
    guard let collection else { trap("Subqueries must contain a keypath starting with a collection.") }
    return Query<Int>(.subqueryCount(collection: collection, inner))
  }
}
