public import COpenRealm
import RealmSwift

// collections.h: changing lists, sets and maps, and the objects of a collection.

/// Runs the body of a function that changes a collection.
private func change(
  _ collection: OpaquePointer?, _ body: (NumberedCollection) throws(Refusal) -> Void
) -> Int32 {
  code { () throws(Refusal) in
    try CollectionHandle.with(collection) { known throws(Refusal) in try body(known.numbered) }
  }
}

// MARK: Lists

@c @implementation public func openrealm_list_append(
  _ list: OpaquePointer?, _ value: UnsafePointer<openrealm_value>?
) -> Int32 {
  change(list) { list throws(Refusal) in try list.append(.at(value)) }
}

@c @implementation public func openrealm_list_insert(
  _ list: OpaquePointer?, _ index: Int, _ value: UnsafePointer<openrealm_value>?
) -> Int32 {
  change(list) { list throws(Refusal) in try list.insert(.at(value), at: index) }
}

@c @implementation public func openrealm_list_set(
  _ list: OpaquePointer?, _ index: Int, _ value: UnsafePointer<openrealm_value>?
) -> Int32 {
  change(list) { list throws(Refusal) in try list.replace(at: index, with: .at(value)) }
}

@c @implementation public func openrealm_list_remove(_ list: OpaquePointer?, _ index: Int) -> Int32 {
  change(list) { list throws(Refusal) in try list.remove(at: index) }
}

@c @implementation public func openrealm_list_move(_ list: OpaquePointer?, _ from: Int, _ to: Int) -> Int32 {
  change(list) { list throws(Refusal) in try list.move(from: from, to: to) }
}

@c @implementation public func openrealm_list_swap(
  _ list: OpaquePointer?, _ first: Int, _ second: Int
) -> Int32 {
  change(list) { list throws(Refusal) in try list.swap(first, second) }
}

@c @implementation public func openrealm_list_insert_embedded(
  _ list: OpaquePointer?, _ index: Int, _ embedded: UnsafeMutablePointer<openrealm_object>?
) -> Int32 {
  change(list) { list throws(Refusal) in
    let object = try list.insertEmbedded(at: index)
    embedded?.pointee = openrealm_object(object)
  }
}

// MARK: Sets

@c @implementation public func openrealm_set_insert(
  _ set: OpaquePointer?, _ value: UnsafePointer<openrealm_value>?, _ changed: UnsafeMutablePointer<Bool>?
) -> Int32 {
  change(set) { set throws(Refusal) in
    let isChanged = try set.insertIntoSet(.at(value))
    changed?.pointee = isChanged
  }
}

@c @implementation public func openrealm_set_remove(
  _ set: OpaquePointer?, _ value: UnsafePointer<openrealm_value>?, _ changed: UnsafeMutablePointer<Bool>?
) -> Int32 {
  change(set) { set throws(Refusal) in
    let isChanged = try set.removeFromSet(.at(value))
    changed?.pointee = isChanged
  }
}

// MARK: Maps

@c @implementation public func openrealm_map_set(
  _ map: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ size: Int, _ value: UnsafePointer<openrealm_value>?
) -> Int32 {
  change(map) { map throws(Refusal) in
    try map.setValue(.at(value), forKey: checkedBytes(UnsafeRawPointer(key), size))
  }
}

@c @implementation public func openrealm_map_remove(
  _ map: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ size: Int
) -> Int32 {
  change(map) { map throws(Refusal) in
    if try !map.removeValue(forKey: checkedBytes(UnsafeRawPointer(key), size)) { throw Refusal.noKey }
  }
}

@c @implementation public func openrealm_map_set_embedded(
  _ map: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ size: Int,
  _ embedded: UnsafeMutablePointer<openrealm_object>?
) -> Int32 {
  change(map) { map throws(Refusal) in
    let object = try map.setEmbedded(forKey: checkedBytes(UnsafeRawPointer(key), size))
    embedded?.pointee = openrealm_object(object)
  }
}

// MARK: All elements

@c @implementation public func openrealm_clear(_ collection: OpaquePointer?) -> Int32 {
  change(collection) { collection throws(Refusal) in try collection.removeAll() }
}

@c @implementation public func openrealm_set_all(
  _ objects: OpaquePointer?, _ property: Int32, _ value: UnsafePointer<openrealm_value>?
) -> Int32 {
  change(objects) { objects throws(Refusal) in try objects.setAll(Int(property), .at(value)) }
}

@c @implementation public func openrealm_delete_objects(_ objects: OpaquePointer?) -> Int32 {
  change(objects) { objects throws(Refusal) in try objects.deleteObjects() }
}
