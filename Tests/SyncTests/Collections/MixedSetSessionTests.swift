import RealmSwift
import RealmSync
import Synchronization
import TestSupport
import Testing

/// Sets of mixed values between two realms.
@MainActor @Suite struct MixedSetSessionTests {
  @Test func setsArriveInAnotherRealmAndMerge() async throws {
    let database = try SyncDatabase([SyncBasket.self, SyncDog.self])
    let realms = try await database.openCurrent("first.realm", "second.realm")
    let basket = SyncBasket()
    basket.id = 1
    let dog = SyncDog(value: ["id": 7, "name": "Rex"])
    basket.items.insert(objectsIn: [.int(1), .double(0.5), .string("1"), .object(dog), .none])
    try realms[0].write { realms[0].add(basket) }
    try await exchange(realms)
    let copy = try #require(realms[1].object(ofType: SyncBasket.self, forPrimaryKey: 1))
    #expect(copy.items.count == 5 && copy.items.contains(.int(1)) && copy.items.contains(.none))
    #expect(copy.items.compactMap { $0.object(SyncDog.self)?.name } == ["Rex"])

    let heard = Mutex<[String]>([])
    let token = basket.items.observe { change in
      guard case .update(_, let deletions, let insertions, _) = change else { return }
      heard.withLock { $0.append("-\(deletions.count) +\(insertions.count)") }
    }
    try realms[1].write {
      copy.items.remove(.double(1))
      copy.items.insert(.float(2))
    }
    try realms[0].write { basket.items.insert(.int(2)) }
    try await exchange(realms)
    try await exchange(realms)
    for set in [basket.items, copy.items] {
      #expect(set.count == 5 && !set.contains(.int(1)) && set.contains(.double(2)))
    }
    try await eventually { !heard.withLock { $0.isEmpty } }
    token.invalidate()
  }

  @Test func aDecimalIsRejectedWithItsValue() async throws {
    let database = try SyncDatabase([SyncBasket.self, SyncDog.self])
    let rejections = Mutex<[Rejection]>([])
    let realm = try await database.open("realm.realm") { added in rejections.withLock { $0 += added } }
    let value: [String: Any] = ["id": 1, "items": [1, 0.5]]
    try realm.write { _ = realm.create(SyncBasket.self, value: value) }
    try await exchange(realm)
    let basket = try #require(realm.object(ofType: SyncBasket.self, forPrimaryKey: 1))
    try realm.write { basket.items.insert(.decimal128(2.5)) }
    try await exchange(realm)
    try await exchange(realm)
    #expect(basket.items.count == 2)
    let rejection = try #require(rejections.withLock { $0 }.first)
    #expect(rejection.message.contains("Decimal128") && rejection.values["items"] != nil)
  }
}

/// A class with a set of values of any type.
final class SyncBasket: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var items: MutableSet<AnyRealmValue>
}
