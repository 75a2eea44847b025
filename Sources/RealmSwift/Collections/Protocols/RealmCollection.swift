public import Foundation
public import Storage

/// The common base of ordered collections.
///
/// It is a lazy collection: `map`, `filter` with a closure and similar methods compute their elements when
/// these are read.
public protocol RealmCollectionBase: RandomAccessCollection, LazyCollectionProtocol, CustomStringConvertible,
  ThreadConfined
where Element: RealmCollectionValue {
  /// The former name of `Element`.
  typealias ElementType = Element
}

/// An aggregate of the elements of a collection.
public enum _Aggregate: Sendable {
  case minimum, maximum, sum, average
}

/// An ordered collection of objects or values: `Results`, `List`, `MutableSet`, `LinkingObjects` or
/// `AnyRealmCollection`.
public protocol RealmCollection: RealmCollectionBase, Equatable where Iterator == RLMIterator<Element> {
  /// The number of elements.
  var count: Int { get }
  /// The elements, each with its position.
  var description: String { get }

  /// The element at a position. Stops the program if the position is out of bounds.
  subscript(position: Int) -> Element { get }

  /// Returns the position of the first element that is equal to `object`, or nil.
  func index(of object: Element) -> Int?

  /// Returns the position of the first element that satisfies a predicate, or nil.
  func index(matching predicate: NSPredicate) -> Int?
  /// Returns the position of the first element that satisfies a condition in predicate syntax, or nil.
  func index(matching predicateFormat: String, _ args: Any...) -> Int?

  /// Returns the objects that satisfy a condition in predicate syntax.
  func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element>
  /// Returns the objects that satisfy a predicate.
  func filter(_ predicate: NSPredicate) -> Results<Element>
  /// Returns the objects that satisfy a typed condition.
  func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element>

  /// Returns the elements at the given positions. Stops the program if one is out of bounds.
  func objects(at indexes: IndexSet) -> [Element]

  /// Returns the smallest value of a property among the elements, or nil if no element has a value.
  func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType
  /// Returns the largest value of a property among the elements, or nil if no element has a value.
  func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType
  /// Returns the sum of a property over the elements, or 0 if there are none.
  func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType
  /// Returns the average of a property over the elements that have a value, or nil if none has.
  func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType

  /// Returns the value of a property for each element as an array, in which null is `NSNull`; for a key that
  /// begins with "@", the result of an operator.
  func value(forKey key: String) -> Any?
  /// Returns the value at a key path for each element as an array, in which null is `NSNull`; for a path that
  /// begins with "@", the result of an operator.
  func value(forKeyPath keyPath: String) -> Any?
  /// Sets a property of every element.
  func setValue(_ value: Any?, forKey key: String)

  /// The collection's name in descriptions and messages.
  static var _rlmName: String { get }
  var _rlmOrigin: _CollectionOrigin { get }
  /// An aggregate of a property of the elements, or of the elements themselves as "self"; null when there is none.
  /// Stops the program when the property does not have that aggregate.
  func _rlmAggregate(_ operation: _Aggregate, _ property: String) -> StoredValue
  /// The description, with objects described up to that many levels.
  func _rlmDescription(depth: Int) -> String
}

extension RealmCollection {
  /// The position of the first element, which is always 0.
  public var startIndex: Int { 0 }
  /// The position after the last element: the number of elements.
  public var endIndex: Int { count }
  /// Returns the next position.
  public func index(after index: Int) -> Int { index + 1 }
  /// Returns the previous position.
  public func index(before index: Int) -> Int { index - 1 }

  /// Returns the position of an element, or nil if the collection does not contain it.
  public func index(of object: Element) -> Int? {
    var position = 0
    for element in self {
      if element == object { return position }
      position += 1
    }
    return nil
  }

  /// Returns the elements at the given positions.
  public func objects(at indexes: IndexSet) -> [Element] {
    if let last = indexes.last, last >= count { trap("Indexes for collection are out of bounds.") }
    return indexes.map { self[$0] }
  }

  /// The elements, each with its position.
  public var description: String { _rlmDescription(depth: ObjectDescription.maximumDepth) }

  /// What the official SDK calls such a collection in messages.
  static var _rlmUnmanagedName: String { _rlmName == "MutableSet" ? "RLMSet" : "RLMArray" }
}

extension RealmCollection where Self: Encodable, Element: Encodable {
  /// Encodes the elements one after another.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    if let elements = _rlmElementsOrStored { try elements.checkEncodable(encoder) }
    for element in self { try container.encode(element) }
  }
}

extension Int {
  /// Stops the program unless the number is the position of one of `count` elements.
  @inline(__always)
  func checkPosition(below count: Int, name: String = "index") {
    if UInt(bitPattern: self) >= UInt(bitPattern: count) { failPosition(below: count, name) }
  }

  @inline(never)
  private func failPosition(below count: Int, _ name: String) -> Never {
    if self < 0 { trap("Cannot pass a negative value for '\(name)'.") }
    trap("Index \(self) is out of bounds (must be less than \(count)).")
  }
}

/// What collections in memory cannot do.
enum UnmanagedCollection {
  /// Stops the program; `name` is that of the Objective-C class, as the official SDK says it.
  static func notManaged(_ name: String) -> Never {
    trap("This method may only be called on \(name) instances retrieved from an RLMRealm")
  }

  static func notObserved() -> Never {
    trap("Change notifications are only supported on managed collections.")
  }
}
