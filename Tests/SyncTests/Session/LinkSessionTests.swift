import Foundation
import RealmSwift
import RealmSync
import TestSupport
import Testing

/// A person with a dog, a friend, and a value of any type.
final class SyncPerson: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var name: String
  @Persisted var dog: SyncDog?
  @Persisted var friend: SyncPerson?
  @Persisted var thing: AnyRealmValue
  @Persisted var mood: SyncMood
  @Persisted var hope: SyncMood?
  @Persisted var temperature: SyncTemperature
  @Persisted(originProperty: "friend") var admirers: LinkingObjects<SyncPerson>
}

/// An enumeration that is stored as a text.
enum SyncMood: String, PersistableEnum {
  case calm, merry
}

/// A type of the program that is stored as a number.
struct SyncTemperature: CustomPersistable, Equatable {
  var kelvin: Double
  init(kelvin: Double) { self.kelvin = kelvin }
  init(persistedValue: Double) { kelvin = persistedValue }
  var persistableValue: Double { kelvin }
}

/// Links and values of any type between two realms.
@MainActor @Suite struct LinkSessionTests {
  @Test func linksArriveInAnotherRealmAndFollowTheirTargets() async throws {
    let database = try SyncDatabase([SyncPerson.self, SyncDog.self])
    let first = try await database.open("first.realm")
    let second = try await database.open("second.realm")
    let ada = SyncPerson()
    ada.id = UUID()
    ada.dog = SyncDog(value: ["id": 7, "name": "Rex"])
    ada.friend = ada
    ada.mood = .merry
    ada.temperature = SyncTemperature(kelvin: 290.5)
    try first.write { first.add(ada) }
    try await transfer(from: first, to: second)
    let copy = try #require(second.object(ofType: SyncPerson.self, forPrimaryKey: ada.id))
    #expect(copy.dog?.name == "Rex" && copy.friend == copy && copy.admirers.count == 1)
    #expect(copy.mood == .merry && copy.hope == nil && copy.temperature.kelvin == 290.5)
    let row = try database.run("select dog, friend = id, mood, hope, temperature from app.\"SyncPerson\"")
    #expect(row == "7|t|merry||290.5")

    try second.write {
      second.delete(second.objects(SyncDog.self))
      copy.hope = .calm
    }
    try await transfer(from: second, to: first)
    #expect(ada.dog == nil && ada.hope == .calm)
    #expect(try database.run("select dog from app.\"SyncPerson\"") == "7")
    try first.write { _ = first.create(SyncDog.self, value: ["id": 7, "name": "Rex again"]) }
    try await transfer(from: first, to: second)
    #expect(copy.dog?.name == "Rex again")
    try await first.syncSession!.wait(for: .download)
    first.refresh()
    #expect(ada.dog?.name == "Rex again")
  }

  @Test func valuesOfAnyTypeArriveAsTheyWere() async throws {
    let database = try SyncDatabase([SyncPerson.self, SyncDog.self])
    let first = try await database.open("first.realm")
    let second = try await database.open("second.realm")
    let dog = SyncDog(value: ["id": 7])
    try first.write { first.add(dog) }
    let values: [AnyRealmValue] = [
      .none, .int(.min), .bool(true), .float(0.1), .double(-.infinity), .string("it's\n\"\\ é"),
      .data(Data([0, 255])),
      .date(Date(timeIntervalSince1970: 1_700_000_000.25)), .objectId(.generate()),
      .decimal128(try Decimal128(string: "-12.50")), .uuid(UUID()),
    ]
    let ids = values.map { _ in UUID() }
    try first.write {
      for (id, value) in zip(ids, values) {
        let person = first.create(SyncPerson.self, value: ["id": id])
        person.thing = value
      }
      let linked = first.create(SyncPerson.self, value: ["id": UUID(), "name": "links"])
      linked.thing = .object(dog)
    }
    try await transfer(from: first, to: second)
    for (id, value) in zip(ids, values) {
      #expect(second.object(ofType: SyncPerson.self, forPrimaryKey: id)?.thing == value)
    }
    let copy = try #require(second.objects(SyncPerson.self).where { $0.name == "links" }.first)
    guard case .object(let object) = copy.thing, let received = object as? SyncDog else {
      Issue.record("the link is \(copy.thing)")
      return
    }
    #expect(received.id == 7)
    #expect(
      try database.run("select thing from app.\"SyncPerson\" where name = 'links'")
        == #"{"t": "link", "v": 7, "class": "SyncDog"}"#)
  }
}
