import Foundation
import RealmSwift
import RealmSync
import Storage
import Synchronization
import TestSupport
import Testing

/// A post of the tests, with counters.
final class SyncPost: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
  @Persisted(counter: true) var likes: Int
  @Persisted(counter: true) var shares = 2
}

/// The class of the tests as a program has it that knows nothing of counters.
final class SyncUncountedPost: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var likes: Int

  override class func _realmObjectName() -> String? { "SyncPost" }
}

/// Counters, through the interface of the library.
@MainActor @Suite struct CounterTests {
  private func post(_ realm: Realm) throws -> SyncPost {
    try #require(realm.object(ofType: SyncPost.self, forPrimaryKey: 1))
  }

  @Test func incrementsAndAssignmentsOfTwoFilesAndOfAnSQLProgramAddUp() async throws {
    let database = try SyncDatabase([SyncPost.self])
    let first = try await database.open("first.realm")
    let second = try await database.open("second.realm")
    try first.write { _ = first.create(SyncPost.self, value: ["id": 1, "likes": 10]) }
    try await exchange(first, second)
    for realm in [first, second] { realm.syncSession!.suspend() }
    for _ in 0..<5 { try first.write { try post(first).likes += 1 } }
    try second.write { try post(second).likes = 7 }
    #expect(try (post(first).likes, post(second).likes) == (15, 7))
    try database.run("update app.\"SyncPost\" set likes = likes + 100 where id = 1")
    for realm in [first, second] { realm.syncSession!.resume() }
    try await exchange(first, second)
    try await exchange(first, second)
    #expect(try database.run("select likes, shares from app.\"SyncPost\"") == "112|2")
    for realm in [first, second] { #expect(try (post(realm).likes, post(realm).shares) == (112, 2)) }
    #expect(first.syncSession!.health.waiting == 0)
  }

  @Test func whatTwoFilesCreateWithOneKeyIsAddedUp() async throws {
    let database = try SyncDatabase([SyncPost.self])
    let first = try await database.open("first.realm")
    let second = try await database.open("second.realm")
    for realm in [first, second] { realm.syncSession!.suspend() }
    try first.write { _ = first.create(SyncPost.self, value: ["id": 1, "likes": 3]) }
    // Of changes of two files in one millisecond, either may count as the later one.
    let written = SyncClock.systemMilliseconds()
    while SyncClock.systemMilliseconds() == written { usleep(100) }
    try second.write { _ = second.create(SyncPost.self, value: ["id": 1, "likes": 4, "title": "Later"]) }
    for realm in [first, second] { realm.syncSession!.resume() }
    try await exchange(first, second)
    try await exchange(first, second)
    #expect(try database.run("select title, likes, shares from app.\"SyncPost\"") == "Later|7|4")
    for realm in [first, second] { #expect(try post(realm).likes == 7) }
  }

  @Test func readingEverythingAgainKeepsIncrementsThatWait() async throws {
    let database = try SyncDatabase([SyncPost.self])
    let realm = try await database.open("first.realm")
    try realm.write { _ = realm.create(SyncPost.self, value: ["id": 1, "likes": 3]) }
    try await exchange(realm)
    let session = try #require(realm.syncSession)
    session.suspend()
    try realm.write { try post(realm).likes += 4 }
    try await eventually { session.health.waiting == 1 }
    #expect(session.health.oldestWaiting != nil)
    session.resume()
    try await session.resyncEverything()
    try await exchange(realm)
    #expect(try post(realm).likes == 7)
    #expect(try database.run("select likes from app.\"SyncPost\"") == "7")
  }

  @Test func aRefusedIncrementIsTakenBack() async throws {
    let database = try SyncDatabase([SyncPost.self])
    try database.run("alter table app.\"SyncPost\" add check (likes < 100)")
    let rejections = Mutex<[Rejection]>([])
    let realm = try await database.open("first.realm") { all in rejections.withLock { $0 += all } }
    try realm.write {
      _ = realm.create(SyncPost.self, value: ["id": 1, "likes": 3])
      _ = realm.create(SyncPost.self, value: ["id": 2, "likes": 5])
    }
    try await exchange(realm)
    try realm.write {
      try post(realm).likes += 1000
      realm.object(ofType: SyncPost.self, forPrimaryKey: 2)!.likes += 1
    }
    try await exchange(realm)
    try realm.write { try post(realm).likes += 1 }
    try await exchange(realm)
    #expect(try post(realm).likes == 4)
    #expect(
      try database.run("select string_agg(likes::text, ',' order by id) from app.\"SyncPost\"") == "4,6")
    #expect(rejections.withLock { $0.map(\.reason) } == [.constraint])
  }

  @Test func aProgramThatKnowsNothingOfACounterIsToldSo() async throws {
    let database = try SyncDatabase([SyncPost.self])
    var configuration = database.configuration("first.realm")
    configuration.objectTypes = [SyncUncountedPost.self]
    let realm = try await Realm.open(configuration: configuration)
    let error = await #expect(throws: (any Error).self) { try await realm.syncSession!.wait(for: .upload) }
    #expect("\(error!)".contains("SyncPost.likes (bigint in the file, bigint as a counter in the database)"))
  }
}
