public import COpenRealm
import LibC
import RealmSwift
import Storage

// objects.h: reading and deleting objects.

/// Runs a body that reads a value to an address.
@inline(__always)
private func get<Value>(
  _ realm: OpaquePointer?, _ value: UnsafeMutablePointer<Value>?,
  _ body: (NumberedRealm) throws(Refusal) -> Value
) -> Int32 {
  code { () throws(Refusal) in
    guard let value else { throw .null }
    value.pointee = try RealmHandle.with(realm) { realm throws(Refusal) in try body(realm.numbered) }
  }
}

// The two getters that programs call most. What a refusal needs on the stack is not reserved by calls that succeed: the
// reason is looked for in functions of their own.

@c @implementation public func openrealm_get_int(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafeMutablePointer<Int64>?
) -> Int32 {
  guard let value,
    let found = RealmHandle.known(realm)?._withUnsafeGuaranteedRef({
      $0.numbered.readableInteger(Int(object.class_number), Int(object.row), Int(property))
    })
  else { return getIntWithReason(realm, object, property, value) }
  value.pointee = found
  return 0
}

@inline(never)
private func getIntWithReason(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafeMutablePointer<Int64>?
) -> Int32 {
  get(realm, value) { realm throws(Refusal) in
    try realm.integer(object.numbered, Int(property))
  }
}

@c @implementation public func openrealm_get_bool(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafeMutablePointer<Bool>?
) -> Int32 {
  get(realm, value) { realm throws(Refusal) in
    try realm.bool(object.numbered, Int(property))
  }
}

@c @implementation public func openrealm_get_float(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafeMutablePointer<Float>?
) -> Int32 {
  get(realm, value) { realm throws(Refusal) in
    try realm.float(object.numbered, Int(property))
  }
}

@c @implementation public func openrealm_get_double(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafeMutablePointer<Double>?
) -> Int32 {
  get(realm, value) { realm throws(Refusal) in
    try realm.double(object.numbered, Int(property))
  }
}

@c @implementation public func openrealm_get_string(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafeMutablePointer<openrealm_bytes>?
) -> Int32 {
  guard let value,
    let found = RealmHandle.known(realm)?._withUnsafeGuaranteedRef({
      $0.numbered.readableString(Int(object.class_number), Int(object.row), Int(property))
    })
  else { return getStringWithReason(realm, object, property, value) }
  value.pointee = openrealm_bytes(found)
  return 0
}

@inline(never)
private func getStringWithReason(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafeMutablePointer<openrealm_bytes>?
) -> Int32 {
  get(realm, value) { realm throws(Refusal) in
    openrealm_bytes(try realm.string(object.numbered, Int(property)))
  }
}

@c @implementation public func openrealm_get_data(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafeMutablePointer<openrealm_bytes>?
) -> Int32 {
  get(realm, value) { realm throws(Refusal) in
    openrealm_bytes(try realm.data(object.numbered, Int(property)))
  }
}

@c @implementation public func openrealm_get_date(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafeMutablePointer<openrealm_date>?
) -> Int32 {
  get(realm, value) { realm throws(Refusal) in
    openrealm_date(secondsSince2001: try realm.date(object.numbered, Int(property)))
  }
}

@c @implementation public func openrealm_get_object_id(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafeMutablePointer<openrealm_object_id>?
) -> Int32 {
  get(realm, value) { realm throws(Refusal) in
    openrealm_object_id(try realm.objectId(object.numbered, Int(property)))
  }
}

@c @implementation public func openrealm_get_decimal128(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafeMutablePointer<openrealm_decimal128>?
) -> Int32 {
  get(realm, value) { realm throws(Refusal) in
    openrealm_decimal128(try realm.decimal128(object.numbered, Int(property)))
  }
}

@c @implementation public func openrealm_get_uuid(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafeMutablePointer<openrealm_uuid>?
) -> Int32 {
  get(realm, value) { realm throws(Refusal) in
    openrealm_uuid(try realm.uuid(object.numbered, Int(property)))
  }
}

@c @implementation public func openrealm_get_object(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafeMutablePointer<openrealm_object>?
) -> Int32 {
  get(realm, value) { realm throws(Refusal) in
    openrealm_object(try realm.object(object.numbered, Int(property)))
  }
}

@c @implementation public func openrealm_get_value(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafeMutablePointer<openrealm_value>?
) -> Int32 {
  code { () throws(Refusal) in
    guard let value else { throw .null }
    value.pointee = try RealmHandle.with(realm) { realm throws(Refusal) in
      let stored = try realm.numbered.value(object.numbered, Int(property))
      guard stored.isCollection else { return try openrealm_value(stored) }
      return openrealm_value(nested: try realm.numbered.nestedCollection(object.numbered, Int(property)))
    }
  }
}

extension openrealm_bytes {
  /// Bytes that are the library's.
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    self.init(bytes: bytes.baseAddress?.assumingMemoryBound(to: CChar.self), size: bytes.count)
  }
}

@c @implementation public func openrealm_find(
  _ realm: OpaquePointer?, _ classNumber: Int32, _ key: UnsafePointer<openrealm_value>?,
  _ object: UnsafeMutablePointer<openrealm_object>?
) -> Int32 {
  get(realm, object) { realm throws(Refusal) in
    guard let found = try realm.find(Int(classNumber), key: .at(key)) else {
      throw Refusal(.notFound, "There is no object with this primary key.")
    }
    return openrealm_object(found)
  }
}

@c @implementation public func openrealm_delete(_ realm: OpaquePointer?, _ object: openrealm_object) -> Int32
{
  code { () throws(Refusal) in
    try RealmHandle.with(realm) { realm throws(Refusal) in try realm.numbered.delete(object.numbered) }
  }
}

@c @implementation public func openrealm_is_valid(_ realm: OpaquePointer?, _ object: openrealm_object) -> Bool
{
  value(or: false) { () throws(Refusal) in
    try RealmHandle.with(realm) { realm throws(Refusal) in realm.numbered.isValid(object.numbered) }
  }
}

@c @implementation public func openrealm_backlink_count(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  get(realm, count) { realm throws(Refusal) in Int64(try realm.backlinkCount(object.numbered)) }
}
