import Foundation
import QueryEngine
import Storage

/// An ordered collection of objects or values that is a property of an object.
///
/// ```swift
/// try realm.write {
///   trail.huts.append(hut)
///   trail.huts.move(from: 0, to: 1)
///   trail.huts.remove(at: 0)
/// }
/// ```
///
/// A list is unmanaged until its object is added to a realm. A managed list is a live view of the stored
/// elements and can only be changed in a write transaction.
public final class List<Element: RealmCollectionValue> {
  // Read on every use, and only ever by the thread that the list belongs to.
  /// Where the elements are once the list is managed.
  @exclusivity(unchecked) private(set) var backing: (any CollectionBacking)?
  /// Unretained backing of a list that is a column of its own, for paths where reference counting dominates.
  @exclusivity(unchecked) private(set) var stored: Unmanaged<StoredCollection>?
  /// The elements in memory until then.
  @exclusivity(unchecked) var unmanaged: ContiguousArray<Element> = []

  /// Creates an empty unmanaged list.
  public init() {}

  /// A live list.
  init(backing: any CollectionBacking) {
    self.backing = backing
    stored = backing.storedReference
  }

  /// The live list that is the value of a mixed property.
  convenience init(_rlmNestedIn object: ObjectBase, _ column: Int, _ value: MixedView)
  where Element == AnyRealmValue {
    self.init(backing: NestedCollection(.property(object, column: column), NestedPath(value), kind: .list))
  }

  deinit {
    if Element.self == AnyRealmValue.self, !unmanaged.isEmpty {
      withUnsafeMutablePointer(to: &unmanaged) {
        $0.withMemoryRebound(to: ContiguousArray<AnyRealmValue>.self, capacity: 1) {
          ReleaseQueue.takeElements(&$0.pointee)
        }
      }
    }
  }

  /// Makes the list, whose elements have been stored, a view of a column.
  func bind(_ object: ObjectBase, _ column: Int) {
    let stored = StoredCollection(object, column, of: Element.self)
    backing = stored
    self.stored = stored.storedReference
    unmanaged = []
  }

  // MARK: Elements

  /// The number of elements.
  public var count: Int {
    if let stored {
      return stored._withUnsafeGuaranteedRef {
        $0.checkAccess()
        return $0.count
      }
    }
    guard let backing else { return unmanaged.count }
    backing.checkAccess()
    return backing.count
  }

  /// The element at a position. Stops the program if the position is out of bounds, or if a managed list is
  /// changed outside a write transaction.
  public subscript(position: Int) -> Element {
    get {
      if let stored { return stored._withUnsafeGuaranteedRef { $0.checkedElement(at: position) } }
      guard let backing else {
        if position >= unmanaged.count, let element = KeyPathRecorder.element(Element.self) { return element }
        position.checkPosition(below: unmanaged.count)
        return unmanaged[position]
      }
      backing.checkAccess()
      backing.realm.pause(at: position)
      position.checkPosition(below: backing.count)
      return backing.element(at: position, as: Element.self)
    }
    set { replace(index: position, object: newValue) }
  }

  /// Returns an iterator over the elements that the list has now.
  public func makeIterator() -> RLMIterator<Element> {
    guard let backing else { return RLMIterator(cursor: ArrayCursor(unmanaged)) }
    backing.checkAccess()
    return backing.iterator(Element.self)
  }

  /// Returns the position of the first element that is equal to `object`, or nil.
  public func index(of object: Element) -> Int? {
    guard let backing else { return unmanaged.firstIndex(of: object) }
    backing.checkAccess()
    return backing.firstIndex(of: object)
  }
}

extension List: RealmCollection {
  /// For `RealmCollection`: the name of the collection in descriptions and messages.
  public static var _rlmName: String { "List" }

  /// The realm that manages the list; nil for an unmanaged list.
  public var realm: Realm? { backing.map { Realm($0.realm) } }

  /// Whether the list can no longer be used, because its object was deleted or its realm invalidated.
  public var isInvalidated: Bool { backing.map { !$0.isValid } ?? false }

  /// Whether the list belongs to a frozen realm and never changes.
  public var isFrozen: Bool { backing?.realm.isFrozen ?? false }

  /// For `RealmCollection`: where the elements come from.
  public var _rlmOrigin: _CollectionOrigin { backing?.origin ?? .unmanaged }

  /// Returns whether two lists are equal. Managed lists are equal if they are the same list of the same
  /// realm; unmanaged lists if their elements are equal.
  public static func == (lhs: List, rhs: List) -> Bool {
    if lhs === rhs { return true }
    switch (lhs.backing, rhs.backing) {
    case (nil, nil): return lhs.unmanaged == rhs.unmanaged
    case (let left?, let right?): return left.isSameCollection(right)
    default: return false
    }
  }
}

extension List: Hashable {
  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    // Lists change, so that only what never does can count.
    hasher.combine(ObjectIdentifier(List.self))
  }
}
