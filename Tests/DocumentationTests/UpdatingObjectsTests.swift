import RealmSwift
import Testing

struct UpdatingObjectsTests {
  @Test func write() throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    try realm.write {
      hut.beds += 10
      hut.warden?.name = "Ida"
    }
    #expect(hut.beds == 55)
  }

  @Test func cancel() throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    try realm.write {
      for trail in mountains.trails { trail.huts.removeAll() }
    }
    try realm.write {
      hut.beds = 0
      if hut.trails.isEmpty { realm.cancelWrite() }
    }
    #expect(hut.beds == 45)
  }

  @Test func collections() throws {
    let mountains = try Mountains()
    let (realm, hut, ridge) = (mountains.realm, mountains.larch, mountains.ridge)
    try realm.write { hut.prices["child"] = 9 }
    try realm.write {
      ridge.huts.move(from: 0, to: 1)
      hut.languages.insert("it")
      hut.prices["member"] = 21.5
      hut.prices["child"] = nil
    }
    #expect(ridge.huts.map(\.name) == ["Summit", "Blackrock"])
    #expect(hut.prices.count == 1 && hut.prices["member"] == 21.5)
    #expect(hut.languages.contains("it"))
  }

  @Test func many() throws {
    let mountains = try Mountains()
    let realm = mountains.realm
    try realm.write {
      realm.objects(Hut.self).where { $0.kind == .bivouac }.setValue(0, forKey: "beds")
    }
    #expect(mountains.summit.beds == 0)
    #expect(mountains.larch.beds == 45)
  }

  @MainActor @Test func asynchronously() async throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    try await realm.asyncWrite {
      hut.beds = 60
    }
    #expect(hut.beds == 60)
  }
}
