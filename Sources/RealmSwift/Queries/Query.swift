import Foundation
import QueryEngine
import Storage

/// An expression of a typed query: a property, or a condition on properties.
///
///     realm.objects(Dog.self).where { $0.age < 2 && $0.name.starts(with: "Wo") }
@dynamicMemberLookup
public struct Query<T> {
  enum Content {
    case path(PropertyPath, isToMany: Bool)
    case predicate(PredicateExpression)
    case subqueryCount(collection: PropertyPath, PredicateExpression)
  }

  let content: Content

  init(_ content: Content) { self.content = content }

  /// The object, or the value, that the query is about.
  static var root: Query<T> { Query(.path(.itself, isToMany: false)) }

  /// One side of a comparison.
  var operand: Operand {
    switch content {
    case .path(let path, _): .keyPath(path)
    case .subqueryCount(let collection, let predicate):
      .subqueryCount(collection: collection, predicate: predicate)
    case .predicate: trap("A condition can not be compared.")
    }
  }

  var isToMany: Bool {
    if case .path(_, true) = content { true } else { false }
  }

  var path: PropertyPath {
    guard case .path(let path, _) = content else { trap("Cannot apply a keypath to a condition.") }
    return path
  }

  func appending<Other>(_ component: PropertyPath.Component, isToMany: Bool = false) -> Query<Other> {
    Query<Other>(.path(PropertyPath(path.components + [component]), isToMany: self.isToMany || isToMany))
  }

  /// A path with the properties that a key path reads appended.
  func appending<Root: ObjectBase, Other>(_ keyPath: KeyPath<Root, Other>) -> Query<Other> {
    if case .key? = path.components.last { trap("Cannot apply key path to Map subscripts.") }
    let names = _name(for: keyPath).split(separator: ".").map { PropertyPath.Component.property(String($0)) }
    return Query<Other>(
      .path(PropertyPath(path.components + names), isToMany: isToMany || Query<Other>.isCollection))
  }

  private static var isCollection: Bool {
    guard let kind = (T.self as? any _RealmSchemaDiscoverable.Type)?._rlmKind else { return false }
    return kind.collection != .none || kind.type == .linkingObjects
  }

  func comparing(
    _ comparison: ComparisonOperator, _ right: Operand, options: StringOptions = [],
    isToMany other: Bool = false
  ) -> Query<Bool> {
    Query<Bool>(
      .predicate(
        .comparison(
          ComparisonExpression(
            operand, comparison, right, options: .init(rawValue: options.rawValue),
            modifier: isToMany || other ? .any : nil))))
  }

  func comparing<Other>(
    _ comparison: ComparisonOperator, _ right: Query<Other>, options: StringOptions = []
  ) -> Query<Bool> {
    if isToMany && right.isToMany { trap("Comparing two collection columns is not permitted.") }
    return comparing(comparison, right.operand, options: options, isToMany: right.isToMany)
  }
}

/// How strings are compared.
public struct StringOptions: OptionSet, Sendable {
  public let rawValue: Int8
  public init(rawValue: Int8) { self.rawValue = rawValue }

  public static let caseInsensitive = StringOptions(rawValue: 1)
  public static let diacriticInsensitive = StringOptions(rawValue: 2)
}

// MARK: Properties

extension Query where T: ObjectBase {
  public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> { appending(member) }
}

/// An optional of any type, to constrain extensions to optional properties.
public protocol _RealmOptionalType {
  associatedtype Wrapped
}

extension Optional: _RealmOptionalType {}

extension Query where T: _RealmOptionalType, T.Wrapped: ObjectBase {
  public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V> { appending(member) }
}

// MARK: Conditions

