import RealmSwift
import Testing

struct ReadingObjectsTests {
  @Test func results() throws {
    let mountains = try Mountains()
    let realm = mountains.realm
    let huts = realm.objects(Hut.self)
    let ridge = realm.object(ofType: Trail.self, forPrimaryKey: "Ridge")
    let high = huts.where { $0.altitude > 2_000 }
    #expect(ridge?.length == 14.5)
    for hut in high {
      print(hut.name, hut.beds)
    }
    let names = high.map { $0.name }
    let first = high.first
    #expect(names.sorted() == ["Blackrock", "Summit"])
    #expect(first != nil)
    let count = high.count
    try realm.write {
      realm.add(Hut(value: ["name": "Eyrie", "altitude": 3_100]))
    }
    print(high.count - count)  // 1
    #expect(high.count == count + 1)
    #expect(huts.count == 4)
  }

  @Test func names() throws {
    let mountains = try Mountains()
    let ridge = mountains.trails.first
    let larch = mountains.larch
    let beds = ridge?.huts.value(forKey: "beds") as? [Int]
    let name = larch["name"] as? String
    #expect(beds == [80, 6])
    #expect(name == "Larch")
  }

  @Test func deletedObjects() throws {
    let mountains = try Mountains()
    let hut = mountains.larch
    if !hut.isInvalidated { print(hut.name) }
    try mountains.realm.write { mountains.realm.delete(hut) }
    #expect(hut.isInvalidated)
  }
}
