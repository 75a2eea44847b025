import Dispatch
import Foundation
import RealmSwift
import Testing

/// A realm of a queue, in which things are observed, and threads that write beside it.
struct ObservedRealm {
  let file: ScratchRealm
  let realm: Realm

  /// Runs a body where the realm may be used.
  static func run(_ body: (ObservedRealm) throws -> Void) throws {
    let file = ScratchRealm(watchedClasses)
    let queue = DispatchQueue(label: "observer")
    try queue.sync {
      let observed = ObservedRealm(
        file: file, realm: try Realm(configuration: file.configuration, queue: queue))
      try body(observed)
    }
  }

  /// Writes on another thread. The realm does not show it before it is refreshed.
  func writeElsewhere(_ body: @escaping @Sendable (Realm) throws -> Void) throws {
    let file = file
    try onOtherThread {
      let realm = try file.open()
      try realm.write { try body(realm) }
    }
  }

  /// Writes on another thread and delivers.
  func change(_ body: @escaping @Sendable (Realm) throws -> Void) throws {
    try writeElsewhere(body)
    realm.refresh()
  }

  func dog(_ id: Int) -> WatchedDog { realm.object(ofType: WatchedDog.self, forPrimaryKey: id)! }
  func keeper(_ id: Int) -> WatchedKeeper { realm.object(ofType: WatchedKeeper.self, forPrimaryKey: id)! }

  /// Adds dogs with these ids, whose ages are the ids.
  func addDogs(_ ids: Range<Int>) throws {
    try realm.write {
      for id in ids { realm.add(WatchedDog(value: ["id": id, "age": id, "name": "d\(id)"])) }
    }
  }
}

/// What a collection's observer was told.
final class CollectionLog {
  enum Entry: Equatable {
    case initial(count: Int)
    case update(deletions: [Int], insertions: [Int], modifications: [Int])
    case error
  }

  private(set) var entries: [Entry] = []
  var token: NotificationToken?

  /// The entries since the last time.
  func take() -> [Entry] {
    defer { entries = [] }
    return entries
  }

  func add<C: RealmCollection>(_ change: RealmCollectionChange<C>) {
    switch change {
    case .initial(let collection): entries.append(.initial(count: collection.count))
    case .update(_, let deletions, let insertions, let modifications):
      entries.append(.update(deletions: deletions, insertions: insertions, modifications: modifications))
    case .error: entries.append(.error)
    }
  }

  static func observe<C: RealmCollection>(_ collection: C, keyPaths: [String]? = nil) -> CollectionLog {
    let log = CollectionLog()
    log.token = collection.observe(keyPaths: keyPaths) { [unowned log] in log.add($0) }
    return log
  }
}

/// What an object's observer was told: names with old and new values, or "deleted".
final class ObjectLog {
  private(set) var entries: [[String]] = []
  var token: NotificationToken?

  func take() -> [[String]] {
    defer { entries = [] }
    return entries
  }

  static func observe<T: Object>(_ object: T, keyPaths: [String]? = nil) -> ObjectLog {
    let log = ObjectLog()
    log.token = object.observe(keyPaths: keyPaths) { [unowned log] (change: ObjectChange<T>) in
      switch change {
      case .change(_, let properties):
        log.entries.append(
          properties.map {
            "\($0.name): \($0.oldValue.map { "\($0)" } ?? "-") > \($0.newValue.map { "\($0)" } ?? "-")"
          })
      case .deleted: log.entries.append(["deleted"])
      case .error: log.entries.append(["error"])
      }
    }
    return log
  }
}
