import Foundation
import RealmSwift
import RealmSync
import Synchronization
import TestSupport
import Testing

/// Real files, real sessions, a real server, through the interface of the library.
@MainActor @Suite struct SessionTests {
  @Test func anObjectOfOneFileArrivesInAnother() async throws {
    let database = try SyncDatabase()
    let first = try await database.open("first.realm")
    let second = try await database.open("second.realm")
    try first.write { first.create(SyncDog.self, value: ["id": 1, "name": "Rex", "age": 3]) }
    try await first.syncSession!.wait(for: .upload)
    #expect(try database.run("select id, name, age, weight from app.\"SyncDog\"") == "1|Rex|3|")
    try await second.syncSession!.wait(for: .download)
    second.refresh()
    let dog = try #require(second.object(ofType: SyncDog.self, forPrimaryKey: 1))
    #expect(dog.name == "Rex" && dog.age == 3 && dog.weight == nil)

    try second.write { dog.age = 4 }
    try await transfer(from: second, to: first)
    #expect(first.object(ofType: SyncDog.self, forPrimaryKey: 1)?.age == 4)

    try first.write { first.delete(first.objects(SyncDog.self)) }
    try await transfer(from: first, to: second)
    #expect(dog.isInvalidated)
    #expect(try database.run("select count(*) from app.\"SyncDog\"") == "0")
  }

  @Test func whatIsWrittenWhileSuspendedIsReportedAsWaiting() async throws {
    let database = try SyncDatabase()
    let realm = try await database.open("first.realm")
    let session = try #require(realm.syncSession)
    try await session.wait(for: .download)
    session.suspend()
    for id in 1...3 { try realm.write { realm.create(SyncDog.self, value: ["id": id]) } }
    try await eventually { session.health.waiting == 3 }
    #expect(session.health.oldestWaiting != nil)
    guard case .offline = session.health.status else {
      Issue.record("A suspended session is \(session.health.status)")
      return
    }
    session.resume()
    try await session.wait(for: .upload)
    #expect(session.health.waiting == 0)
  }

  @Test func changesOfAnSQLProgramArrive() async throws {
    let database = try SyncDatabase()
    let realm = try await database.open("realm.realm")
    try await realm.syncSession!.wait(for: .download)
    try database.run("insert into app.\"SyncDog\" (id, name) values (9, 'Foreign'); notify realm_app")
    try await realm.syncSession!.wait(for: .download)
    realm.refresh()
    #expect(realm.object(ofType: SyncDog.self, forPrimaryKey: 9)?.name == "Foreign")
  }

  @Test func valuesOfEveryTypeArriveAsTheyWere() async throws {
    let database = try SyncDatabase([SyncSample.self])
    let first = try await database.open("first.realm")
    let second = try await database.open("second.realm")
    let sample = SyncSample()
    sample.id = ObjectId.generate()
    sample.int = .min
    sample.double = -0.1
    sample.float = 3.5
    sample.text = "e\u{301} '\""
    sample.data = Data([0, 255, 1])
    sample.date = Date(timeIntervalSince1970: 1_700_000_000.25)
    sample.uuid = UUID()
    sample.objectId = ObjectId.generate()
    sample.decimal = try Decimal128(string: "-12.5")
    sample.optionalText = ""
    sample.optionalBool = false
    try first.write { first.add(sample) }
    try await transfer(from: first, to: second)
    let copy = try #require(second.objects(SyncSample.self).first)
    #expect(copy.id == sample.id && copy.int == .min && copy.double == -0.1 && copy.float == 3.5)
    #expect(Array(copy.text.utf8) == Array(sample.text.utf8) && copy.data == sample.data)
    #expect(copy.date == sample.date && copy.uuid == sample.uuid && copy.objectId == sample.objectId)
    #expect(copy.decimal == sample.decimal && copy.optionalText == "" && copy.optionalBool == false)
    #expect(copy.optionalInt == nil && copy.optionalDate == nil && copy.optionalDecimal == nil)
  }

