public import COpenRealm
import RealmSwift
import Synchronization

// configuration.h

/// A configuration that C uses.
final class ConfigurationHandle: Handle, MarkedHandle {
  static var mark: HandleMark { .configuration }
  private let configuration: Mutex<NumberedConfiguration>

  init(_ configuration: NumberedConfiguration) {
    self.configuration = Mutex(configuration)
    super.init(.configuration)
  }

  var copy: NumberedConfiguration { configuration.withLock { $0 } }

  /// Changes the configuration. What was replaced is released outside of the lock, as it may call a function of C.
  func change(_ body: (inout NumberedConfiguration) throws(Refusal) -> Void) throws(Refusal) {
    let old = copy
    var new = old
    try body(&new)
    configuration.withLock { $0 = new }
    withExtendedLifetime(old) {}
  }
}

/// What a function of C is called with. `destroy` is called when nothing can call the function any more.
final class CallbackContext: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer?
  private let destroy: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?

  init(
    _ pointer: UnsafeMutableRawPointer?, _ destroy: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
  ) {
    self.pointer = pointer
    self.destroy = destroy
  }

  deinit { destroy?(pointer) }
}

/// Runs the body of a function that changes a configuration.
private func change(
  _ configuration: OpaquePointer?, _ body: (inout NumberedConfiguration) throws(Refusal) -> Void
) -> Int32 {
  code { () throws(Refusal) in
    try ConfigurationHandle.holding(configuration) { known throws(Refusal) in try known.change(body) }
  }
}

@c @implementation public func openrealm_configuration_new() -> OpaquePointer? {
  handle { ConfigurationHandle(NumberedConfiguration()) }
}

@c @implementation public func openrealm_configuration_copy(_ configuration: OpaquePointer?) -> OpaquePointer?
{
  handle { () throws(Refusal) in
    try ConfigurationHandle.holding(configuration) { known throws(Refusal) in ConfigurationHandle(known.copy)
    }
  }
}

// MARK: Which file

@c @implementation public func openrealm_configuration_set_path(
  _ configuration: OpaquePointer?, _ path: UnsafePointer<CChar>?
) -> Int32 {
  change(configuration) { known throws(Refusal) in try known.setPath(try checkedText(path)) }
}

@c @implementation public func openrealm_configuration_path(
  _ configuration: OpaquePointer?, _ path: UnsafeMutablePointer<openrealm_value>?
) -> Int32 {
  code { () throws(Refusal) in
    try ConfigurationHandle.holding(configuration) { known throws(Refusal) in
      guard let path else { throw .null }
      try Text.write(known.copy.path, to: path)
    }
  }
}

@c @implementation public func openrealm_configuration_set_memory_name(
  _ configuration: OpaquePointer?, _ name: UnsafePointer<CChar>?
) -> Int32 {
  change(configuration) { known throws(Refusal) in try known.setMemoryName(try checkedText(name)) }
}

@c @implementation public func openrealm_configuration_set_key(
  _ configuration: OpaquePointer?, _ key: UnsafePointer<UInt8>?, _ size: Int
) -> Int32 {
  change(configuration) { known throws(Refusal) in
    if key == nil && size != 0 { throw .null }
    try known.setKey(try readKey(key, size: size))
  }
}

@c @implementation public func openrealm_configuration_set_seed(
  _ configuration: OpaquePointer?, _ path: UnsafePointer<CChar>?
) -> Int32 {
  change(configuration) { known throws(Refusal) in try known.setSeed(try Text.readOptional(path)) }
}

// MARK: Classes

@c @implementation public func openrealm_configuration_set_schema(
  _ configuration: OpaquePointer?, _ schema: OpaquePointer?
) -> Int32 {
  change(configuration) { known throws(Refusal) in
    known.setSchema(try SchemaHandle.optional(schema)?.schema)
  }
}

@c @implementation public func openrealm_configuration_set_schema_version(
  _ configuration: OpaquePointer?, _ version: UInt64
) -> Int32 {
  change(configuration) { known throws(Refusal) in try known.setSchemaVersion(version) }
}

// MARK: How it is opened

@c @implementation public func openrealm_configuration_set_read_only(
  _ configuration: OpaquePointer?, _ read_only: Bool
) -> Int32 {
  change(configuration) { $0.setReadOnly(read_only) }
}

@c @implementation public func openrealm_configuration_set_durable(
  _ configuration: OpaquePointer?, _ durable: Bool
) -> Int32 {
  change(configuration) { $0.setDurable(durable) }
}

@c @implementation public func openrealm_configuration_set_delete_if_migration_needed(
  _ configuration: OpaquePointer?, _ deletes: Bool
) -> Int32 {
  change(configuration) { $0.setDeletesIfMigrationNeeded(deletes) }
}

@c @implementation public func openrealm_configuration_set_convert_official(
  _ configuration: OpaquePointer?, _ converts: Bool
) -> Int32 {
  change(configuration) { $0.setConvertsOfficial(converts) }
}

@c @implementation public func openrealm_configuration_set_maximum_versions(
  _ configuration: OpaquePointer?, _ maximum: UInt64
) -> Int32 {
  change(configuration) { $0.setMaximumVersions(maximum) }
}

@c @implementation public func openrealm_configuration_set_compaction(
  _ configuration: OpaquePointer?,
  _ compacts: (@convention(c) (UnsafeMutableRawPointer?, UInt64, UInt64) -> Bool)?,
  _ context: UnsafeMutableRawPointer?, _ destroy: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> Int32 {
  change(configuration) { known in
    guard let compacts else { return known.setCompaction(nil) }
    let context = CallbackContext(context, destroy)
    known.setCompaction { compacts(context.pointer, UInt64($0), UInt64($1)) }
  }
}
