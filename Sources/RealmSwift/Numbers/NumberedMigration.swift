import Foundation
import Storage

/// A migration while its function runs: the realms before and after it, by number.
///
/// All of it is refused with `closed` once the function has returned.
package final class NumberedMigration {
  /// Nil once the function has returned.
  private var migration: Migration?
  private let old: NumberedRealm
  private let new: NumberedRealm

  fileprivate init(_ migration: Migration) {
    self.migration = migration
    old = NumberedRealm(Realm(migration.oldRealm))
    new = NumberedRealm(Realm(migration.newRealm))
  }

  fileprivate func end() {
    migration = nil
    old.markClosed()
    new.markClosed()
  }

  /// Throws unless the function runs, on the calling thread.
  private func running() throws(Refusal) -> Migration {
    try new.check()
    guard let migration else { throw Refusal(.closed, "The migration has ended.") }
    return migration
  }

  /// The realm with the objects before the migration.
  package func oldRealm() throws(Refusal) -> NumberedRealm {
    _ = try running()
    return old
  }

  /// The realm that is migrated.
  package func newRealm() throws(Refusal) -> NumberedRealm {
    _ = try running()
    return new
  }

  /// Keeps the values of a property under a new name.
  package func rename(_ className: String, from oldName: String, to newName: String) throws(Refusal) {
    let migration = try running()
    do throws(ProgrammerError) {
      try migration.renamePropertyOrThrow(onType: className, from: oldName, to: newName)
    } catch {
      throw Refusal(error)
    }
  }

  /// Deletes the objects of a class, and the class itself unless the new classes have it.
  package func deleteData(_ className: String) throws(Refusal) {
    if !(try running()).deleteData(forType: className) {
      throw Refusal(.noSuchClass, "The Realm has no class '\(className)'.")
    }
  }
}

extension NumberedConfiguration {
  /// Sets the function that moves the objects to a new version of the classes; nil for none. Opening throws what it throws.
  package mutating func setMigration(
    _ migrate: (@Sendable (_ migration: NumberedMigration, _ oldVersion: UInt64) throws(Refusal) -> Void)?
  ) {
    guard let migrate else {
      configuration.migrationBlock = nil
      return
    }
    configuration.migrationBlock = { migration, oldVersion in
      let numbered = NumberedMigration(migration)
      defer { numbered.end() }
      do {
        try migrate(numbered, oldVersion)
        try migration.checkRenames()
      } catch {
        migration.fail(Refusal(of: error))
      }
    }
  }
}

/// The files that the calling thread is opening or compacting. A function that is called meanwhile must not open them: it
/// would wait for a lock that its own thread holds.
final class FilesInUse {
  private static let local = ThreadLocal { FilesInUse() }
  private var paths: [String] = []

  /// Throws `alreadyOpen` if the calling thread is opening the file, and `closed` in a child of fork(): the locks of Swift's
  /// library, which the file is opened with, take the child for its parent and end it.
  static func check(_ path: String) throws(Refusal) {
    if Fork.generation != 0 {
      throw Refusal(
        .closed, "A child process of fork() cannot use the Realm file at path '\(path)': call exec() first.",
        path: path)
    }
    let paths = local.value.paths
    if paths.isEmpty { return }
    let identity = RealmIdentity(path: path)
    if paths.contains(where: { $0 == path || identity != nil && RealmIdentity(path: $0) == identity }) {
      throw Refusal(
        .alreadyOpen,
        "The Realm at path '\(path)' is being opened: a function that is called for that cannot open the file itself.",
        path: path)
    }
  }

  /// Runs a body that may call functions of the program while it uses a file.
  static func using<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    try check(path)
    let files = local.value
    files.paths.append(path)
    defer { files.paths.removeLast() }
    return try body()
  }
}
