import RealmSync
import Synchronization
import TestSupport
import Testing

/// Embedded objects with collections, in collections, and values of any type that a database refuses: the program receives them with
/// all that they hold.
@MainActor @Suite struct RefusedDocumentTests {
  /// Returns what the realm of a body receives, and the realm.
  private func rejections(
    _ prepare: String, _ body: (Realm, SyncChest) throws -> Void
  ) async throws -> ([Rejection], Realm) {
    let database = try SyncDatabase([SyncChest.self, SyncTray.self, SyncCoin.self])
    let rejected = Mutex<[Rejection]>([])
    let realm = try await database.open("realm.realm") { rejections in
      rejected.withLock { $0 += rejections }
    }
    try realm.write { _ = realm.create(SyncChest.self, value: ["id": 1]) }
    try await exchange(realm)
    try database.run(prepare)
    let chest = try #require(realm.object(ofType: SyncChest.self, forPrimaryKey: 1))
    try realm.write { try body(realm, chest) }
    try await exchange(realm)
    try await exchange(realm)
    return (rejected.withLock { $0 }, realm)
  }

  private static let tray: [String: Any] = [
    "name": "bad", "coins": [["year": 1871], ["year": nil]], "labels": ["a": "x", "b": nil],
    "numbers": [2, 1],
  ]

  /// Verifies that a value is the tray, and that a tray can be made of it.
  private func expectTray(_ value: Any?) throws {
    let values = try #require(value as? [String: Any?])
    #expect(values.keys.sorted() == ["coins", "labels", "name", "numbers", "spare"])
    let coins = try #require(values["coins"] as? [[String: Any?]])
    #expect(coins.map { $0["year"] as? Int } == [1871, nil])
    let labels = try #require(values["labels"] as? [String: String?])
    #expect(labels == ["a": "x", "b": nil])
    #expect(values["numbers"] as? [Int] == [1, 2])
    let tray = SyncTray(value: values)
    #expect(tray.name == "bad" && tray.coins.map(\.year) == [1871, nil] && tray.spare == nil)
    #expect(tray.labels["a"] == "x" && tray.labels.count == 2 && Set(tray.numbers) == [1, 2])
  }

  @Test func objectsInListsAndMapsAreGiven() async throws {
    let (found, realm) = try await rejections(
      """
      alter table app."SyncChest.stack" add check (value #>> '{v,name,v}' <> 'bad');
      alter table app."SyncChest.drawers" add check (value #>> '{v,name,v}' <> 'bad')
      """
    ) { _, chest in
      chest.stack.append(objectsIn: [SyncTray(value: ["name": "good"]), SyncTray(value: Self.tray)])
      chest.drawers["left"] = SyncTray(value: Self.tray)
      chest.drawers["right"] = .some(nil)
    }
    #expect(found.count == 2 && found.allSatisfy { $0.sqlState == "23514" && $0.values.count == 1 })
    let values = found.reduce(into: [:]) { $0.merge($1.values) { first, _ in first } }
    let stack = try #require(values["stack"] as? [Any?])
    #expect(stack.count == 2 && (stack[0] as? [String: Any?])?["name"] as? String == "good")
    try expectTray(stack.last ?? nil)
    let drawers = try #require(values["drawers"] as? [String: Any?])
    #expect(drawers.count == 2 && drawers["right"].map { $0 == nil } == true)
    try expectTray(drawers["left"] ?? nil)
    let chest = try #require(realm.object(ofType: SyncChest.self, forPrimaryKey: 1))
    #expect(chest.stack.isEmpty && chest.drawers.count == 0)
  }

  @Test func valuesThatHoldOthersAreGiven() async throws {
    let (found, _) = try await rejections("alter table app.\"SyncChest\" add check (name <> 'bad')") {
      realm, chest in
      chest.name = "bad"
      chest.content = SyncTray(value: Self.tray)
      chest.extra = .fromDictionary([
        "list": .fromArray([.int(1), .none, .string("x"), .object(chest)])
      ])
    }
    #expect(found.map(\.sqlState) == ["23514"])
    let values = try #require(found.first?.values)
    try expectTray(values["content"] ?? nil)
    let extra = try #require(values["extra"] as? [String: Any?])
    let list = try #require(extra["list"] as? [Any?])
    #expect(list.count == 4 && list[0] as? Int == 1 && list[1] == nil && list[2] as? String == "x")
    // A link of a value of any type has no class in its key.
    #expect(list[3] == nil)
  }

  @Test func elementsOfAnyTypeAreGiven() async throws {
    let (found, _) = try await rejections(
      "alter table app.\"SyncChest.things\" add check (value ->> 'v' <> 'bad')"
    ) { realm, chest in
      chest.things.append(objectsIn: [.string("bad"), .fromArray([.int(1), .fromArray([])]), .object(chest)])
    }
    let things = try #require(found.first?.values["things"] as? [Any?])
    #expect(things.count == 3 && things[0] as? String == "bad" && things[2] as? Int == 1)
    let list = try #require(things[1] as? [Any?])
    #expect(list[0] as? Int == 1 && (list[1] as? [Any?])?.isEmpty == true)
  }

  /// The deepest value that a realm holds.
  @Test func deepValuesAreGiven() async throws {
    var deep = AnyRealmValue.string("bottom")
    for _ in 0..<999 { deep = .fromArray([deep]) }
    let (found, _) = try await rejections("alter table app.\"SyncChest\" add check (name <> 'bad')") {
      _, chest in
      chest.name = "bad"
      chest.extra = deep
    }
    var value: Any? = found.first?.values["extra"] ?? nil
    var depth = 0
    while let list = value as? [Any?], let element = list.first {
      value = element
      depth += 1
    }
    #expect(value as? String == "bottom" && depth == 999)
  }
}

/// A piece of furniture that holds embedded objects wherever they can be.
final class SyncChest: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var content: SyncTray?
  @Persisted var extra: AnyRealmValue
  @Persisted var stack: List<SyncTray>
  @Persisted var drawers: Map<String, SyncTray?>
  @Persisted var things: List<AnyRealmValue>
}

/// What a chest holds.
final class SyncTray: EmbeddedObject {
  @Persisted var name: String
  @Persisted var coins: List<SyncCoin>
  @Persisted var labels: Map<String, String?>
  @Persisted var numbers: MutableSet<Int>
  @Persisted var spare: SyncCoin?
}

/// What a tray holds.
final class SyncCoin: EmbeddedObject {
  @Persisted var year: Int?
}
