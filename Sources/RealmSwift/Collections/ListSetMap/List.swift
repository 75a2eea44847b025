import Foundation
import QueryEngine
import Storage

/// An ordered collection of objects or values that belongs to a property of an object.
///
///     try realm.write {
///       person.dogs.append(dog)
///       person.dogs.move(from: 0, to: 1)
///       person.dogs.remove(at: 0)
///     }
///
/// It is in memory only until its object is added to a realm; then it is a live view of what is stored, and can
/// only be changed in a write transaction.
public final class List<Element: RealmCollectionValue> {
  // Read on every use, and only ever by the thread that the list belongs to.
  /// Where the elements are once the list is managed.
  @exclusivity(unchecked) private(set) var backing: (any CollectionBacking)?
  /// The same when it is a column of its own, for use without counting references.
  @exclusivity(unchecked) private(set) var stored: Unmanaged<StoredCollection>?
  /// The elements in memory until then.
  @exclusivity(unchecked) var unmanaged: ContiguousArray<Element> = []

  /// An empty list in memory.
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

  /// The element at a position. Stops the program when there is none, and when it is set outside a write
  /// transaction.
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

  /// Goes over the elements as they are when it begins.
  public func makeIterator() -> RLMIterator<Element> {
    guard let backing else { return RLMIterator(cursor: ArrayCursor(unmanaged)) }
    backing.checkAccess()
    return backing.iterator(Element.self)
  }

  /// The position of the first element that is equal to `object`, or nil.
  public func index(of object: Element) -> Int? {
    guard let backing else { return unmanaged.firstIndex(of: object) }
    backing.checkAccess()
    return backing.firstIndex(of: object)
  }
}

extension List: RealmCollection {
  /// For `RealmCollection`: the name of the collection in descriptions and messages.
  public static var _rlmName: String { "List" }

  /// The realm that it belongs to; nil in memory.
  public var realm: Realm? { backing.map { Realm($0.realm) } }

  /// Whether it can not be used any more: deleted, or its realm invalidated.
  public var isInvalidated: Bool { backing.map { !$0.isValid } ?? false }

  /// Whether it belongs to a frozen realm, and never changes.
  public var isFrozen: Bool { backing?.realm.isFrozen ?? false }

  /// For `RealmCollection`: where the elements come from.
  public var _rlmOrigin: _CollectionOrigin { backing?.origin ?? .unmanaged }

  /// Managed lists are equal when they are the same list of the same realm; lists in memory when their elements
  /// are.
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
  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    // Lists change, so that only what never does can count.
    hasher.combine(ObjectIdentifier(List.self))
  }
}
