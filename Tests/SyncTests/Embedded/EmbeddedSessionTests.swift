import Foundation
import RealmSwift
import RealmSync
import Synchronization
import TestSupport
import Testing

/// Embedded objects in real sessions, through the interface of the library.
@MainActor @Suite struct EmbeddedSessionTests {
  private static let classes: [ObjectBase.Type] = [SyncResident.self, SyncAddress.self, SyncGeo.self]

  @Test func embeddedObjectsOfOneRealmArriveInAnother() async throws {
    let database = try SyncDatabase(Self.classes)
    let realms = try await database.openCurrent("first.realm", "second.realm")
    let value: [String: Any] = [
      "id": 1, "name": "Ada", "address": ["city": "Turin", "number": 3, "geo": ["latitude": 45.5]],
    ]
    try realms[0].write { _ = realms[0].create(SyncResident.self, value: value) }
    try await exchange(realms)
    let resident = try #require(realms[1].object(ofType: SyncResident.self, forPrimaryKey: 1))
    let address = try #require(resident.address)
    #expect(address.city == "Turin" && address.number == 3 && address.geo?.latitude == 45.5)
    let columns = "address, address_city, address_number, address_geo, address_geo_latitude"
    #expect(
      try database.run("select \(columns) from app.\"SyncResident\"") == "t|Turin|3|t|45.5")

    try realms[1].write {
      address.city = "Rome"
      address.geo = nil
    }
    try await exchange([realms[1], realms[0]])
    let original = try #require(realms[0].object(ofType: SyncResident.self, forPrimaryKey: 1))
    #expect(original.address?.city == "Rome" && original.address?.number == 3 && original.address?.geo == nil)
    #expect(realms[0].objects(SyncResident.self).where { $0.address.city == "Rome" }.count == 1)

    try realms[0].write { original.address = nil }
    try await exchange(realms)
    #expect(address.isInvalidated && resident.address == nil && !resident.isInvalidated)
  }

  @Test func editsOfOneEmbeddedObjectMadeOfflineAreMerged() async throws {
    let database = try SyncDatabase(Self.classes)
    try database.run("insert into app.\"SyncResident\" (id, address, address_city) values (1, true, 'Turin')")
    let realms = try await database.openCurrent("first.realm", "second.realm")
    let addresses = try realms.map { realm in
      try #require(realm.object(ofType: SyncResident.self, forPrimaryKey: 1)?.address)
    }
    for realm in realms { realm.syncSession!.suspend() }
    try realms[0].write { addresses[0].city = "Rome" }
    try realms[1].write {
      addresses[1].number = 8
      addresses[1].geo = SyncGeo(value: ["latitude": 1.5])
    }
    try await eventually { realms[1].syncSession!.health.waiting == 1 }
    for realm in realms { realm.syncSession!.resume() }
    try await exchange(realms)
    try await exchange(realms)
    for address in addresses {
      #expect(address.city == "Rome" && address.number == 8 && address.geo?.latitude == 1.5)
    }
  }

  @Test func anObserverOfAnEmbeddedObjectIsNotifiedOfWhatArrives() async throws {
    let database = try SyncDatabase(Self.classes)
    try database.run("insert into app.\"SyncResident\" (id, address, address_city) values (1, true, 'Turin')")
    let realm = try await database.openCurrent("realm.realm")[0]
    let address = try #require(realm.object(ofType: SyncResident.self, forPrimaryKey: 1)?.address)
    let changed = Mutex<[String]>([])
    let token = address.observe { change in
      if case .change(_, let properties) = change {
        changed.withLock { $0 += properties.map(\.name) }
      }
    }
    try database.run("update app.\"SyncResident\" set address_city = 'Bonn'; notify realm_app")
    try await eventually { changed.withLock { $0 } == ["city"] }
    #expect(address.city == "Bonn")
    token.invalidate()
  }

  @Test func aPropertyThatAnEmbeddedClassGetsLaterHasTheValuesOfTheServer() async throws {
    let database = try SyncDatabase(Self.classes)
    try database.run(
      """
      insert into app."SyncResident" (id, address, address_city, address_number) values (1, true, 'Turin', 3)
      """)
    var configuration = database.configuration("realm.realm")
    configuration.objectTypes = [ResidentOfOldAddress.self, OldAddress.self]
    do {
      let realm = try await Realm.open(configuration: configuration)
      try await realm.syncSession!.wait(for: .download)
      realm.refresh()
      #expect(realm.objects(ResidentOfOldAddress.self).first?.address?.city == "Turin")
    }
    configuration = database.configuration("realm.realm")
    configuration.schemaVersion = 1
    let realm = try await Realm.open(configuration: configuration)
    try await realm.syncSession!.wait(for: .download)
    realm.refresh()
    let address = try #require(realm.object(ofType: SyncResident.self, forPrimaryKey: 1)?.address)
    #expect(address.city == "Turin" && address.number == 3 && address.geo == nil)
  }

  @Test func whatTheServerRefusesOfAnEmbeddedObjectIsReportedWithItsColumns() async throws {
    let database = try SyncDatabase(Self.classes)
    try database.run("alter table app.\"SyncResident\" add check (address_number < 100)")
    let rejections = Mutex<[Rejection]>([])
    let realm = try await database.open("realm.realm") { added in rejections.withLock { $0 += added } }
    let value: [String: Any] = ["id": 1, "address": ["city": "Turin", "number": 500]]
    try realm.write { _ = realm.create(SyncResident.self, value: value) }
    try await exchange(realm)
    #expect(realm.objects(SyncResident.self).isEmpty)
    let rejection = try #require(rejections.withLock { $0 }.first)
    #expect(rejection.values["address_city"] as? String == "Turin")
    #expect(rejection.values["address_number"] as? Int == 500)
  }
}

/// A person with an address.
final class SyncResident: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var address: SyncAddress?
}

/// An address with a place on the map.
final class SyncAddress: EmbeddedObject {
  @Persisted(indexed: true) var city: String
  @Persisted var number: Int?
  @Persisted var geo: SyncGeo?
}

/// A place on the map.
final class SyncGeo: EmbeddedObject {
  @Persisted var latitude: Double
}

private final class ResidentOfOldAddress: Object {
  override class func _realmObjectName() -> String? { "SyncResident" }
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var address: OldAddress?
}

private final class OldAddress: EmbeddedObject {
  override class func _realmObjectName() -> String? { "SyncAddress" }
  @Persisted var city: String
}
