import RealmSync
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Sync

final class SyncPantry: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var notes: List<String>
  @Persisted var tags: MutableSet<String>
  @Persisted var prices: Map<String, Int?>
}

/// Elements of collections that a database refuses: the program receives them.
@MainActor @Suite struct RefusedElementTests {
  /// Returns what the realm of a body receives.
  private func rejections(
    _ prepare: String, _ body: (Realm, SyncPantry) throws -> Void
  ) async throws -> [Rejection] {
    let database = try SyncDatabase([SyncPantry.self])
    let rejected = Mutex<[Rejection]>([])
    let realm = try await database.open("realm.realm") { rejections in
      rejected.withLock { $0 += rejections }
    }
    try realm.write {
      _ = realm.create(
        SyncPantry.self,
        value: [
          "id": 1, "name": "first", "notes": ["a"], "tags": ["a"], "prices": ["a": 1],
        ] as [String: Any])
    }
    try await exchange(realm)
    try database.run(prepare)
    let pantry = try #require(realm.object(ofType: SyncPantry.self, forPrimaryKey: 1))
    try realm.write { try body(realm, pantry) }
    try await exchange(realm)
    try await exchange(realm)
    #expect(Array(pantry.notes) == ["a"] && Set(pantry.tags) == ["a"])
    #expect(pantry.prices.count == 1 && pantry.prices["a"] == 1)
    return rejected.withLock { $0 }
  }

  @Test func elementsThatAConstraintRefusesAreNamed() async throws {
    let found = try await rejections(
      """
      alter table app."SyncPantry.notes" add check (value <> 'bad');
      alter table app."SyncPantry.tags" add check (value <> 'bad');
      alter table app."SyncPantry.prices" add check (value > 0)
      """
    ) { _, pantry in
      pantry.name = "second"
      pantry.notes.append(objectsIn: ["good", "bad"])
      pantry.tags.insert(objectsIn: ["good", "bad"])
      pantry.prices["bad"] = -1
      pantry.prices["none"] = .some(nil)
    }
    #expect(found.count == 3)
    #expect(found.allSatisfy { $0.sqlState == "23514" && $0.values["name"] == nil })
    let values = found.reduce(into: [:]) { $0.merge($1.values) { first, _ in first } }
    #expect(values["notes"] as? [String] == ["good", "bad"])
    #expect((values["tags"] as? [String])?.sorted() == ["bad", "good"])
    let prices = values["prices"] as? [String: Int?]
    #expect(prices?.count == 2 && prices?["bad"] == -1 && prices?["none"] == .some(nil))
  }

  @Test func elementsThatPostgreSQLCannotStoreAreNamed() async throws {
    let found = try await rejections("select 1") { _, pantry in
      pantry.notes.append("a\0b")
      pantry.tags.insert("a\0b")
      pantry.prices["a\0b"] = 2
    }
    #expect(Set(found.flatMap(\.values.keys)) == ["notes", "tags", "prices"])
    let values = found.reduce(into: [:]) { $0.merge($1.values) { first, _ in first } }
    #expect(values["notes"] as? [String] == ["a\0b"])
    #expect(values["tags"] as? [String] == ["a\0b"])
    #expect(values["prices"] as? [String: Int] == ["a\0b": 2])
    #expect(found.allSatisfy { $0.reason == .value })
  }

  @Test func elementsThatATriggerLeavesOutAreNamed() async throws {
    let found = try await rejections(
      """
      create function app.leave_out() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger leave_out before insert on app."SyncPantry.notes" for each row execute function app.leave_out()
      """
    ) { _, pantry in pantry.notes.append("left out") }
    #expect(found.map(\.reason) == [.denied])
    #expect(found.first?.values["notes"] as? [String] == ["left out"])
    #expect(found.first?.values.count == 1)
  }

  @Test func theFileRemembersWhichElementsWereRefused() throws {
    let object = RejectedObject(
      className: "SyncPantry", key: .int(1), reason: .denied, values: ["name": .string("x")],
      elements: [
        "notes": RejectedElements(values: [ExactValue(.string("a")), ExactValue(.null)]),
        "prices": RejectedElements(values: [ExactValue(.null), ExactValue(.int(2))], keys: ["a", "b"]),
        "none": RejectedElements(keys: []),
      ])
    let bytes = NotedRejection(time: 5, object).encoded
    let read = try #require(NotedRejection(bytes))
    #expect(read.object.elements == object.elements && read.object.values == object.values)
    #expect(read.time == 5 && NotedRejection(Array(bytes.dropLast())) == nil)
  }

  /// The values of the object are refused, and no element is.
  @Test func aRefusedObjectHasItsOwnValuesOnly() async throws {
    let found = try await rejections("alter table app.\"SyncPantry\" add check (name <> 'bad')") {
      _, pantry in pantry.name = "bad"
    }
    #expect(found.map(\.sqlState) == ["23514"])
    #expect(found.first?.values["name"] as? String == "bad" && found.first?.values["notes"] == nil)
  }
}
