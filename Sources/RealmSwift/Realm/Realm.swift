import Dispatch
import Foundation

/// A database: the objects of one file, as seen by the current thread, or by a queue or actor.
///
/// ```swift
/// let realm = try Realm()
/// try realm.write {
///   realm.add(Hut(value: ["name": "Larch", "beds": 12]))
/// }
/// for hut in realm.objects(Hut.self) { print(hut.name) }
/// ```
///
/// A realm shows one version of the file until it is refreshed or written, and belongs to the thread, queue
/// or actor that opened it. Opening the same file there again returns the same realm. The file is closed when
/// its last realm, object and collection is released.
@frozen public struct Realm: Equatable {
  let core: RealmCore

  init(_ core: RealmCore) { self.core = core }

  /// Returns whether both are the same live realm.
  public static func == (first: Realm, second: Realm) -> Bool { first.core === second.core }

  /// The treatment of objects whose primary key is taken.
  @frozen public enum UpdatePolicy: Int, Sendable {
    /// The program stops.
    case error = 1
    /// The values that differ are set in the existing object.
    case modified = 3
    /// All values are set in the existing object.
    case all = 2
  }

  // MARK: What it is

  /// The classes that the realm was opened with; with the schema of the file, the classes that the file has
  /// now.
  public var schema: Schema {
    Schema(
      core.configuration.hasSchemaOfFile
        ? ModelClasses(core.snapshot.catalogue) : core.configuration.classes!)
  }

  /// A copy of the configuration that the realm was opened with, with its classes filled in.
  public var configuration: Configuration { core.configuration }

  /// Whether the realm has no objects of any class.
  public var isEmpty: Bool {
    core.checkThread()
    return core.snapshot.catalogue.tables.enumerated().allSatisfy { number, table in
      table.isRemoved || table.name.hasPrefix("__") || core.snapshot.liveCount(table: number) == 0
    }
  }

  /// Whether the realm is frozen and shows one version permanently. Live realms are not.
  public var isFrozen: Bool { core.isFrozen }

  /// Whether the realm refreshes automatically, some time after a commit of another thread or process. The
  /// default is true.
  ///
  /// Automatic refresh needs an event loop: the main thread with a main queue that is served, a thread with a
  /// running run loop, a queue or an actor. On other threads, call `refresh` or begin a write transaction.
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

  /// Moves the realm to the newest version. Returns whether that was another version.
  ///
  /// ```swift
  /// if realm.refresh() { print("another thread or process has committed") }
  /// ```
  @discardableResult
  public func refresh() -> Bool { core.refresh() }

  /// Releases everything that was read: the objects and collections of the realm become invalid.
  ///
  /// An open write transaction is rolled back.
  public func invalidate() { core.invalidate() }
}
