import Foundation
import RealmSwift
import TestSupport
import Testing

/// Copies of what a realm shows.
@Suite struct CopyTests {
  let file = ScratchRealm()

  private func copy(_ name: String = "copy.realm") -> URL { file.folder.appending(path: name) }

  private func ages(_ url: URL) throws -> Set<Int> {
    var configuration = file.configuration()
    configuration.fileURL = url
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(RealmDog.self).count >= 100)
    return Set(realm.objects(RealmDog.self).map(\.age))
  }

  private func setAges(_ realm: Realm, _ age: Int) {
    realm.objects(RealmDog.self).setValue(age, forKey: "age")
  }

  /// A copy within a write transaction has what it changed, which is still there and can still be taken back.
  @Test func uncommittedChanges() throws {
    try file.fill()
    let realm = try file.open()
    realm.beginWrite()
    setAges(realm, 7)
    let added = realm.create(RealmDog.self, value: ["id": 1000, "age": 7])
    try realm.writeCopy(toFile: copy(), encryptionKey: ScratchRealm.usualKey)
    #expect(realm.isInWriteTransaction)
    #expect(try ages(copy()) == [7])
    #expect(added.id == 1000 && added.age == 7)
    setAges(realm, 8)
    try realm.writeCopy(toFile: copy("second.realm"), encryptionKey: ScratchRealm.usualKey)
    #expect(try ages(copy("second.realm")) == [8])
    realm.cancelWrite()
    #expect(Set(realm.objects(RealmDog.self).map(\.age)) == Set(0..<20))
    #expect(added.isInvalidated)
    try realm.write {
      setAges(realm, 9)
      try realm.writeCopy(toFile: copy("third.realm"), encryptionKey: ScratchRealm.usualKey)
      setAges(realm, 10)
    }
    #expect(try ages(copy("third.realm")) == [9])
    #expect(try ages(file.url) == [10])
  }

  /// The schema of a copy is that of the file, also when the transaction has changed nothing yet.
  @Test func ofAnEmptyRealm() throws {
    let realm = try file.open(version: 3)
    try realm.write { try realm.writeCopy(toFile: copy(), encryptionKey: ScratchRealm.usualKey) }
    #expect(try schemaVersionAtURL(copy(), encryptionKey: ScratchRealm.usualKey) == 3)
    let memory = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: "\(UUID())", objectTypes: ScratchRealm.classes))
    try memory.write { memory.add(RealmDog(value: ["id": 1])) }
    try memory.writeCopy(configuration: file.configuration(version: 1, at: copy("memory.realm")))
    var configuration = file.configuration()
    configuration.fileURL = copy("memory.realm")
    #expect(try Realm(configuration: configuration).objects(RealmDog.self).count == 1)
  }

  /// Frozen realms, and live ones that have not been refreshed, are copied as they are, while others write.
  @Test func whileOthersWrite() throws {
    try file.fill()
    let realm = try file.open()
    try realm.write { setAges(realm, 0) }
    nonisolated(unsafe) let frozen = realm.freeze()
    let isEnough = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    let shared = file
    Thread.detachNewThread {
      var configuration = shared.configuration()
      configuration.durability = .relaxed
      let realm = try! Realm(configuration: configuration)
      var age = 0
      repeat {
        age += 1
        try! realm.write { realm.objects(RealmDog.self).setValue(age, forKey: "age") }
      } while isEnough.wait(timeout: .now()) == .timedOut
      ended.signal()
    }
    realm.autorefresh = false
    for number in 0..<5 {
      realm.refresh()
      let shown = realm.objects(RealmDog.self)[0].age
      try realm.writeCopy(toFile: copy("live-\(number).realm"), encryptionKey: ScratchRealm.usualKey)
      #expect(try ages(copy("live-\(number).realm")) == [shown])
      let other = onThread { [copy = copy("frozen-\(number).realm")] in
        realmError { try frozen.writeCopy(toFile: copy, encryptionKey: ScratchRealm.usualKey) }
      }
      #expect(other == nil)
      #expect(try ages(copy("frozen-\(number).realm")) == [0])
    }
    isEnough.signal()
    ended.waitOrStop()
  }

  /// Of several threads that copy to the same place, one does.
  @Test func toTheSamePlace() throws {
    try file.fill()
    nonisolated(unsafe) let frozen = try file.open().freeze()
    let target = copy()
    let errors = DispatchQueue.concurrentMap(0..<6) { _ in
      realmError { try frozen.writeCopy(toFile: target, encryptionKey: ScratchRealm.usualKey) }?.code
    }
    #expect(errors.filter { $0 == nil }.count == 1)
    #expect(errors.filter { $0 == .fileExists }.count == 5)
    #expect(try ages(target).count == 20)
    let names = try FileManager.default.contentsOfDirectory(atPath: file.folder.path).sorted()
    #expect(names == ["copy.realm", "copy.realm-lock", "test.realm", "test.realm-lock"])
  }

  /// A realm that only reads can be copied, where nothing can be written beside it.
  @Test func ofAReadOnlyRealm() throws {
    try file.fill()
    try file.openReadOnly().writeCopy(toFile: copy(), encryptionKey: ScratchRealm.usualKey)
    #expect(try ages(copy()).count == 20)
  }
}

extension DispatchQueue {
  fileprivate static func concurrentMap<Result: Sendable>(
    _ range: Range<Int>, _ body: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    let lock = NSLock()
    nonisolated(unsafe) var results: [Result] = []
    concurrentPerform(iterations: range.count) { number in
      let result = body(range.lowerBound + number)
      lock.withLock { results.append(result) }
    }
    return results
  }
}

extension ScratchRealm {
  fileprivate func configuration(version: UInt64, at url: URL) -> Realm.Configuration {
    var configuration = configuration(version: version)
    configuration.fileURL = url
    return configuration
  }
}
