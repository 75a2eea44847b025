public import Foundation
public import Storage

/// A type-erased collection of objects or values.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  let base: any HidingCollection<Element>

  init(base: any HidingCollection<Element>) { self.base = base }

  /// Creates a type-erased collection with the elements of `base`.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    self.base = (base as? AnyRealmCollection<Element>)?.base ?? HiddenCollection(base)
  }

  /// For `RealmCollection`: the name of the collection in descriptions and messages.
  public static var _rlmName: String { "AnyRealmCollection" }
  /// The realm that manages the collection; nil for an unmanaged collection.
  public var realm: Realm? { base.realm }
  /// Whether the collection can no longer be used, because its object was deleted or its realm invalidated.
  public var isInvalidated: Bool { base.isInvalidated }
  /// Whether the collection belongs to a frozen realm and never changes.
  public var isFrozen: Bool { base.isFrozen }
  /// For `RealmCollection`: where the elements come from.
  public var _rlmOrigin: _CollectionOrigin { base.origin }
  /// The number of elements.
  public var count: Int { base.count }
  /// The element at a position. Stops the program if the position is out of bounds.
  public subscript(position: Int) -> Element { base.element(at: position) }
  /// Returns an iterator over the elements that the collection has now.
  public func makeIterator() -> RLMIterator<Element> { base.makeIterator() }
  /// Returns the position of an element, or nil if the collection does not contain it.
  public func index(of object: Element) -> Int? { base.index(of: object) }
  /// Returns the elements at the given positions.
  public func objects(at indexes: IndexSet) -> [Element] { base.objects(at: indexes) }
  /// Returns the values that the elements have for a key.
  public func value(forKey key: String) -> Any? { base.value(forKey: key) }
  /// Returns the values that the elements have at a key path, or an aggregate of them such as `@sum.age`.
  public func value(forKeyPath keyPath: String) -> Any? { base.value(forKeyPath: keyPath) }
  /// Sets the value of a key for all elements.
  public func setValue(_ value: Any?, forKey key: String) { base.setValue(value, forKey: key) }
  /// For the collection's protocol: an aggregate of a property of the elements; null when there is none.
  public func _rlmAggregate(_ operation: _Aggregate, _ property: String) -> StoredValue {
    base.aggregate(operation, property)
  }

  /// Returns whether both wrap equal collections of the same type.
  public static func == (lhs: AnyRealmCollection, rhs: AnyRealmCollection) -> Bool {
    lhs.base.isEqual(to: rhs.base)
  }
}

extension AnyRealmCollection: Encodable where Element: Encodable {}

/// A collection of some kind whose elements alone are known.
protocol HidingCollection<Element>: AnyObject {
  associatedtype Element: RealmCollectionValue
  var realm: Realm? { get }
  var isInvalidated: Bool { get }
  var isFrozen: Bool { get }
  var origin: _CollectionOrigin { get }
  var count: Int { get }
  func element(at position: Int) -> Element
  func makeIterator() -> RLMIterator<Element>
  func index(of object: Element) -> Int?
  func objects(at indexes: IndexSet) -> [Element]
  func value(forKey key: String) -> Any?
  func value(forKeyPath keyPath: String) -> Any?
  func setValue(_ value: Any?, forKey key: String)
  func aggregate(_ operation: _Aggregate, _ property: String) -> StoredValue
  func isEqual(to other: any HidingCollection<Element>) -> Bool
  func freeze() -> any HidingCollection<Element>
  func thaw() -> (any HidingCollection<Element>)?
  var relocation: _Relocation { get }
  /// Hides a collection of the same type, which a relocation has found.
  var rebuild: (Any) -> (any HidingCollection<Element>)? { get }
}

private final class HiddenCollection<C: RealmCollection>: HidingCollection {
  private let base: C

  init(_ base: C) {
    self.base = base
  }

  var realm: Realm? { base.realm }
  var isInvalidated: Bool { base.isInvalidated }
  var isFrozen: Bool { base.isFrozen }
  var origin: _CollectionOrigin { base._rlmOrigin }
  var count: Int { base.count }
  func element(at position: Int) -> C.Element { base[position] }
  func makeIterator() -> RLMIterator<C.Element> { base.makeIterator() }
  func index(of object: C.Element) -> Int? { base.index(of: object) }
  func objects(at indexes: IndexSet) -> [C.Element] { base.objects(at: indexes) }
  func value(forKey key: String) -> Any? { base.value(forKey: key) }
  func value(forKeyPath keyPath: String) -> Any? { base.value(forKeyPath: keyPath) }
  func setValue(_ value: Any?, forKey key: String) { base.setValue(value, forKey: key) }
  func aggregate(_ operation: _Aggregate, _ property: String) -> StoredValue {
    base._rlmAggregate(operation, property)
  }
  func freeze() -> any HidingCollection<C.Element> { HiddenCollection(base.freeze()) }
  func thaw() -> (any HidingCollection<C.Element>)? { base.thaw().map { HiddenCollection($0) } }
  var relocation: _Relocation { base._rlmRelocation }
  var rebuild: (Any) -> (any HidingCollection<C.Element>)? {
    { found in (found as? C).map { HiddenCollection($0) } }
  }
  func isEqual(to other: any HidingCollection<C.Element>) -> Bool {
    (other as? HiddenCollection<C>).map { $0.base == base } ?? false
  }
}
