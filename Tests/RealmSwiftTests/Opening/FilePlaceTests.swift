import Foundation
import RealmSwift
import Testing

/// Realms whose file has several names, or is lost while it is open.
@Suite struct FilePlaceTests {
  let file = ScratchRealm()

  private var lostMessage: String {
    "The Realm file at path '\(file.path)' was deleted, moved or replaced while it was open: close all its Realms and open it again."
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.folder.path).sorted()
  }

  @Test func writingToADeletedFile() throws {
    let realm = try file.open()
    try realm.write { realm.add(RealmDog(value: ["id": 1])) }
    try FileManager.default.removeItem(at: file.url)
    usleep(20_000)
    var isCalled = false
    let error = realmError {
      try realm.write {
        isCalled = true
        realm.deleteAll()
      }
    }
    #expect(error?.code == .fileAccess)
    #expect(error?.localizedDescription == lostMessage)
    #expect(error?.fileURL?.path == file.path)
    #expect(!isCalled && !realm.isInWriteTransaction)
    #expect(realm.objects(RealmDog.self).count == 1)
    // Where nothing can be thrown at the beginning, the commit throws.
    realm.beginWrite()
    realm.add(RealmDog(value: ["id": 2]))
    #expect(realmError { try realm.commitWrite() }?.localizedDescription == lostMessage)
    #expect(!realm.isInWriteTransaction)
    #expect(realm.objects(RealmDog.self).count == 1)
    realm.beginWrite()
    realm.cancelWrite()
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func asynchronousWritesToADeletedFile() async throws {
    let queue = DispatchQueue(label: "lost")
    let configuration = file.configuration()
    let message: String? = await withCheckedContinuation { continuation in
      queue.async {
        let realm = try! Realm(configuration: configuration, queue: queue)
        try! FileManager.default.removeItem(at: configuration.fileURL!)
        usleep(20_000)
        realm.writeAsync {
          realm.add(RealmDog())
        } onComplete: { error in
          continuation.resume(returning: (error as? Realm.Error)?.localizedDescription)
        }
      }
    }
    #expect(message == lostMessage)
  }

  @Test func openingAReplacedFile() throws {
    try file.fill(dogs: 3)
    let copy = file.folder.appendingPathComponent("copy.realm")
    try FileManager.default.copyItem(at: file.url, to: copy)
    do {
      let realm = try file.open()
      #expect(rename(copy.path, file.path) == 0)
      let error = realmError { _ = try file.open() }
      #expect(error?.code == .fileAccess)
      #expect(
        error?.localizedDescription
          == "Failed to open Realm file at path '\(file.path)': it was deleted or replaced while it was open, and the former file is still in use."
      )
      #expect(realm.objects(RealmDog.self).count == 3)
    }
    #expect(try file.open().objects(RealmDog.self).count == 3)
  }

  @Test func hardLinks() throws {
    try file.fill(dogs: 3)
    let other = file.folder.appendingPathComponent("other.realm")
    #expect(link(file.path, other.path) == 0)
    let error = realmError { _ = try file.open() }
    #expect(error?.code == .fileAccess)
    #expect(
      error?.localizedDescription
        == "Failed to open Realm file at path '\(file.path)': it has 2 names (hard links), and may have only one."
    )
  }

  /// One realm, whichever name it is opened by, and its files are deleted by each.
  @Test func symbolicLinks() throws {
    let linked = file.folder.appendingPathComponent("link.realm")
    #expect(symlink("test.realm", linked.path) == 0)
    var configuration = file.configuration()
    configuration.fileURL = linked
    do {
      let realm = try Realm(configuration: configuration)
      let other = try file.open()
      try realm.write { realm.add(RealmDog()) }
      #expect(other.objects(RealmDog.self).count == 1)
      #expect(realmError { _ = try Realm.deleteFiles(for: configuration) }?.code == .alreadyOpen)
    }
    #expect(try names() == ["link.realm", "test.realm", "test.realm-lock"])
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(try names().isEmpty)
  }

  /// Threads that copy the same seed at once.
  @Test func seedsOnManyThreads() throws {
    try file.fill(dogs: 7)
    for _ in 0..<5 {
      let target = ScratchRealm()
      var configuration = target.configuration()
      configuration.seedFilePath = file.url
      let shared = configuration
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        let realm = try! Realm(configuration: shared)
        #expect(realm.objects(RealmDog.self).count == 7)
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: target.folder.path).sorted()
          == ["test.realm", "test.realm-lock"])
    }
  }

  /// Nothing of a realm in memory is in the temporary folder, and what somebody has put there is left alone.
  @Test func realmsInMemory() throws {
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())
        .filter { $0.hasPrefix("openrealm-\(getpid())-") }
    }
    let planted = (1...3).map { NSTemporaryDirectory() + "/openrealm-\(getpid())-\($0)" }
    for path in planted { try Data("somebody's".utf8).write(to: URL(fileURLWithPath: path)) }
    defer { for path in planted { unlink(path) } }
    let realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: "\(UUID())", objectTypes: [RealmDog.self]))
    try realm.write { realm.add(RealmDog()) }
    #expect(try names().count == 3)
    for path in planted { #expect(FileManager.default.contents(atPath: path) == Data("somebody's".utf8)) }
  }
}
