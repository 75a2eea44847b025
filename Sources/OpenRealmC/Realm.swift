public import COpenRealm
import RealmSwift

// realm.h

/// Runs the body of a function that takes a realm and returns a code. The body may throw any error of the library.
private func code(with realm: OpaquePointer?, _ body: (NumberedRealm) throws -> Void) -> Int32 {
  code { () throws(Refusal) in
    try RealmHandle.holding(realm) { realm throws(Refusal) in try refusing { try body(realm.numbered) } }
  }
}

/// Runs the body of a function that takes a realm and returns a plain value.
private func value<Value>(
  or otherwise: Value, with realm: OpaquePointer?, _ body: (NumberedRealm) throws(Refusal) -> Value
) -> Value {
  value(or: otherwise) { () throws(Refusal) in
    try RealmHandle.holding(realm) { realm throws(Refusal) in try body(realm.numbered) }
  }
}

/// Runs the body of a function that takes a realm and returns another one.
private func handle(
  of realm: OpaquePointer?, _ body: (NumberedRealm) throws -> NumberedRealm
) -> OpaquePointer? {
  handle { () throws(Refusal) in
    try RealmHandle.holding(realm) { known throws(Refusal) in
      let found = try refusing { try body(known.numbered) }
      return found === known.numbered ? known : RealmHandle(found)
    }
  }
}

// MARK: Opening and closing

@c @implementation public func openrealm_open(_ configuration: OpaquePointer?) -> OpaquePointer? {
  handle { () throws(Refusal) in
    let known = try ConfigurationHandle.optional(configuration)?.copy ?? NumberedConfiguration()
    return RealmHandle(try refusing { try NumberedRealm.open(known) })
  }
}

@c @implementation public func openrealm_close(_ realm: OpaquePointer?) -> Int32 {
  code(with: realm) { try $0.close() }
}

// MARK: Write transactions

@c @implementation public func openrealm_begin(_ realm: OpaquePointer?) -> Int32 {
  code(with: realm) { try $0.begin() }
}

@c @implementation public func openrealm_commit(_ realm: OpaquePointer?) -> Int32 {
  code(with: realm) { try $0.commit() }
}

@c @implementation public func openrealm_cancel(_ realm: OpaquePointer?) -> Int32 {
  code(with: realm) { try $0.cancel() }
}

@c @implementation public func openrealm_is_writing(_ realm: OpaquePointer?) -> Bool {
  value(or: false, with: realm) { realm throws(Refusal) in try realm.isWriting() }
}

@c @implementation public func openrealm_delete_all(_ realm: OpaquePointer?) -> Int32 {
  code(with: realm) { try $0.deleteAll() }
}

// MARK: Versions

@c @implementation public func openrealm_refresh(
  _ realm: OpaquePointer?, _ changed: UnsafeMutablePointer<Bool>?
) -> Int32 {
  code(with: realm) {
    let isNewer = try $0.refresh()
    changed?.pointee = isNewer
  }
}

@c @implementation public func openrealm_set_autorefresh(_ realm: OpaquePointer?, _ refreshes: Bool) -> Int32
{
  code(with: realm) { try $0.setAutorefresh(refreshes) }
}

@c @implementation public func openrealm_autorefresh(_ realm: OpaquePointer?) -> Bool {
  value(or: false, with: realm) { realm throws(Refusal) in try realm.autorefresh() }
}

@c @implementation public func openrealm_invalidate(_ realm: OpaquePointer?) -> Int32 {
  code(with: realm) { try $0.invalidate() }
}

@c @implementation public func openrealm_freeze(_ realm: OpaquePointer?) -> OpaquePointer? {
  handle(of: realm) { try $0.frozen() }
}

@c @implementation public func openrealm_thaw(_ realm: OpaquePointer?) -> OpaquePointer? {
  handle(of: realm) { try $0.thawed() }
}

@c @implementation public func openrealm_is_frozen(_ realm: OpaquePointer?) -> Bool {
  value(or: false, with: realm) { realm throws(Refusal) in realm.realm.isFrozen }
}

@c @implementation public func openrealm_is_same(_ first: OpaquePointer?, _ second: OpaquePointer?) -> Bool {
  value(or: false, with: first) { first throws(Refusal) in
    try RealmHandle.holding(second) { second throws(Refusal) in first.isSame(as: second.numbered) }
  }
}

@c @implementation public func openrealm_version_number(_ realm: OpaquePointer?) -> UInt64 {
  value(or: 0, with: realm) { realm throws(Refusal) in try realm.versionNumber() }
}

@c @implementation public func openrealm_schema_version(
  _ realm: OpaquePointer?, _ version: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  code(with: realm) {
    guard let version else { throw Refusal.null }
    version.pointee = try $0.schemaVersion()
  }
}

@c @implementation public func openrealm_realm_configuration(_ realm: OpaquePointer?) -> OpaquePointer? {
  handle { () throws(Refusal) in
    try RealmHandle.holding(realm) { realm throws(Refusal) in
      ConfigurationHandle(realm.numbered.configuration)
    }
  }
}

// MARK: Classes and properties

@c @implementation public func openrealm_class_number(
  _ realm: OpaquePointer?, _ name: UnsafePointer<CChar>?
) -> Int32 {
  value(or: -1, with: realm) { realm throws(Refusal) in Int32(try realm.classNumber(try checkedText(name))) }
}

@c @implementation public func openrealm_class_name(
  _ realm: OpaquePointer?, _ class_number: Int32, _ name: UnsafeMutablePointer<openrealm_value>?
) -> Int32 {
  code(with: realm) {
    guard let name else { throw Refusal.null }
    try Text.write(try $0.nameOfClass(Int(class_number)), to: name)
  }
}

@c @implementation public func openrealm_property_number(
  _ realm: OpaquePointer?, _ class_number: Int32, _ name: UnsafePointer<CChar>?
) -> Int32 {
  value(or: -1, with: realm) { realm throws(Refusal) in
    Int32(try realm.propertyNumber(try checkedText(name), ofClass: Int(class_number)))
  }
}

@c @implementation public func openrealm_target_class(
  _ realm: OpaquePointer?, _ class_number: Int32, _ property: Int32
) -> Int32 {
  value(or: -1, with: realm) { realm throws(Refusal) in
    Int32(try realm.targetClass(ofClass: Int(class_number), property: Int(property)) ?? -1)
  }
}
