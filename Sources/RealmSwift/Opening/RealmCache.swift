import Foundation
import Storage
import SwiftRuntime
import Synchronization

/// What a realm is kept in, however it was named.
enum RealmIdentity: Equatable {
  case file(FileIdentity)
  case memory(String)

  /// The identity of an existing file; nil when there is none.
  init?(path: String) {
    guard let file = FileIdentity(path: path) else { return nil }
    self = .file(file)
  }

  init(_ file: FileIdentity) { self = .file(file) }
}

/// The live realms of this process: one for each file and thread or queue.
///
/// The cache does not keep them alive, and has no weak references to them either: those would move a realm's
/// reference counts to a side table and make every object that is read slower.
///
/// Invariants: An entry's realm is in memory as long as the lock is held, because a realm that is being freed first
/// takes itself out, for which it needs the lock. A reference to it is had only from an `UncountedReference`, in one
/// atomic step: either it comes before the last release, and the realm lives on, or it fails.
enum RealmCache {
  private struct Entry: @unchecked Sendable {
    let place: Confinement.Identity
    let number: UInt64
    /// Only under the lock.
    let core: UncountedReference<RealmCore>
  }

  /// The cached realms of each file. Files are compared one by one, as in the registry of those that are open.
  private struct Entries: Sendable {
    private var files: [(identity: RealmIdentity, realms: [Entry])] = []

    subscript(_ identity: RealmIdentity) -> [Entry] {
      get { files.first { $0.identity == identity }?.realms ?? [] }
      _modify {
        let place = files.firstIndex { $0.identity == identity } ?? files.count
        if place == files.count { files.append((identity, [])) }
        defer { if files[place].realms.isEmpty { files.remove(at: place) } }
        yield &files[place].realms
      }
    }
  }

  private static let entries = Mutex(Entries())

  /// The realm that was opened here before and still lives.
  ///
  /// - Throws: When a realm of the same file was opened in a way that does not go with the configuration.
  static func find(
    _ identity: RealmIdentity, _ configuration: Realm.Configuration, at confinement: Confinement
  ) throws -> RealmCore? {
    let known = live(identity)
    let place = confinement.identity
    if let here = known.first(where: { $0.place == place && !$0.core.confinement.isGone })?.core {
      try checkHere(here.configuration, configuration)
      return here
    }
    for other in known { try checkElsewhere(other.core.configuration, configuration) }
    return nil
  }

  /// The realm that was opened here before, however it was.
  static func here(_ identity: RealmIdentity, _ confinement: Confinement) -> RealmCore? {
    let place = confinement.identity
    return live(identity).first { $0.place == place && !$0.core.confinement.isGone }?.core
  }

  static func insert(_ core: RealmCore, _ identity: RealmIdentity) {
    core.cacheIdentity = identity
    let entry = Entry(place: core.confinement.identity, number: core.number, core: UncountedReference(core))
    entries.withLock { entries in
      entries[identity].removeAll { $0.place == entry.place }
      entries[identity].append(entry)
    }
  }

  /// Forgets a realm that is being freed.
  static func remove(_ core: RealmCore) {
    guard let identity = core.cacheIdentity else { return }
    let address = UncountedReference.address(of: core)
    entries.withLock { entries in
      entries[identity].removeAll { $0.core.address == address }
    }
    core.confinement.forget(realm: core.number)
  }

  /// The frozen realm of the version that a live one shows, with the same classes, if it still lives.
  static func frozen(_ identity: RealmIdentity, of live: RealmCore) -> RealmCore? {
    self.live(identity).first { $0.place == .anywhere && $0.core.isFrozenState(of: live) }?.core
  }

  /// Adds a frozen realm, unless another thread was quicker: then that one is returned.
  static func insertFrozen(_ core: RealmCore, _ identity: RealmIdentity) -> RealmCore {
    nonisolated(unsafe) let core = core
    // Those looked at may be left with the last reference, which must not be dropped within the lock.
    struct Found: @unchecked Sendable {
      var core: RealmCore
      var lookedAt: [RealmCore]
    }
    return entries.withLock { entries in
      let frozen = entries[identity].filter { $0.place == .anywhere }.compactMap {
        $0.core.retained()
      }
      if let other = frozen.first(where: { $0.isFrozenState(of: core) }) {
        return Found(core: other, lookedAt: frozen)
      }
      core.cacheIdentity = identity
      entries[identity].append(
        Entry(place: .anywhere, number: core.number, core: UncountedReference(core)))
      return Found(core: core, lookedAt: frozen)
    }.core
  }

  /// The realm with a number, if it still lives.
  static func realm(_ identity: RealmIdentity, number: UInt64) -> RealmCore? {
    struct Found: @unchecked Sendable { var core: RealmCore? }
    return entries.withLock { entries in
      Found(core: entries[identity].first { $0.number == number }?.core.retained())
    }.core
  }

  static func isOpen(_ identity: RealmIdentity) -> Bool { !live(identity).isEmpty }

  /// The references are taken within the lock and dropped outside of it: the last one closes the realm.
  private static func live(_ identity: RealmIdentity) -> [(place: Confinement.Identity, core: RealmCore)] {
    struct Live: @unchecked Sendable { var realms: [(place: Confinement.Identity, core: RealmCore)] }
    return entries.withLock { entries in
      Live(
        realms: entries[identity].compactMap { entry in
          entry.core.retained().map { (entry.place, $0) }
        })
    }.realms.filter { !$0.core.isInherited }
  }

  // MARK: Conflicts

  private static func checkHere(_ old: Realm.Configuration, _ new: Realm.Configuration) throws {
    if old.readOnly != new.readOnly { throw conflict(new, "read permissions") }
    if old.encryptionKey != new.encryptionKey { throw conflict(new, "encryption key") }
    // The known realm is returned, which synchronises nothing else.
    if let wanted = new.syncConfiguration?.synchroniser,
      old.syncConfiguration.map({ wanted.isEquivalent(to: $0.synchroniser) }) != true
    {
      throw conflict(new, "sync configuration")
    }
  }

  private static func checkElsewhere(_ old: Realm.Configuration, _ new: Realm.Configuration) throws {
    if old.encryptionKey != new.encryptionKey { throw conflict(new, "encryption key") }
    if old.readOnly != new.readOnly { throw conflict(new, "schema mode") }
    if !new.hasSchemaOfFile && old.schemaVersion != new.schemaVersion {
      throw conflict(new, "schema version")
    }
  }

  static func conflict(_ configuration: Realm.Configuration, _ setting: String) -> Realm.Error {
    let path = configuration.path
    return Realm.Error(
      .fail, "Realm at path '\(path)' already opened with different \(setting).", path: path,
      reason: .conflictingSettings)
  }
}

extension Realm.Configuration {
  /// Whether a realm that was opened with this configuration is just what another one asks for.
  func opensAlike(_ other: Realm.Configuration) -> Bool {
    var other = other
    if other.hasSchemaOfFile { other.schemaVersion = schemaVersion }
    return self == other && hasSchemaOfFile == other.hasSchemaOfFile
      && (hasSchemaOfFile || classes!.areAlike(other.classes ?? ModelClasses.discovered))
      && (shouldCompactOnLaunch == nil) == (other.shouldCompactOnLaunch == nil)
      && deleteRealmIfMigrationNeeded == other.deleteRealmIfMigrationNeeded
  }

  /// The path of the file; that of an in-memory realm is only a name.
  var path: String {
    if let inMemoryIdentifier { return MemoryFiles.path(inMemoryIdentifier) }
    return fileURL!.filePath
  }
}