  @Test func anObjectThatTheServerRefusesIsReportedAndReplaced() async throws {
    let database = try SyncDatabase()
    try database.run("alter table app.\"SyncDog\" add check (age < 100)")
    let rejections = Mutex<[Rejection]>([])
    let realm = try await database.open("realm.realm") { added in rejections.withLock { $0 += added } }
    try realm.write {
      realm.create(SyncDog.self, value: ["id": 1, "name": "Old", "age": 500])
      realm.create(SyncDog.self, value: ["id": 2, "name": "Young", "age": 5])
    }
    try await exchange(realm)
    #expect(realm.objects(SyncDog.self).map(\.id) == [2])
    let rejection = try #require(rejections.withLock { $0 }.first)
    #expect(rejection.objectType == "SyncDog" && rejection.primaryKey as? Int == 1)
    #expect(rejection.reason == .constraint && rejection.sqlState == "23514")
    #expect(rejection.values["age"] as? Int == 500)
    #expect(realm.syncSession!.health.rejected == 1)
  }

  @Test func anErrorOfATriggerIsAConstraint() async throws {
    let database = try SyncDatabase()
    try database.run(
      """
      create function app.refuse() returns trigger language plpgsql as
        $$ begin raise exception 'no cats' using errcode = 'AB123'; end $$;
      create trigger refuse before insert on app."SyncDog" for each row execute function app.refuse()
      """)
    let rejections = Mutex<[Rejection]>([])
    let realm = try await Realm.open(
      configuration: database.configuration("realm.realm") { added in
        rejections.withLock { $0 += added }
      })
    try realm.write { realm.create(SyncDog.self, value: ["id": 1]) }
    try await realm.syncSession!.wait(for: .upload)
    let rejection = try #require(rejections.withLock { $0 }.first)
    #expect(
      rejection.reason == .constraint && rejection.sqlState == "AB123" && rejection.message == "no cats")
  }

  @Test func realmsThatCannotBeSynchronisedAreRefused() throws {
    let database = try SyncDatabase()
    var configuration = database.configuration("relaxed.realm")
    configuration.durability = .relaxed
    #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    configuration = database.configuration("links.realm", synchronised: [SyncOwner.self])
    configuration.objectTypes = [SyncOwner.self, SyncDog.self]
    let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    #expect(error?.localizedDescription.contains("SyncOwner.dog") == true)
  }

  @Test func aProgramThatNeverCeasesToWriteReceivesWhatOthersChange() async throws {
    let database = try SyncDatabase()
    let configuration = database.configuration("realm.realm")
    let realm = try await Realm.open(configuration: configuration)
    let session = try #require(realm.syncSession)
    try await session.wait(for: .download)
    let writer = BusyWriter()
    let commits = Task.detached { try writer.write(configuration) }
    try await eventually { writer.commits.load(ordering: .relaxed) > 10 }
    try database.run("insert into app.\"SyncDog\" (id, name) values (9, 'Foreign')")
    try await session.wait(for: .download)
    writer.isStopped.store(true, ordering: .relaxed)
    #expect(try await commits.value < BusyWriter.limit)
    realm.refresh()
    #expect(realm.object(ofType: SyncDog.self, forPrimaryKey: 9)?.name == "Foreign")
  }

  /// Otherwise two sessions would synchronise the file, and the program would suspend or ask the one that no realm has.
  @Test func aSessionThatTheProgramKeepsIsThatOfRealmsOpenedLater() async throws {
    let database = try SyncDatabase()
    var former: Realm? = try await database.open("realm.realm")
    let session = try #require(former?.syncSession)
    former = nil
    try await session.wait(for: .download)
    session.suspend()
    let realm = try await database.open("realm.realm")
    #expect(realm.syncSession === session && realm.syncSession?.state == .inactive)
    try realm.write { realm.create(SyncDog.self, value: ["id": 1]) }
    session.resume()
    try await session.wait(for: .upload)
    #expect(try database.run("select id from app.\"SyncDog\"") == "1")
  }
}

/// An owner of a dog, whose class is left out.
final class SyncOwner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var dog: SyncDog?
}

/// Commits one change after the other until it is stopped.
private final class BusyWriter: Sendable {
  static let limit = 200_000
  let commits = Atomic(0)
  let isStopped = Atomic(false)

  /// Returns the number of commits, at most the limit.
  func write(_ configuration: Realm.Configuration) throws -> Int {
    let realm = try Realm(configuration: configuration)
    while commits.load(ordering: .relaxed) < Self.limit, !isStopped.load(ordering: .relaxed) {
      let (_, count) = commits.add(1, ordering: .relaxed)
      try realm.write { realm.create(SyncDog.self, value: ["id": 1, "age": count], update: .modified) }
    }
    return commits.load(ordering: .relaxed)
  }
}
