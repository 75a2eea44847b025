import Dispatch
import Foundation

/// A database: the objects of one file, as the current thread, or one queue, sees them.
///
///     let realm = try Realm()
///     try realm.write {
///       realm.add(Dog(value: ["name": "Wolfie"]))
///     }
///     for dog in realm.objects(Dog.self) { print(dog.name) }
///
/// A realm shows one version of the file until it is refreshed or written through, and belongs to the thread or
/// queue that it was opened on. Opening the same file there again gives the same realm, and realms are equal when
/// they are the same. The file is closed when the last realm, object and collection is gone.
@frozen public struct Realm: Equatable {
  let core: RealmCore

  init(_ core: RealmCore) { self.core = core }

  /// Whether both are the same live realm.
  public static func == (first: Realm, second: Realm) -> Bool { first.core === second.core }

  /// How objects are treated whose primary key is in the realm already.
  @frozen public enum UpdatePolicy: Int, Sendable {
    /// The program is stopped.
    case error = 1
    /// The object in the realm is updated where its values differ.
    case modified = 3
    /// All values of the object in the realm are written.
    case all = 2
  }

  // MARK: What it is

  /// The classes that the realm was opened with; with the schema of the file, those that it has now.
  public var schema: Schema {
    Schema(
      core.configuration.hasSchemaOfFile
        ? ModelClasses(core.snapshot.catalogue) : core.configuration.classes!)
  }

  /// A copy of the configuration that the realm was opened with, with its classes filled in.
  public var configuration: Configuration { core.configuration }

  /// Whether no object of any class is in the realm.
  public var isEmpty: Bool {
    core.checkThread()
    return core.snapshot.catalogue.tables.enumerated().allSatisfy { number, table in
      table.isRemoved || table.name.hasPrefix("__") || core.snapshot.liveCount(table: number) == 0
    }
  }

  /// Whether the realm shows one version for ever. Live realms do not.
  public var isFrozen: Bool { core.isFrozen }

  /// Whether the realm is to show the writes of others by itself, some time after they were committed. The default
  /// is true.
  ///
  /// That needs a place where it can be done: the main thread with a main queue that is served, a thread with a
  /// running run loop, a queue or an actor. Elsewhere call `refresh`, or write.
  public var autorefresh: Bool {
    get {
      core.checkThread()
      return core.isFrozen ? false : core.autorefresh
    }
    nonmutating set {
      core.checkThread()
      if core.isFrozen {
        if newValue { trap("Auto-refresh cannot be enabled for frozen Realms.") }
        return
      }
      core.autorefresh = newValue
    }
  }

  // MARK: Versions

  /// Shows the newest version, which others may have written. Returns whether it was another one.
  ///
  ///     if realm.refresh() { print("somebody has written") }
  @discardableResult
  public func refresh() -> Bool { core.refresh() }

  /// Forgets everything that was read: the objects and collections of the realm become invalid.
  ///
  /// An open write transaction is rolled back.
  public func invalidate() { core.invalidate() }
}
