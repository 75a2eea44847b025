public import Foundation
public import Storage

/// A collection of objects or values whose kind is hidden.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  let base: AnyCollectionBase<Element>

  init(base: AnyCollectionBase<Element>) { self.base = base }

  /// The same elements as `base`, whatever kind of collection that is.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    self.base = (base as? AnyRealmCollection<Element>)?.base ?? HiddenCollection(base)
  }

  public static var _rlmName: String { "AnyRealmCollection" }
  public var realm: Realm? { base.realm }
  public var isInvalidated: Bool { base.isInvalidated }
  public var isFrozen: Bool { base.isFrozen }
  public var _rlmOrigin: _CollectionOrigin { base.origin }
  public var count: Int { base.count }
  public subscript(position: Int) -> Element { base.element(at: position) }
  public func makeIterator() -> RLMIterator<Element> { base.makeIterator() }
  public func index(of object: Element) -> Int? { base.index(of: object) }
  public func objects(at indexes: IndexSet) -> [Element] { base.objects(at: indexes) }
  public func value(forKey key: String) -> Any? { base.value(forKey: key) }
  public func value(forKeyPath keyPath: String) -> Any? { base.value(forKeyPath: keyPath) }
  public func setValue(_ value: Any?, forKey key: String) { base.setValue(value, forKey: key) }
  public func _rlmAggregate(_ operation: _Aggregate, _ property: String) -> StoredValue {
    base.aggregate(operation, property)
  }

  /// Whether both hide equal collections of the same kind.
  public static func == (lhs: AnyRealmCollection, rhs: AnyRealmCollection) -> Bool {
    lhs.base.isEqual(to: rhs.base)
  }
}

extension AnyRealmCollection: Encodable where Element: Encodable {}

class AnyCollectionBase<Element: RealmCollectionValue> {
  var realm: Realm? { fatalError("overridden") }
  var isInvalidated: Bool { fatalError("overridden") }
  var isFrozen: Bool { fatalError("overridden") }
  var origin: _CollectionOrigin { fatalError("overridden") }
  var count: Int { fatalError("overridden") }
  func element(at position: Int) -> Element { fatalError("overridden") }
  func makeIterator() -> RLMIterator<Element> { fatalError("overridden") }
  func index(of object: Element) -> Int? { fatalError("overridden") }
  func objects(at indexes: IndexSet) -> [Element] { fatalError("overridden") }
  func value(forKey key: String) -> Any? { fatalError("overridden") }
  func value(forKeyPath keyPath: String) -> Any? { fatalError("overridden") }
  func setValue(_ value: Any?, forKey key: String) { fatalError("overridden") }
  func aggregate(_ operation: _Aggregate, _ property: String) -> StoredValue { fatalError("overridden") }
  func isEqual(to other: AnyCollectionBase) -> Bool { fatalError("overridden") }
  func freeze() -> AnyCollectionBase { fatalError("overridden") }
  func thaw() -> AnyCollectionBase? { fatalError("overridden") }
  var relocation: _Relocation { fatalError("overridden") }
  /// Hides a collection of the same type, which a relocation has found.
  var rebuild: (Any) -> AnyCollectionBase? { fatalError("overridden") }
}

private final class HiddenCollection<C: RealmCollection>: AnyCollectionBase<C.Element> {
  private let base: C

  init(_ base: C) {
    self.base = base
  }

  override var realm: Realm? { base.realm }
  override var isInvalidated: Bool { base.isInvalidated }
  override var isFrozen: Bool { base.isFrozen }
  override var origin: _CollectionOrigin { base._rlmOrigin }
  override var count: Int { base.count }
  override func element(at position: Int) -> C.Element { base[position] }
  override func makeIterator() -> RLMIterator<C.Element> { base.makeIterator() }
  override func index(of object: C.Element) -> Int? { base.index(of: object) }
  override func objects(at indexes: IndexSet) -> [C.Element] { base.objects(at: indexes) }
  override func value(forKey key: String) -> Any? { base.value(forKey: key) }
  override func value(forKeyPath keyPath: String) -> Any? { base.value(forKeyPath: keyPath) }
  override func setValue(_ value: Any?, forKey key: String) { base.setValue(value, forKey: key) }
  override func aggregate(_ operation: _Aggregate, _ property: String) -> StoredValue {
    base._rlmAggregate(operation, property)
  }
  override func freeze() -> AnyCollectionBase<C.Element> { HiddenCollection(base.freeze()) }
  override func thaw() -> AnyCollectionBase<C.Element>? { base.thaw().map { HiddenCollection($0) } }
  override var relocation: _Relocation { base._rlmRelocation }
  override var rebuild: (Any) -> AnyCollectionBase<C.Element>? {
    { found in (found as? C).map { HiddenCollection($0) } }
  }
  override func isEqual(to other: AnyCollectionBase<C.Element>) -> Bool {
    (other as? HiddenCollection<C>).map { $0.base == base } ?? false
  }
}
