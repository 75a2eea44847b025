import Foundation
import RealmSwift
import RealmSync
import TestSupport
import Testing

/// A kennel with sets and maps of dogs, and collections of values of any type.
final class SyncKennel: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var dogs: MutableSet<SyncDog>
  @Persisted var rooms: Map<String, SyncDog?>
  @Persisted var things: List<AnyRealmValue>
  @Persisted var labels: Map<String, AnyRealmValue>
}

/// Sets and maps of objects, and collections of values of any type, between two realms.
@MainActor @Suite struct LinkedElementSessionTests {
  @Test func collectionsOfObjectsAndValuesArriveInAnotherRealmAndMerge() async throws {
    let database = try SyncDatabase([SyncKennel.self, SyncDog.self])
    let first = try await database.open("first.realm")
    let second = try await database.open("second.realm")
    let kennel = SyncKennel(value: ["id": 1])
    try first.write {
      first.add(kennel)
      let (rex, ada) = (
        first.create(SyncDog.self, value: ["id": 7, "name": "Rex"]),
        first.create(SyncDog.self, value: ["id": 8, "name": "Ada"])
      )
      kennel.dogs.insert(objectsIn: [rex, ada])
      kennel.rooms["a"] = rex
      kennel.rooms["none"] = .some(nil)
      kennel.things.append(objectsIn: [.int(5), .object(rex), .none])
      kennel.labels["dog"] = .object(ada)
    }
    try await exchange(first, second)
    let copy = try #require(second.object(ofType: SyncKennel.self, forPrimaryKey: 1))
    #expect(copy.dogs.map(\.name).sorted() == ["Ada", "Rex"])
    #expect(copy.rooms["a"]??.name == "Rex" && copy.rooms.keys.sorted() == ["a", "none"])
    #expect(copy.things[1].object(SyncDog.self)?.name == "Rex" && copy.things[2] == .none)
    #expect(copy.labels["dog"]?.object(SyncDog.self)?.name == "Ada")

    // Both at once: one deletes a dog, the other adds elements.
    first.syncSession!.suspend()
    second.syncSession!.suspend()
    try first.write { first.delete(first.object(ofType: SyncDog.self, forPrimaryKey: 7)!) }
    try second.write {
      copy.dogs.insert(second.create(SyncDog.self, value: ["id": 9, "name": "Bo"]))
      copy.things.append(.string("end"))
    }
    first.syncSession!.resume()
    second.syncSession!.resume()
    try await exchange(first, second)
    try await exchange(first, second)
    for realm in [first, second] {
      let kennel = try #require(realm.object(ofType: SyncKennel.self, forPrimaryKey: 1))
      #expect(kennel.dogs.map(\.name).sorted() == ["Ada", "Bo"])
      #expect(kennel.rooms["a"] == .some(nil) && kennel.rooms.count == 2)
      #expect(Array(kennel.things) == [.int(5), .none, .none, .string("end")])
    }
    #expect(
      try database.run("select string_agg(value::text, ',' order by value) from app.\"SyncKennel.dogs\"")
        == "7,8,9")

    // The dog comes back, and so do the links to it.
    try second.write { _ = second.create(SyncDog.self, value: ["id": 7, "name": "Rex"]) }
    try await exchange(second, first)
    try await exchange(second, first)
    for realm in [first, second] {
      let kennel = try #require(realm.object(ofType: SyncKennel.self, forPrimaryKey: 1))
      #expect(kennel.dogs.map(\.name).sorted() == ["Ada", "Bo", "Rex"])
      #expect(kennel.rooms["a"]??.name == "Rex")
      #expect(kennel.things[1].object(SyncDog.self)?.name == "Rex")
    }
  }
}
