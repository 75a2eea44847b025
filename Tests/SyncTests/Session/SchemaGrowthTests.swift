import Foundation
import RealmSwift
import RealmSync
import Synchronization
import TestSupport
import Testing

/// Programs whose classes change from one version to the next.
@MainActor @Suite struct SchemaGrowthTests {
  /// Opens a realm, sends and receives, and closes it.
  private func transfer(
    _ configuration: Realm.Configuration, _ body: (Realm) throws -> Void = { _ in }
  ) async throws {
    let realm = try await Realm.open(configuration: configuration)
    try body(realm)
    try await realm.syncSession!.wait(for: .upload)
    try await realm.syncSession!.wait(for: .download)
  }

  @Test func aPropertyThatTheProgramGetsLaterHasTheValuesOfTheServer() async throws {
    let database = try SyncDatabase()
    try database.run("insert into app.\"SyncDog\" (id, name, age) values (1, 'Rex', 3)")
    var configuration = database.configuration("realm.realm")
    configuration.objectTypes = [DogWithoutAge.self]
    try await transfer(configuration)
    configuration = database.configuration("realm.realm")
    configuration.schemaVersion = 1
    try await transfer(configuration) { realm in
      try realm.write { _ = realm.create(SyncDog.self, value: ["id": 2, "age": 5]) }
    }
    let realm = try await Realm.open(configuration: configuration)
    #expect(realm.object(ofType: SyncDog.self, forPrimaryKey: 1)?.age == 3)
    #expect(try database.run("select id, age from app.\"SyncDog\" order by id") == "1|3\n2|5")
  }

  @Test func aClassThatIsSynchronisedLaterIsSentAndReceivedAsAWhole() async throws {
    let database = try SyncDatabase([SyncDog.self, SyncNamed.self])
    try database.run("insert into app.\"SyncNamed\" (name, count) values ('there', 1)")
    try await transfer(database.configuration("realm.realm", synchronised: [SyncDog.self])) { realm in
      try realm.write { _ = realm.create(SyncNamed.self, value: ["name": "here", "count": 2]) }
    }
    // What is sent of other classes does not count as sent of this one.
    try await transfer(database.configuration("realm.realm", synchronised: [SyncDog.self])) { realm in
      try realm.write { _ = realm.create(SyncDog.self, value: ["id": 1]) }
    }
    let configuration = database.configuration("realm.realm")
    try await transfer(configuration)
    let realm = try await Realm.open(configuration: configuration)
    #expect(realm.objects(SyncNamed.self).sorted(by: \.name).map(\.name) == ["here", "there"])
    #expect(try database.run("select name, count from app.\"SyncNamed\" order by name") == "here|2\nthere|1")
  }

  @Test func aClassThatIsSynchronisedAgainHasTheServersObjects() async throws {
    let database = try SyncDatabase([SyncDog.self, SyncNamed.self])
    let configuration = database.configuration("realm.realm")
    try await transfer(configuration) { realm in
      try realm.write {
        for name in ["deleted", "changed", "kept"] { realm.create(SyncNamed.self, value: ["name": name]) }
      }
    }
    try await transfer(database.configuration("realm.realm", synchronised: [SyncDog.self])) { realm in
      try realm.write { _ = realm.create(SyncNamed.self, value: ["name": "new"]) }
    }
    try database.run(
      "delete from app.\"SyncNamed\" where name = 'deleted'; "
        + "update app.\"SyncNamed\" set count = 7 where name = 'changed'")
    try await transfer(configuration)
    let realm = try await Realm.open(configuration: configuration)
    let names = realm.objects(SyncNamed.self).sorted(by: \.name)
    #expect(names.map(\.name) == ["changed", "kept", "new"] && names.map(\.count) == [7, 0, 0])
    let rows = try database.run("select name, count from app.\"SyncNamed\" order by name")
    #expect(rows == "changed|7\nkept|0\nnew|0")
  }

