import Foundation
import RealmSwift
import TestSupport
import Testing

@Suite struct TransactionTests {
  let file = ScratchRealm()

  @Test func writeReturnsTheValueAndCommits() throws {
    let realm = try file.open()
    let name = try realm.write {
      #expect(realm.isInWriteTransaction)
      realm.add(RealmDog(value: ["id": 1, "name": "Wolfie"]))
      return "Wolfie"
    }
    #expect(name == "Wolfie")
    #expect(!realm.isInWriteTransaction)
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 1)?.name == "Wolfie")
  }

  @Test func writeRollsBackWhenTheBlockThrows() throws {
    struct Failure: Error {}
    let realm = try file.open()
    let dog = RealmDog(value: ["id": 1])
    #expect(throws: Failure.self) {
      try realm.write {
        realm.add(dog)
        throw Failure()
      }
    }
    #expect(!realm.isInWriteTransaction)
    #expect(realm.isEmpty)
    #expect(dog.isInvalidated)
  }

  @Test func theBlockMayEndTheTransaction() throws {
    struct Failure: Error {}
    let realm = try file.open()
    try realm.write {
      realm.add(RealmDog(value: ["id": 1]))
      realm.cancelWrite()
    }
    #expect(realm.isEmpty)
    try realm.write {
      realm.add(RealmDog(value: ["id": 2]))
      try realm.commitWrite()
    }
    #expect(realm.objects(RealmDog.self).count == 1)
    // An error after the transaction has ended undoes nothing.
    #expect(throws: Failure.self) {
      try realm.write {
        realm.add(RealmDog(value: ["id": 3]))
        try realm.commitWrite()
        throw Failure()
      }
    }
    #expect(realm.objects(RealmDog.self).count == 2)
  }

  @Test func cancelBringsDeletedDataBack() throws {
    let realm = try file.open()
    let dog = RealmDog(value: ["id": 1, "name": "Wolfie"])
    try realm.write { realm.add(dog) }
    realm.beginWrite()
    dog.name = "Rex"
    realm.delete(dog)
    #expect(dog.isInvalidated)
    #expect(dog.realm == nil)
    realm.cancelWrite()
    #expect(dog.isInvalidated)
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 1)?.name == "Wolfie")
  }

  @Test func anEmptyTransactionIsAllowed() throws {
    let realm = try file.open()
    try realm.write {}
    realm.beginWrite()
    try realm.commitWrite()
    #expect(realm.isEmpty)
  }

  @Test func writersOfManyThreadsWaitForOneAnother() throws {
    try file.fill(dogs: 1)
    let configuration = file.configuration()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let realm = try! Realm(configuration: configuration)
      for _ in 0..<25 {
        try! realm.write { realm.object(ofType: RealmDog.self, forPrimaryKey: 0)!.age += 1 }
      }
    }
    let realm = try file.open()
    realm.refresh()
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 0)?.age == 200)
  }

  @Test func refreshShowsTheWritesOfOthers() throws {
    let realm = try file.open()
    let configuration = file.configuration()
    #expect(realm.refresh() == false)
    onThread {
      let other = try! Realm(configuration: configuration)
      try! other.write { other.add(RealmDog(value: ["id": 1])) }
    }
    #expect(realm.objects(RealmDog.self).count == 0)
    #expect(realm.refresh() == true)
    #expect(realm.objects(RealmDog.self).count == 1)
    #expect(realm.refresh() == false)
    realm.beginWrite()
    #expect(realm.refresh() == false)
    realm.cancelWrite()
  }

  @Test func beginWriteShowsTheNewestVersion() throws {
    let realm = try file.open()
    let configuration = file.configuration()
    onThread {
      let other = try! Realm(configuration: configuration)
      try! other.write { other.add(RealmDog(value: ["id": 1])) }
    }
    realm.beginWrite()
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 1) != nil)
    realm.cancelWrite()
  }

  @Test func invalidateForgetsObjectsButNotData() throws {
    try file.fill(dogs: 3)
    let realm = try file.open()
    let dog = try #require(realm.object(ofType: RealmDog.self, forPrimaryKey: 1))
    let dogs = realm.objects(RealmDog.self)
    #expect(dogs.count == 3)
    realm.invalidate()
    #expect(dog.isInvalidated)
    #expect(dogs.count == 3)
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 1)?.name == "dog 1")
    // An open transaction is rolled back.
    realm.beginWrite()
    realm.add(RealmDog(value: ["id": 9]))
    realm.invalidate()
    #expect(!realm.isInWriteTransaction)
    #expect(realm.objects(RealmDog.self).count == 3)
    try realm.write { realm.add(RealmDog(value: ["id": 9])) }
    #expect(realm.objects(RealmDog.self).count == 4)
  }

  @Test func aRealmThatGoesAwayRollsBack() throws {
    do {
      let realm = try file.open()
      realm.beginWrite()
      realm.add(RealmDog(value: ["id": 1]))
    }
    let realm = try file.open()
    #expect(!realm.isInWriteTransaction)
    #expect(realm.isEmpty)
    try realm.write { realm.add(RealmDog(value: ["id": 2])) }
  }

  @Test func autorefreshIsKept() throws {
    let realm = try file.open()
    #expect(realm.autorefresh)
    realm.autorefresh = false
    #expect(try !file.open().autorefresh)
    #expect(!realm.isFrozen)
  }

  // MARK: What stops the program

  private static func temporary() -> Realm {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stopped-\(UUID().uuidString)")
    return try! Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: folder.lastPathComponent, objectTypes: [RealmDog.self, RealmPlace.self]))
  }

  @Test func transactionsAreNotNested() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = TransactionTests.temporary()
      realm.beginWrite()
      realm.beginWrite()
    }
    expectStop(result, saying: "The Realm is already in a write transaction")
  }

  @Test func commitNeedsATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try TransactionTests.temporary().commitWrite()
    }
    expectStop(result, saying: "Can't commit a non-existing write transaction")
  }

  @Test func cancelNeedsATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      TransactionTests.temporary().cancelWrite()
    }
    expectStop(result, saying: "Can't cancel a non-existing write transaction")
  }

  @Test func addingNeedsATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      TransactionTests.temporary().add(RealmDog())
    }
    expectStop(
      result,
      saying:
        "Can only add, remove, or create objects in a Realm in a write transaction - call beginWriteTransaction on an RLMRealm instance first."
    )
  }

  @Test func deletingNeedsATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      TransactionTests.temporary().deleteAll()
    }
    expectStop(result, saying: "Can only add, remove, or create objects in a Realm")
  }

  @Test func otherThreadsMayNotUseTheRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      nonisolated(unsafe) let realm = TransactionTests.temporary()
      onThread { _ = realm.isEmpty }
    }
    expectStop(result, saying: "Realm accessed from incorrect thread")
  }
}
