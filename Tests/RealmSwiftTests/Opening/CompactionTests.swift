import Foundation
import RealmSwift
import TestSupport
import Testing

import struct Synchronization.Atomic

/// Files that are rewritten without unused space.
@Suite struct CompactionTests {
  let file = ScratchRealm()

  private func size() throws -> Int { try Data(contentsOf: file.url).count }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.folder.path).sorted()
  }

  /// Mostly unused space.
  private func fillAndEmpty() throws {
    try file.fill(dogs: 20_000)
    try file.write { realm in realm.delete(realm.objects(RealmDog.self).where { $0.id >= 100 }) }
  }

  @Test func onLaunch() throws {
    try fillAndEmpty()
    nonisolated(unsafe) var sizes: [(total: Int, used: Int)] = []
    var configuration = file.configuration()
    configuration.shouldCompactOnLaunch = { total, used in
      sizes.append((total, used))
      // A small file has grown ahead.
      return total > 2 * used + 65_536
    }
    let before = try size()
    do {
      let realm = try Realm(configuration: configuration)
      #expect(sizes.count == 1 && sizes[0].total == before && sizes[0].used < before / 4)
      #expect(try size() < sizes[0].used * 5 / 4)
      #expect(realm.objects(RealmDog.self).count == 100)
      #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 42)?.name == "dog 42")
      try realm.write { realm.add(RealmDog(value: ["id": 200])) }
      // Only the first one to open the file is asked.
      let count = onThread { [configuration] in
        try! Realm(configuration: configuration).objects(RealmDog.self).count
      }
      #expect(count == 101)
      #expect(sizes.count == 1)
    }
    // Now there is nothing to be gained.
    let compact = try size()
    #expect(try Realm(configuration: configuration).objects(RealmDog.self).count == 101)
    #expect(sizes.count == 2)
    #expect(try size() == compact)
    #expect(try names() == ["test.realm", "test.realm-lock"])
  }

  /// The block comes before the schema, also when the schema does not fit.
  @Test func beforeTheSchema() throws {
    try file.fill()
    let asked = Atomic(0)
    var configuration = file.configuration([OtherClasses.self])
    configuration.shouldCompactOnLaunch = { _, _ in
      asked.add(1, ordering: .relaxed)
      return true
    }
    #expect(realmError { _ = try Realm(configuration: configuration) }?.code == .schemaMismatch)
    #expect(asked.load(ordering: .relaxed) == 1)
    #expect(try file.open().objects(RealmDog.self).count == 100)
  }

  @Test func newFilesAndFilesInMemory() throws {
    var configuration = file.configuration()
    configuration.shouldCompactOnLaunch = { _, _ in fatalError("asked") }
    #expect(try Realm(configuration: configuration).isEmpty)
    configuration.inMemoryIdentifier = "\(UUID())"
    configuration.encryptionKey = nil
    #expect(try Realm(configuration: configuration).isEmpty)
  }

  @Test func byHand() throws {
    try fillAndEmpty()
    let before = try size()
    do {
      let realm = try file.open()
      #expect(try !Realm.compact(at: file.url, encryptionKey: ScratchRealm.usualKey))
      let isDone = onThread { [url = file.url] in
        try! Realm.compact(at: url, encryptionKey: ScratchRealm.usualKey)
      }
      #expect(!isDone)
      #expect(realm.objects(RealmDog.self).count == 100)
    }
    #expect(try size() == before)
    // By another name, too.
    let linked = file.folder.appending(path: "link.realm")
    #expect(symlink("test.realm", linked.path) == 0)
    #expect(try Realm.compact(at: linked, encryptionKey: ScratchRealm.usualKey))
    #expect(try size() < before / 4)
    #expect(try names() == ["link.realm", "test.realm", "test.realm-lock"])
    #expect(try file.open().objects(RealmDog.self).count == 100)
    let missing = realmError {
      try Realm.compact(
        at: file.folder.appending(path: "missing.realm"), encryptionKey: ScratchRealm.usualKey)
    }
    #expect(missing?.code == .fileNotFound)
    try Data("something else".utf8).write(to: linked.deletingLastPathComponent().appending(path: "text"))
    #expect(
      realmError {
        try Realm.compact(at: file.folder.appending(path: "text"), encryptionKey: ScratchRealm.usualKey)
      }?.code == .invalidDatabase)
    #expect(
      realmError { try Realm.compact(at: file.url, encryptionKey: Data(count: 64)) }?.code == .invalidDatabase
    )
  }

  /// Without the space for a second file everything stays as it was: by hand that is an error, on launch the file is opened.
  @Test func fullDisk() async throws {
    try file.fill(dogs: 20_000)
    let before = try size()
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      signal(SIGXFSZ, SIG_IGN)
      limitFiles(to: rlim_t(100 << 10))
      let url = URL(fileURLWithPath: path)
      precondition(
        realmError { try Realm.compact(at: url, encryptionKey: ScratchRealm.usualKey) }?.code
          == .outOfDiskSpace)
      let configuration = Realm.Configuration(
        fileURL: url, encryptionKey: ScratchRealm.usualKey, shouldCompactOnLaunch: { _, _ in true },
        objectTypes: [RealmDog.self, RealmPlace.self])
      let realm = try Realm(configuration: configuration)
      precondition(realm.objects(RealmDog.self).count == 20_000)
      let copy = URL(fileURLWithPath: path + ".copy")
      precondition(realmError { try realm.writeCopy(toFile: copy) }?.code == .outOfDiskSpace)
      let folder = url.deletingLastPathComponent().path
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      precondition(names == ["test.realm", "test.realm-lock"], "\(names)")
    }
    #expect(try size() == before)
    #expect(try file.open().objects(RealmDog.self).count == 20_000)
  }
}

/// A class that the file has no place for.
final class OtherClasses: Object {
  @Persisted(primaryKey: true) var id = ""
  override class func _realmObjectName() -> String? { "RealmDog" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
