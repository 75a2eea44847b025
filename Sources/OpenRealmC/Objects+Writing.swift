public import COpenRealm
import LibC
import RealmSwift
import Storage

// objects.h: writing objects.

/// Runs a body that writes to an object.
@inline(__always)
private func set(_ realm: OpaquePointer?, _ body: (NumberedRealm) throws(Refusal) -> Void) -> Int32 {
  code { () throws(Refusal) in
    try RealmHandle.with(realm) { realm throws(Refusal) in try body(realm.numbered) }
  }
}

@c @implementation public func openrealm_set_int(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32, _ value: Int64
) -> Int32 {
  set(realm) { realm throws(Refusal) in try realm.setInteger(object.numbered, Int(property), value) }
}

@c @implementation public func openrealm_set_bool(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32, _ value: Bool
) -> Int32 {
  set(realm) { realm throws(Refusal) in try realm.setBool(object.numbered, Int(property), value) }
}

@c @implementation public func openrealm_set_float(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32, _ value: Float
) -> Int32 {
  set(realm) { realm throws(Refusal) in try realm.setFloat(object.numbered, Int(property), value) }
}

@c @implementation public func openrealm_set_double(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32, _ value: Double
) -> Int32 {
  set(realm) { realm throws(Refusal) in try realm.setDouble(object.numbered, Int(property), value) }
}

@c @implementation public func openrealm_set_string(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32, _ bytes: UnsafePointer<CChar>?,
  _ size: Int
) -> Int32 {
  set(realm) { realm throws(Refusal) in
    try realm.setString(object.numbered, Int(property), utf8: checkedBytes(UnsafeRawPointer(bytes), size))
  }
}

@c @implementation public func openrealm_set_data(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32, _ bytes: UnsafeRawPointer?,
  _ size: Int
) -> Int32 {
  set(realm) { realm throws(Refusal) in
    try realm.setData(object.numbered, Int(property), checkedBytes(bytes, size))
  }
}

@c @implementation public func openrealm_set_date(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32, _ value: openrealm_date
) -> Int32 {
  set(realm) { realm throws(Refusal) in
    try realm.setDate(object.numbered, Int(property), value.secondsSince2001)
  }
}

@c @implementation public func openrealm_set_object_id(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32, _ value: openrealm_object_id
) -> Int32 {
  set(realm) { realm throws(Refusal) in try realm.setObjectId(object.numbered, Int(property), value.fixed) }
}

@c @implementation public func openrealm_set_decimal128(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32, _ value: openrealm_decimal128
) -> Int32 {
  set(realm) { realm throws(Refusal) in try realm.setDecimal128(object.numbered, Int(property), value.fixed) }
}

@c @implementation public func openrealm_set_uuid(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32, _ value: openrealm_uuid
) -> Int32 {
  set(realm) { realm throws(Refusal) in try realm.setUUID(object.numbered, Int(property), value.fixed) }
}

@c @implementation public func openrealm_set_object(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32, _ value: openrealm_object
) -> Int32 {
  set(realm) { realm throws(Refusal) in try realm.set(object.numbered, Int(property), .object(value.numbered))
  }
}

@c @implementation public func openrealm_set_null(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32
) -> Int32 {
  set(realm) { realm throws(Refusal) in try realm.set(object.numbered, Int(property), .null) }
}

@c @implementation public func openrealm_set_value(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ value: UnsafePointer<openrealm_value>?
) -> Int32 {
  set(realm) { realm throws(Refusal) in try realm.set(object.numbered, Int(property), .at(value)) }
}

@c @implementation public func openrealm_add_int(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32, _ difference: Int64
) -> Int32 {
  set(realm) { realm throws(Refusal) in try realm.add(object.numbered, Int(property), difference) }
}

@c @implementation public func openrealm_set_embedded(
  _ realm: OpaquePointer?, _ object: openrealm_object, _ property: Int32,
  _ embedded: UnsafeMutablePointer<openrealm_object>?
) -> Int32 {
  set(realm) { realm throws(Refusal) in
    let new = try realm.setEmbedded(object.numbered, Int(property))
    embedded?.pointee = openrealm_object(new)
  }
}