  @Test func aPropertyWithAnotherTypeThanTheServersStopsTheSession() async throws {
    let database = try SyncDatabase()
    var configuration = database.configuration("realm.realm")
    configuration.objectTypes = [DogWithFractionalAge.self]
    let realm = try await Realm.open(configuration: configuration)
    let value: [String: Any] = ["id": 1, "age": 1.5]
    try realm.write { _ = realm.create(DogWithFractionalAge.self, value: value) }
    let error = await #expect(throws: Realm.Error.self) {
      try await realm.syncSession!.wait(for: .upload)
    }
    #expect(error?.localizedDescription.contains("SyncDog.age") == true)
    #expect(try database.run("select count(*) from app.\"SyncDog\"") == "0")
  }

  @Test func aPropertyThatIsOptionalOnTheServerOnlyStopsTheSession() async throws {
    let database = try SyncDatabase()
    try database.run("insert into app.\"SyncDog\" (id, weight) values (1, null)")
    var configuration = database.configuration("realm.realm")
    configuration.objectTypes = [DogWithWeight.self]
    let realm = try await Realm.open(configuration: configuration)
    let error = await #expect(throws: Realm.Error.self) {
      try await realm.syncSession!.wait(for: .download)
    }
    #expect(error?.localizedDescription.contains("SyncDog.weight") == true)
  }

  @Test func realmsOfOneFileHaveOneServerAndOneSetOfClasses() async throws {
    let database = try SyncDatabase([SyncDog.self, SyncNamed.self])
    let other = try SyncDatabase([SyncDog.self, SyncNamed.self])
    let narrow = database.configuration("realm.realm", synchronised: [SyncDog.self])
    let realm = try await Realm.open(configuration: narrow)
    var wide = database.configuration("realm.realm")
    #expect(throws: Realm.Error.self) { try Realm(configuration: wide) }
    wide = other.configuration("realm.realm", synchronised: [SyncDog.self])
    wide.fileURL = narrow.fileURL
    #expect(throws: Realm.Error.self) { try Realm(configuration: wide) }
    let elsewhere = wide
    await #expect(throws: Realm.Error.self) {
      try await Task.detached { _ = try Realm(configuration: elsewhere) }.value
    }
    let again = try await Realm.open(configuration: narrow)
    #expect(again.syncSession === realm.syncSession)
  }

  @Test(.timeLimit(.minutes(5))) func aDatabaseThatIsNotPreparedEndsWaiting() async throws {
    let database = try SyncDatabase()
    try database.run("drop schema realm cascade")
    let realm = try await database.open("realm.realm")
    let session = try #require(realm.syncSession)
    await #expect(throws: Realm.Error.self) { try await session.wait(for: .download) }
    guard case .stopped = session.health.status else {
      Issue.record("Without a schema the session is \(session.health.status)")
      return
    }
  }

  @Test func anObjectWhoseKeyPostgreSQLCannotStoreIsReportedAndRemoved() async throws {
    let database = try SyncDatabase([SyncNamed.self])
    let rejected = Rejected()
    let realm = try await Realm.open(
      configuration: database.configuration("realm.realm") { rejected.add($0) })
    try realm.write {
      for name in ["a\0b", "c"] { realm.create(SyncNamed.self, value: ["name": name]) }
    }
    try await exchange(realm)
    #expect(realm.objects(SyncNamed.self).map(\.name) == ["c"])
    #expect(rejected.keys == ["a\0b"])
    #expect(try database.run("select name from app.\"SyncNamed\"") == "c")
  }
}

private final class DogWithoutAge: Object {
  override class func _realmObjectName() -> String? { "SyncDog" }
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
}

private final class DogWithFractionalAge: Object {
  override class func _realmObjectName() -> String? { "SyncDog" }
  @Persisted(primaryKey: true) var id: Int
  @Persisted var age: Double
}

private final class DogWithWeight: Object {
  override class func _realmObjectName() -> String? { "SyncDog" }
  @Persisted(primaryKey: true) var id: Int
  @Persisted var weight: Double
}

/// The objects that a server has refused.
private final class Rejected: Sendable {
  private let rejections = Mutex<[Rejection]>([])

  var keys: [String?] { rejections.withLock { $0.map { $0.primaryKey as? String } } }

  func add(_ added: [Rejection]) { rejections.withLock { $0 += added } }
}
