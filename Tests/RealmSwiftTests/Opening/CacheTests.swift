import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

@Suite struct CacheTests {
  let file = ScratchRealm()

  @Test func openingTwiceGivesTheSameRealm() throws {
    let first = try file.open()
    let second = try file.open()
    #expect(first == second)
    let other = ScratchRealm()
    #expect(try other.open() != first)
  }

  @Test func linksLeadToTheSameRealm() throws {
    let first = try file.open()
    let link = file.folder.appendingPathComponent("link.realm")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file.url)
    var configuration = file.configuration()
    configuration.fileURL = link
    #expect(try Realm(configuration: configuration) == first)
  }

  @Test func threadsHaveTheirOwn() throws {
    nonisolated(unsafe) let here = try file.open()
    let configuration = file.configuration()
    #expect(!onThread { try! Realm(configuration: configuration) == here })
  }

  @Test func queuesHaveTheirOwn() throws {
    let configuration = file.configuration()
    let queue = DispatchQueue(label: "realm")
    nonisolated(unsafe) var first: Realm?
    queue.sync { first = try! Realm(configuration: configuration, queue: queue) }
    queue.sync {
      #expect(try! Realm(configuration: configuration, queue: queue) == first!)
      try! first!.write { first!.add(RealmDog(value: ["id": 1])) }
      #expect(first!.objects(RealmDog.self).count == 1)
    }
    #expect(try Realm(configuration: configuration).objects(RealmDog.self).count == 1)
    queue.sync { first = nil }
  }

  @Test func theQueueMustBeTheCurrentOne() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: "queue", objectTypes: [RealmDog.self]),
        queue: DispatchQueue(label: "other"))
    }
    expectStop(result, saying: "Realm opened from incorrect dispatch queue.")
  }

  @Test func objectsKeepTheRealmOpen() throws {
    var dog: RealmDog?
    do {
      let realm = try file.open()
      try realm.write { dog = realm.create(RealmDog.self, value: ["id": 1, "name": "Wolfie"]) }
    }
    #expect(dog?.name == "Wolfie")
    #expect(try dog?.realm == file.open())
    #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: file.configuration()) }
    dog = nil
    #expect(try Realm.deleteFiles(for: file.configuration()))
  }

  // MARK: Conflicts

  @Test func readPermissionsMustAgreeHere() throws {
    let realm = try file.open()
    let error = realmError { _ = try file.openReadOnly() }
    #expect(error?.code == .fail)
    #expect(
      error?.localizedDescription
        == "Realm at path '\(file.path)' already opened with different read permissions.")
    withExtendedLifetime(realm) {}
  }

  @Test func settingsMustAgreeWithThoseOfOtherThreads() throws {
    let realm = try file.open()
    let otherVersion = file.configuration(version: 1)
    let versionError = onThread { realmError { _ = try Realm(configuration: otherVersion) } }
    #expect(
      versionError?.localizedDescription
        == "Realm at path '\(file.path)' already opened with different schema version.")
    var readOnly = file.configuration()
    readOnly.readOnly = true
    let modeError = onThread { [readOnly] in realmError { _ = try Realm(configuration: readOnly) } }
    #expect(
      modeError?.localizedDescription
        == "Realm at path '\(file.path)' already opened with different schema mode.")
    withExtendedLifetime(realm) {}
  }

  @Test func aPathAndAnIdentifierConflict() throws {
    let identifier = "conflict-\(UUID().uuidString)"
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(identifier)
    let memory = Realm.Configuration(inMemoryIdentifier: identifier, objectTypes: [RealmDog.self])
    let onDisk = Realm.Configuration(fileURL: url, objectTypes: [RealmDog.self])
    defer { _ = try? Realm.deleteFiles(for: onDisk) }
    do {
      let realm = try Realm(configuration: memory)
      let error = realmError { _ = try Realm(configuration: onDisk) }
      #expect(
        error?.localizedDescription.hasSuffix("already opened with different inMemory settings.") == true)
      withExtendedLifetime(realm) {}
    }
    let realm = try Realm(configuration: onDisk)
    let error = realmError { _ = try Realm(configuration: memory) }
    #expect(error?.localizedDescription.hasSuffix("already opened with different inMemory settings.") == true)
    withExtendedLifetime(realm) {}
  }

  // MARK: In memory

  @Test func memoryIsSharedAndThenForgotten() throws {
    let identifier = "memory-\(UUID().uuidString)"
    let configuration = Realm.Configuration(
      inMemoryIdentifier: identifier, objectTypes: [RealmDog.self, RealmPlace.self])
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(RealmDog(value: ["id": 1])) }
      #expect(try Realm(configuration: configuration) == realm)
      #expect(
        onThread { try! Realm(configuration: configuration).objects(RealmDog.self).count } == 1)
      var other = configuration
      other.inMemoryIdentifier = identifier + "-other"
      #expect(try Realm(configuration: other).isEmpty)
      #expect(realm.configuration.inMemoryIdentifier == identifier)
      #expect(Realm.fileExists(for: configuration))
    }
    #expect(!Realm.fileExists(for: configuration))
    #expect(try Realm(configuration: configuration).isEmpty)
  }

  @Test func memoryLeavesNoFiles() async {
    // In a process of its own, where no other test makes such files meanwhile.
    await #expect(processExitsWith: .success) {
      func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory()).filter {
          $0.hasPrefix("openrealm-\(getpid())-")
        }
      }
      let realm = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: "files", objectTypes: [RealmDog.self]))
      try realm.write { realm.add(RealmDog(value: ["id": 1])) }
      let left = try files()
      precondition(left.isEmpty)
    }
  }

  @Test func manyRealmsInMemoryAtOnce() throws {
    let count = 50
    var realms: [Realm] = []
    for number in 0..<count {
      let configuration = Realm.Configuration(
        inMemoryIdentifier: "many-\(number)", objectTypes: [RealmDog.self])
      realms.append(try Realm(configuration: configuration))
      try realms[number].write { realms[number].add(RealmDog(value: ["id": number])) }
    }
    for number in 0..<count {
      #expect(realms[number].objects(RealmDog.self).first?.id == number)
    }
  }
}
