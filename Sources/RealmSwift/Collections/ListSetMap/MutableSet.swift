public import Foundation
import QueryEngine
import Storage

/// A collection of distinct objects or values that is a property of an object.
///
/// ```swift
/// try realm.write {
///   hut.languages.insert("de")
///   hut.languages.remove("fr")
/// }
/// print(hut.languages.contains("de"))
/// ```
///
/// Managed sets are sorted: values in ascending order, objects by their row in the realm. Unmanaged sets keep
/// the order of insertion.
public final class MutableSet<Element: RealmCollectionValue> {
  // Read on every use, and only ever by the thread that the set belongs to.
  /// Where the elements are once the set is managed.
  @exclusivity(unchecked) private(set) var backing: StoredCollection?
  /// The elements in memory until then.
  @exclusivity(unchecked) private(set) var unmanaged = DistinctElements<Element>()

  /// Creates an empty unmanaged set.
  public init() {}

  /// A live set.
  init(backing: StoredCollection) {
    self.backing = backing
  }

  /// A set in memory.
  init(_ elements: DistinctElements<Element>) {
    unmanaged = elements
  }

  /// Makes the set, whose elements have been stored, a view of a column.
  func bind(_ object: ObjectBase, _ column: Int) {
    backing = StoredCollection(object, column, of: Element.self)
    unmanaged = DistinctElements()
  }

  func replaceUnmanaged(_ elements: DistinctElements<Element>) { unmanaged = elements }

  // MARK: Elements

  /// The number of elements.
  public var count: Int {
    guard let backing else { return unmanaged.elements.count }
    backing.checkAccess()
    return backing.count
  }

  /// The element at a position. Stops the program if the position is out of bounds.
  public subscript(position: Int) -> Element {
    guard let backing else {
      if position >= unmanaged.elements.count, let element = KeyPathRecorder.element(Element.self) {
        return element
      }
      position.checkPosition(below: unmanaged.elements.count)
      return unmanaged.elements[position]
    }
    return backing.checkedElement(at: position)
  }

  /// Returns an iterator over the elements that the set has now.
  public func makeIterator() -> RLMIterator<Element> {
    guard let backing else { return RLMIterator(cursor: ArrayCursor(unmanaged.elements)) }
    backing.checkAccess()
    return backing.iterator(Element.self)
  }

  /// Stops the program: the elements of a set have no positions.
  public func index(of object: Element) -> Int? {
    trap("index(of:) is not available on MutableSet")
  }

  /// Stops the program: the elements of a set have no positions.
  public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
    trap("index(matching:) is not available on MutableSet")
  }

  /// Stops the program: the elements of a set have no positions.
  public func index(matching predicate: NSPredicate) -> Int? {
    trap("index(matching:) is not available on MutableSet")
  }

  /// Stops the program: the elements of a set have no positions.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    trap("index(matching:) is not available on MutableSet")
  }

  /// Returns whether the set contains an element. Complexity: O(log n), O(1) for an unmanaged set.
  public func contains(_ object: Element) -> Bool {
    guard let backing else { return unmanaged.contains(object) }
    backing.checkAccess()
    return backing.position(of: object) != nil
  }

  // MARK: Changing

  /// Inserts an element if the set does not contain it. An unmanaged object is added to the realm of the set.
  ///
  /// ```swift
  /// try realm.write { hut.languages.insert("it") }
  /// ```
  public func insert(_ object: Element) {
    guard let backing else {
      unmanaged.insert(object)
      return
    }
    backing.checkWrite()
    backing.insertIntoSet(backing.storedValue(object))
  }

  /// Inserts the elements that the set does not contain.
  public func insert<S: Sequence>(objectsIn objects: S) where S.Element == Element {
    guard let backing else {
      for object in objects { unmanaged.insert(object) }
      return
    }
    backing.checkWrite()
    backing.insertIntoSet(backing.storedValues(objects))
  }

  /// Removes an element. Has no effect if the set does not contain it.
  public func remove(_ object: Element) {
    guard let backing else { return unmanaged.remove(object) }
    backing.checkWrite()
    if let position = backing.position(of: object) { backing.remove(position..<position + 1) }
  }

  /// Removes all elements. Objects stay in the realm.
  public func removeAll() {
    guard let backing else { return unmanaged.removeAll() }
    backing.checkWrite()
    backing.remove(0..<backing.count)
  }
}

extension MutableSet: RealmCollection {
  /// For `RealmCollection`: the name of the collection in descriptions and messages.
  public static var _rlmName: String { "MutableSet" }

  /// The realm that manages the set; nil for an unmanaged set.
  public var realm: Realm? { backing.map { Realm($0.realm) } }

  /// Whether the set can no longer be used, because its object was deleted or its realm invalidated.
  public var isInvalidated: Bool { backing.map { !$0.isValid } ?? false }

  /// Whether the set belongs to a frozen realm and never changes.
  public var isFrozen: Bool { backing?.realm.isFrozen ?? false }

  /// For `RealmCollection`: where the elements come from.
  public var _rlmOrigin: _CollectionOrigin { backing?.origin ?? .unmanaged }

  /// Returns whether two sets are equal. Managed sets are equal if they are the same set of the same realm;
  /// unmanaged sets if they contain the same elements.
  public static func == (lhs: MutableSet, rhs: MutableSet) -> Bool {
    if lhs === rhs { return true }
    switch (lhs.backing, rhs.backing) {
    case (nil, nil): return lhs.unmanaged.isEqual(to: rhs.unmanaged)
    case (let left?, let right?): return left.isSameCollection(right)
    default: return false
    }
  }
}

extension MutableSet: Hashable {
  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    // Sets change, so that only what never does can count.
    hasher.combine(ObjectIdentifier(MutableSet.self))
  }
}
