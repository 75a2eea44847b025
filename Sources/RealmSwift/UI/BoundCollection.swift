public import Foundation

#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// A collection that a user interface reads and changes. Changes are made in the open write transaction of
/// its realm, or else in a transaction of their own.
@MainActor public protocol BoundCollection {
  /// The type of the value.
  associatedtype Value
  /// The type of the elements.
  associatedtype Element: RealmCollectionValue
  /// The displayed collection, which is frozen if it is managed.
  var wrappedValue: Value { get }
  /// A collection in memory was changed.
  func _rlmChanged(_ value: Value)
}

extension BoundCollection {
  /// For the bound collection: a collection in memory was changed.
  public func _rlmChanged(_ value: Value) {}

  /// Changes the live collection.
  fileprivate func change(_ body: (Value) -> Void) where Value: ThreadConfined {
    let value = wrappedValue
    QuickWrite.write(value, body)
    if value.realm == nil { _rlmChanged(value) }
  }
}

extension BoundCollection where Value == List<Element> {
  /// Appends an element.
  public func append(_ value: Element) {
    guard let value = QuickWrite.stored(value) else { return }
    change { $0.append(value) }
  }

  /// Removes the element at a position. Objects stay in the realm.
  public func remove(at index: Int) { change { $0.remove(at: index) } }

  /// Removes the elements at the given positions. Objects stay in the realm.
  public func remove(atOffsets offsets: IndexSet) { change { $0.remove(atOffsets: offsets) } }

  /// Moves the elements at the given positions in front of the element that is at `destination` before the
  /// move.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    change { $0.move(fromOffsets: offsets, toOffset: destination) }
  }
}

extension BoundCollection where Value == MutableSet<Element> {
  /// Inserts an element.
  public func insert(_ value: Element) {
    guard let value = QuickWrite.stored(value) else { return }
    change { $0.insert(value) }
  }

  /// Removes an element. Objects stay in the realm.
  public func remove(_ value: Element) {
    guard let value = QuickWrite.stored(value) else { return }
    change { $0.remove(value) }
  }
}

extension BoundCollection where Value == Results<Element>, Element: Object {
  /// Adds an object to the realm.
  ///
  /// Stops the program if another realm manages the object: `realm.create(_:value:update:)` copies it.
  public func append(_ value: Element) {
    guard let value = QuickWrite.stored(value) else { return }
    change { $0.realm?.add(value) }
  }

  /// Deletes an object if the results contain it. Stops the program if it is unmanaged.
  public func remove(_ value: Element) {
    if !value._isManaged { QuickWrite.failUnmanaged() }
    guard let value = QuickWrite.stored(value), !value.isGone else { return }
    change { results in
      if results.index(of: value) != nil { results.realm?.delete(value) }
    }
  }

  /// Deletes the objects at the given positions of the displayed results.
  public func remove(atOffsets offsets: IndexSet) {
    remove(wrappedValue.objects(at: offsets))
  }

  func remove(_ values: [Element]) {
    change { $0.realm?.delete(values.compactMap(QuickWrite.stored)) }
  }
}

extension BoundCollection
where Value == Results<Element>, Element: ProjectionObservable, Element.Root: Object {
  /// Adds the root object of a projection to the realm.
  public func append(_ value: Element) {
    guard let object = QuickWrite.stored(value.rootObject) else { return }
    change { $0.realm?.add(object) }
  }

  /// Deletes the root object of a projection if the results contain it. Stops the program if it is unmanaged.
  public func remove(_ value: Element) {
    if !value.rootObject._isManaged { QuickWrite.failUnmanaged() }
    guard let value = QuickWrite.stored(value), !value.isGone else { return }
    change { results in
      if results.index(of: value) != nil { results.realm?.delete(value.rootObject) }
    }
  }

  /// Deletes the objects at the given positions of the displayed results.
  public func remove(atOffsets offsets: IndexSet) {
    remove(wrappedValue.objects(at: offsets))
  }

  func remove(_ values: [Element]) {
    change { $0.realm?.delete(values.map(\.rootObject).compactMap(QuickWrite.stored)) }
  }
}

/// A map that a user interface reads and changes, with the rules of other collections.
@MainActor public protocol BoundMap {
  /// The type of the map.
  associatedtype Value: RealmKeyedCollection
  /// The displayed map, which is frozen if it is managed.
  var wrappedValue: Value { get }
  /// A map in memory was changed.
  func _rlmChanged(_ value: Value)
}

extension BoundMap {
  /// For the bound collection: a collection in memory was changed.
  public func _rlmChanged(_ value: Value) {}

  /// The displayed value of a key.
  public subscript(key: Value.Key) -> Value.Value? { wrappedValue[key] }

  /// Sets the value of a key; nil removes the key.
  public func set(object: Value.Value?, for key: Value.Key) {
    let map = wrappedValue
    if let object {
      guard let object = QuickWrite.stored(object) else { return }
      QuickWrite.write(map) { $0.updateValue(object, forKey: key) }
    } else {
      QuickWrite.write(map) { $0.removeObject(for: key) }
    }
    if map.realm == nil { _rlmChanged(map) }
  }
}

extension Binding: BoundCollection where Value: RealmCollection {
  /// The type of the elements.
  public typealias Element = Value.Element
  /// For the bound collection: a collection in memory was changed.
  public func _rlmChanged(_ value: Value) { wrappedValue = value }
}

extension Binding: BoundMap where Value: RealmKeyedCollection {
  /// For the bound collection: a collection in memory was changed.
  public func _rlmChanged(_ value: Value) { wrappedValue = value }
}
