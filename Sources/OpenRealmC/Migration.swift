import COpenRealm
import RealmSwift

// The migrations of configuration.h.

/// A migration that a function of C works with.
final class MigrationHandle: Handle, MarkedHandle {
  static var mark: HandleMark { .migration }
  let migration: NumberedMigration

  init(_ migration: NumberedMigration) {
    self.migration = migration
    super.init(.migration)
  }
}

@c @implementation public func openrealm_configuration_set_migration(
  _ configuration: OpaquePointer?,
  _ migrate: (@convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UInt64) -> Int32)?,
  _ context: UnsafeMutableRawPointer?, _ destroy: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> Int32 {
  code { () throws(Refusal) in
    try ConfigurationHandle.holding(configuration) { configuration throws(Refusal) in
      try configuration.change { known throws(Refusal) in
        guard let migrate else { return known.setMigration(nil) }
        let context = CallbackContext(context, destroy)
        known.setMigration { migration, oldVersion throws(Refusal) in
          let failureCount = LastError.count
          let pointer = MigrationHandle(migration).pointer
          let answer = migrate(context.pointer, pointer, oldVersion)
          openrealm_release(UnsafeMutableRawPointer(pointer))
          if answer != 0 { throw refusal(answer, since: failureCount) }
        }
      }
    }
  }
}

/// The refusal for a migration function that did not return 0.
///
/// - Parameter failureCount: The number of failures of the thread before the function was called.
private func refusal(_ answer: Int32, since failureCount: Int) -> Refusal {
  var message = "The migration function returned \(answer): nothing was migrated."
  if LastError.count > failureCount, let text = LastError.current?.message {
    message += " The last call that failed in it: \(String(cString: text))"
  }
  return Refusal(.migrationFailed, message)
}

/// Runs a body with the migration behind a pointer.
private func with<Result>(
  _ migration: OpaquePointer?, _ body: (NumberedMigration) throws(Refusal) -> Result
) throws(Refusal) -> Result {
  try MigrationHandle.holding(migration) { known throws(Refusal) in try body(known.migration) }
}

@c @implementation public func openrealm_migration_old_realm(_ migration: OpaquePointer?) -> OpaquePointer? {
  handle { () throws(Refusal) in
    try with(migration) { known throws(Refusal) in RealmHandle(try known.oldRealm()) }
  }
}

@c @implementation public func openrealm_migration_new_realm(_ migration: OpaquePointer?) -> OpaquePointer? {
  handle { () throws(Refusal) in
    try with(migration) { known throws(Refusal) in RealmHandle(try known.newRealm()) }
  }
}

@c @implementation public func openrealm_migration_rename(
  _ migration: OpaquePointer?, _ class_name: UnsafePointer<CChar>?, _ old_name: UnsafePointer<CChar>?,
  _ new_name: UnsafePointer<CChar>?
) -> Int32 {
  code { () throws(Refusal) in
    try with(migration) { known throws(Refusal) in
      try known.rename(
        try checkedText(class_name), from: try checkedText(old_name), to: try checkedText(new_name))
    }
  }
}

@c @implementation public func openrealm_migration_delete_data(
  _ migration: OpaquePointer?, _ class_name: UnsafePointer<CChar>?
) -> Int32 {
  code { () throws(Refusal) in
    try with(migration) { known throws(Refusal) in try known.deleteData(try checkedText(class_name)) }
  }
}
