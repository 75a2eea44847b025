public import COpenRealm
import RealmSwift
import Storage

// collections.h: collections and their elements.

/// A collection that C uses.
final class CollectionHandle: Handle, MarkedHandle {
  static var mark: HandleMark { .collection }
  let numbered: NumberedCollection

  init(_ numbered: NumberedCollection) {
    self.numbered = numbered
    super.init(.collection)
  }
}

extension openrealm_value {
  init(_ element: NumberedElement) throws(Refusal) {
    switch element {
    case .value(let stored): try self.init(stored)
    case .nested(let collection): self.init(nested: collection)
    }
  }

  /// A nested list or map, with a handle.
  init(nested collection: NumberedCollection) {
    self = .null
    type = Int32(collection.kind == .map ? OPENREALM_MAP_VALUE : OPENREALM_LIST_VALUE)
    hold(CollectionHandle(collection).pointer)
  }
}

/// Runs the body of a function that reads something of a collection to an address.
func read<Value>(
  _ collection: OpaquePointer?, _ value: UnsafeMutablePointer<Value>?,
  _ body: (NumberedCollection) throws(Refusal) -> Value
) -> Int32 {
  code { () throws(Refusal) in
    guard let value else { throw .null }
    value.pointee = try CollectionHandle.with(collection) { known throws(Refusal) in
      try body(known.numbered)
    }
  }
}

/// Runs the body of a function that makes a collection of another one.
func derive(
  _ collection: OpaquePointer?, _ body: (NumberedCollection) throws(Refusal) -> NumberedCollection
) -> OpaquePointer? {
  handle { () throws(Refusal) in
    try CollectionHandle.with(collection) { known throws(Refusal) in
      CollectionHandle(try body(known.numbered))
    }
  }
}

// MARK: Getting collections

@c @implementation public func openrealm_objects(_ realm: OpaquePointer?, _ number: Int32) -> OpaquePointer? {
  handle { () throws(Refusal) in
    try RealmHandle.with(realm) { realm throws(Refusal) in
      CollectionHandle(try realm.numbered.objects(Int(number)))
    }
  }
}

@c @implementation public func openrealm_collection_of(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32
) -> OpaquePointer? {
  handle { () throws(Refusal) in
    try RealmHandle.with(realm) { realm throws(Refusal) in
      CollectionHandle(try realm.numbered.collection(object.numbered, Int(property)))
    }
  }
}

@c @implementation public func openrealm_backlinks(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ originClass: Int32, _ originProperty: Int32
) -> OpaquePointer? {
  handle { () throws(Refusal) in
    try RealmHandle.with(realm) { realm throws(Refusal) in
      CollectionHandle(
        try realm.numbered.backlinks(to: object.numbered, from: Int(originClass), Int(originProperty)))
    }
  }
}

@c @implementation public func openrealm_collection_in(
  _ collection: OpaquePointer?, _ realm: OpaquePointer?
) -> OpaquePointer? {
  derive(collection) { collection throws(Refusal) in
    try RealmHandle.with(realm) { realm throws(Refusal) in try collection.relocated(to: realm.numbered) }
  }
}

@c @implementation public func openrealm_snapshot(_ collection: OpaquePointer?) -> OpaquePointer? {
  derive(collection) { collection throws(Refusal) in try collection.snapshot() }
}

// MARK: What a collection is

@c @implementation public func openrealm_collection_kind(_ collection: OpaquePointer?) -> Int32 {
  value(or: 0) { () throws(Refusal) in
    try CollectionHandle.with(collection) { known throws(Refusal) in
      switch known.numbered.kind {
      case .list: Int32(OPENREALM_LIST)
      case .set: Int32(OPENREALM_SET)
      case .map: Int32(OPENREALM_MAP)
      case .results: Int32(OPENREALM_RESULTS)
      }
    }
  }
}

@c @implementation public func openrealm_collection_type(_ collection: OpaquePointer?) -> Int32 {
  value(or: Int32(OPENREALM_NULL)) { () throws(Refusal) in
    // The numbers of stored types are those of the interface.
    try CollectionHandle.with(collection) { known throws(Refusal) in Int32(known.numbered.type.rawValue) }
  }
}

@c @implementation public func openrealm_collection_class(_ collection: OpaquePointer?) -> Int32 {
  value(or: -1) { () throws(Refusal) in
    try CollectionHandle.with(collection) { known throws(Refusal) in Int32(known.numbered.classNumber) }
  }
}

@c @implementation public func openrealm_collection_realm(_ collection: OpaquePointer?) -> OpaquePointer? {
  handle { () throws(Refusal) in
    try CollectionHandle.with(collection) { known throws(Refusal) in RealmHandle(known.numbered.realm) }
  }
}

@c @implementation public func openrealm_collection_is_valid(_ collection: OpaquePointer?) -> Bool {
  value(or: false) { () throws(Refusal) in
    try CollectionHandle.with(collection) { known throws(Refusal) in known.numbered.isValid }
  }
}

// MARK: Reading

@c @implementation public func openrealm_count(
  _ collection: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> Int32 {
  read(collection, count) { collection throws(Refusal) in try collection.count() }
}

@c @implementation public func openrealm_rows(
  _ collection: OpaquePointer?, _ start: Int, _ capacity: Int, _ rows: UnsafeMutablePointer<Int64>?,
  _ copied: UnsafeMutablePointer<Int>?
) -> Int32 {
  read(collection, copied) { collection throws(Refusal) in
    if rows == nil && capacity != 0 { throw .null }
    if capacity < 0 { throw Refusal(.badArgument, "The capacity is larger than any memory.") }
    return try collection.copyRows(
      from: start, to: UnsafeMutableBufferPointer(start: rows, count: rows == nil ? 0 : capacity))
  }
}

@c @implementation public func openrealm_at(
  _ collection: OpaquePointer?, _ index: Int, _ value: UnsafeMutablePointer<openrealm_value>?
) -> Int32 {
  read(collection, value) { collection throws(Refusal) in
    try openrealm_value(collection.element(at: index))
  }
}

@c @implementation public func openrealm_index_of(
  _ collection: OpaquePointer?, _ value: UnsafePointer<openrealm_value>?, _ index: UnsafeMutablePointer<Int>?
) -> Int32 {
  read(collection, index) { collection throws(Refusal) in
    guard let position = try collection.firstPosition(of: try .at(value)) else {
      throw Refusal(.notFound, "The collection has no element that is equal to the value.")
    }
    return position
  }
}

@c @implementation public func openrealm_map_get(
  _ map: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ size: Int,
  _ value: UnsafeMutablePointer<openrealm_value>?
) -> Int32 {
  read(map, value) { map throws(Refusal) in
    guard let element = try map.value(forKey: try checkedBytes(UnsafeRawPointer(key), size)) else {
      throw Refusal.noKey
    }
    return try openrealm_value(element)
  }
}

@c @implementation public func openrealm_map_key_at(
  _ map: OpaquePointer?, _ index: Int, _ key: UnsafeMutablePointer<openrealm_value>?
) -> Int32 {
  read(map, key) { map throws(Refusal) in try openrealm_value(text: map.key(at: index)) }
}

extension Refusal {
  static var noKey: Refusal { Refusal(.notFound, "The map does not have the key.") }
}