extension Query {
  public static func == (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.equal, Operand(rhs)) }
  public static func != (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.notEqual, Operand(rhs)) }
  public static func == (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> { lhs.comparing(.equal, rhs) }
  public static func != (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> { lhs.comparing(.notEqual, rhs) }

  /// Whether the value is one of several.
  public func `in`<S: Sequence>(_ values: S) -> Query<Bool> where S.Element == T {
    comparing(.isIn, .list(values.map { Operand($0) }))
  }
}

/// Types whose values have an order in queries.
public protocol _QueryOrdered {}
extension Int: _QueryOrdered {}
extension Int8: _QueryOrdered {}
extension Int16: _QueryOrdered {}
extension Int32: _QueryOrdered {}
extension Int64: _QueryOrdered {}
extension Float: _QueryOrdered {}
extension Double: _QueryOrdered {}
extension Decimal128: _QueryOrdered {}
extension Date: _QueryOrdered {}
extension String: _QueryOrdered {}
extension Data: _QueryOrdered {}
extension AnyRealmValue: _QueryOrdered {}
extension Optional: _QueryOrdered where Wrapped: _QueryOrdered {}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryOrdered {
  public static func < (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.less, Operand(rhs)) }
  public static func <= (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.lessOrEqual, Operand(rhs)) }
  public static func > (lhs: Query<T>, rhs: T) -> Query<Bool> { lhs.comparing(.greater, Operand(rhs)) }
  public static func >= (lhs: Query<T>, rhs: T) -> Query<Bool> {
    lhs.comparing(.greaterOrEqual, Operand(rhs))
  }
  public static func < (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> { lhs.comparing(.less, rhs) }
  public static func <= (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> { lhs.comparing(.lessOrEqual, rhs) }
  public static func > (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> { lhs.comparing(.greater, rhs) }
  public static func >= (lhs: Query<T>, rhs: Query<T>) -> Query<Bool> { lhs.comparing(.greaterOrEqual, rhs) }
}

extension Query where T: Comparable {
  /// Whether the value lies in the range.
  public func contains(_ range: Range<T>) -> Query<Bool> {
    Query<Bool>(
      .predicate(
        .and([
          comparing(.greaterOrEqual, Operand(range.lowerBound)).expression,
          comparing(.less, Operand(range.upperBound)).expression,
        ])))
  }

  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    comparing(.between, .list([Operand(range.lowerBound), Operand(range.upperBound)]))
  }
}

extension Query where T: _RealmOptionalType, T.Wrapped: Comparable {
  /// Whether there is a value and it lies in the range.
  public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
    Query<Bool>(
      .predicate(
        .and([
          comparing(.greaterOrEqual, Operand(range.lowerBound)).expression,
          comparing(.less, Operand(range.upperBound)).expression,
        ])))
  }

  public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
    comparing(.between, .list([Operand(range.lowerBound), Operand(range.upperBound)]))
  }
}

extension Query where T == Bool {
  /// The condition; a Bool property by itself means that it is true.
  var expression: PredicateExpression {
    switch content {
    case .predicate(let expression): expression
    case .path, .subqueryCount: comparing(.equal, .value(.bool(true))).expression
    }
  }

  public static prefix func ! (query: Query<Bool>) -> Query<Bool> {
    Query(.predicate(.not(query.expression)))
  }
  public static func && (lhs: Query<Bool>, rhs: Query<Bool>) -> Query<Bool> {
    Query(.predicate(.and([lhs.expression, rhs.expression])))
  }
  public static func || (lhs: Query<Bool>, rhs: Query<Bool>) -> Query<Bool> {
    Query(.predicate(.or([lhs.expression, rhs.expression])))
  }

  /// In how many elements of a collection the condition holds.
  public var count: Query<Int> {
    var collection: PropertyPath?
    let inner = expression.insideCollection(&collection)
    guard let collection else { trap("Subqueries must contain a keypath starting with a collection.") }
    return Query<Int>(.subqueryCount(collection: collection, inner))
  }
}

// MARK: Strings

/// Types that the operators for strings apply to.
public protocol _QueryText {}
extension String: _QueryText {}
extension Data: _QueryText {}
extension AnyRealmValue: _QueryText {}
extension Optional: _QueryText where Wrapped: _QueryText {}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryText {
  /// Whether the string matches a pattern of `?`, any character, and `*`, any characters.
  public func like(_ pattern: T, caseInsensitive: Bool = false) -> Query<Bool> {
    comparing(.like, Operand(pattern), options: caseInsensitive ? [.caseInsensitive] : [])
  }
  public func like(_ pattern: Query<T>, caseInsensitive: Bool = false) -> Query<Bool> {
    comparing(.like, pattern, options: caseInsensitive ? [.caseInsensitive] : [])
  }
  public func contains(_ part: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.contains, Operand(part), options: options)
  }
  public func contains(_ part: Query<T>, options: StringOptions = []) -> Query<Bool> {
    comparing(.contains, part, options: options)
  }
  public func starts(with part: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.beginsWith, Operand(part), options: options)
  }
  public func starts(with part: Query<T>, options: StringOptions = []) -> Query<Bool> {
    comparing(.beginsWith, part, options: options)
  }
  public func ends(with part: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.endsWith, Operand(part), options: options)
  }
  public func ends(with part: Query<T>, options: StringOptions = []) -> Query<Bool> {
    comparing(.endsWith, part, options: options)
  }
  public func equals(_ other: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.equal, Operand(other), options: options)
  }
  public func equals(_ other: Query<T>, options: StringOptions = []) -> Query<Bool> {
    comparing(.equal, other, options: options)
  }
  public func notEquals(_ other: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.notEqual, Operand(other), options: options)
  }
  public func notEquals(_ other: Query<T>, options: StringOptions = []) -> Query<Bool> {
    comparing(.notEqual, other, options: options)
  }
}