// MARK: Creating

@c @implementation public func openrealm_create(
  _ realm: OpaquePointer?, _ classNumber: Int32, _ count: Int, _ properties: UnsafePointer<Int32>?,
  _ values: UnsafePointer<openrealm_value>?, _ object: UnsafeMutablePointer<openrealm_object>?
) -> Int32 {
  create(realm, classNumber, .error, Given(count, properties, values), object, nil)
}

@c @implementation public func openrealm_create_or_update(
  _ realm: OpaquePointer?, _ classNumber: Int32, _ policy: Int32, _ count: Int,
  _ properties: UnsafePointer<Int32>?, _ values: UnsafePointer<openrealm_value>?,
  _ object: UnsafeMutablePointer<openrealm_object>?, _ created: UnsafeMutablePointer<Bool>?
) -> Int32 {
  create(
    realm, classNumber, Realm.UpdatePolicy(policy), Given(count, properties, values), object, created)
}

/// Values for properties, as C passes them.
private struct Given {
  let count: Int
  let properties: UnsafePointer<Int32>?
  let values: UnsafePointer<openrealm_value>?

  init(_ count: Int, _ properties: UnsafePointer<Int32>?, _ values: UnsafePointer<openrealm_value>?) {
    self.count = count
    self.properties = properties
    self.values = values
  }

  /// Calls a body with the values in the form that the library takes.
  @inline(__always)
  func converted<Value>(_ body: (NumberedValues) throws(Refusal) -> Value) throws(Refusal) -> Value {
    try Number.check(count)
    if count > 0 && (properties == nil || values == nil) { throw .null }
    let outcome = withUnsafeTemporaryAllocation(of: NumberedValue.self, capacity: max(count, 1)) {
      place -> Result<Value, Refusal> in
      do throws(Refusal) {
        for index in 0..<count {
          (place.baseAddress.unsafelyUnwrapped + index)
            .initialize(to: try NumberedValue(values.unsafelyUnwrapped[index]))
        }
        return .success(
          try body(
            NumberedValues(
              columns: UnsafeBufferPointer(start: properties, count: count),
              values: UnsafeBufferPointer(start: place.baseAddress, count: count))))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}

@inline(__always)
private func create(
  _ realm: OpaquePointer?, _ classNumber: Int32, _ policy: Realm.UpdatePolicy?, _ given: Given,
  _ object: UnsafeMutablePointer<openrealm_object>?, _ created: UnsafeMutablePointer<Bool>?
) -> Int32 {
  set(realm) { realm throws(Refusal) in
    guard let policy else { throw .unknownPolicy }
    let made = try given.converted { given throws(Refusal) in
      try realm.create(Int(classNumber), policy, given)
    }
    object?.pointee = openrealm_object(made.object)
    created?.pointee = made.isNew
  }
}

@c @implementation public func openrealm_import_json(
  _ realm: OpaquePointer?, _ classNumber: Int32, _ policy: Int32, _ text: UnsafePointer<CChar>?, _ size: Int,
  _ ignoresUnknownKeys: Bool, _ count: UnsafeMutablePointer<Int>?
) -> Int32 {
  set(realm) { realm throws(Refusal) in
    guard let policy = Realm.UpdatePolicy(policy) else { throw .unknownPolicy }
    let number = try realm.importJSON(
      checkedBytes(UnsafeRawPointer(text), size), as: Int(classNumber), policy,
      ignoresUnknownKeys: ignoresUnknownKeys)
    count?.pointee = number
  }
}

extension Realm.UpdatePolicy {
  /// The policy of a constant in `objects.h`; nil for other numbers.
  fileprivate init?(_ policy: Int32) {
    switch Int(policy) {
    case Int(OPENREALM_UPDATE_ERROR): self = .error
    case Int(OPENREALM_UPDATE_MODIFIED): self = .modified
    case Int(OPENREALM_UPDATE_ALL): self = .all
    default: return nil
    }
  }
}

extension Refusal {
  fileprivate static var unknownPolicy: Refusal { Refusal(.badArgument, "The update policy is unknown.") }
}
