import Foundation
import Glibc
import Synchronization

/// What a realm is kept in, however it was named.
enum RealmIdentity: Hashable {
  case file(device: UInt, inode: UInt)
  case memory(String)

  /// The identity of an existing file; nil when there is none.
  init?(path: String) {
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    self = .file(device: UInt(information.st_dev), inode: UInt(information.st_ino))
  }
}

/// The live realms of this process, held weakly: one for each file and thread or queue.
enum RealmCache {
  private struct Entry: @unchecked Sendable {
    let place: UInt
    // Loading a weak reference is safe on any thread; the realm itself is used only where it belongs.
    weak var core: RealmCore?
  }

  private static let entries = Mutex<[RealmIdentity: [Entry]]>([:])

  /// The realm that was opened here before and still lives.
  ///
  /// - Throws: When a realm of the same file was opened in a way that does not go with the configuration.
  static func find(
    _ identity: RealmIdentity, _ configuration: Realm.Configuration, at confinement: Confinement
  ) throws -> RealmCore? {
    let known = live(identity)
    if let here = known.first(where: { $0.place == confinement.identity })?.core {
      try checkHere(here.configuration, configuration)
      return here
    }
    for other in known { try checkElsewhere(other.core.configuration, configuration) }
    return nil
  }

  static func insert(_ core: RealmCore, _ identity: RealmIdentity) {
    // Not Sendable, but only its address is kept.
    nonisolated(unsafe) let core = core
    let place = core.confinement.identity
    entries.withLock { entries in
      var list = entries[identity] ?? []
      list.removeAll { $0.core == nil || $0.place == place }
      list.append(Entry(place: place, core: core))
      entries[identity] = list
      // Those of files that nobody opens any more.
      if entries.count > 64 { entries = entries.filter { $0.value.contains { $0.core != nil } } }
    }
  }

  static func isOpen(_ identity: RealmIdentity) -> Bool { !live(identity).isEmpty }

  /// The references are taken within the lock and dropped outside of it: the last one closes the realm.
  private static func live(_ identity: RealmIdentity) -> [(place: UInt, core: RealmCore)] {
    let list = entries.withLock { $0[identity] ?? [] }
    return list.compactMap { entry in entry.core.map { (entry.place, $0) } }
  }

  // MARK: Conflicts

  private static func checkHere(_ old: Realm.Configuration, _ new: Realm.Configuration) throws {
    if old.readOnly != new.readOnly { throw conflict(new, "read permissions") }
    if old.encryptionKey != new.encryptionKey { throw conflict(new, "encryption key") }
  }

  private static func checkElsewhere(_ old: Realm.Configuration, _ new: Realm.Configuration) throws {
    if old.encryptionKey != new.encryptionKey { throw conflict(new, "encryption key") }
    if old.readOnly != new.readOnly { throw conflict(new, "schema mode") }
    if old.schemaVersion != new.schemaVersion { throw conflict(new, "schema version") }
  }

  static func conflict(_ configuration: Realm.Configuration, _ setting: String) -> Realm.Error {
    let path = configuration.path
    return Realm.Error(.fail, "Realm at path '\(path)' already opened with different \(setting).", path: path)
  }
}

extension Realm.Configuration {
  /// The path of the file; that of an in-memory realm is only a name.
  var path: String {
    if let inMemoryIdentifier { return MemoryFiles.path(inMemoryIdentifier) }
    return fileURL!.path
  }
}
