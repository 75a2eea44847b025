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

  @Test func result() throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    let beds = try realm.write {
      hut.beds += 1
      return hut.beds
    }
    #expect(beds == 46)
  }

  @Test func inTwoSteps() throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    realm.beginWrite()
    hut.beds = 50
    try realm.commitWrite()
    #expect(hut.beds == 50 && !realm.isInWriteTransaction)
  }

  @Test func byName() throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    try realm.write {
      hut["beds"] = 25
      hut.setValue("Larch Hut", forKey: "name")
    }
    #expect(hut.beds == 25 && hut.name == "Larch Hut")
  }

  @Test func assigningACollection() throws {
    let mountains = try Mountains()
    let (realm, ridge) = (mountains.realm, mountains.ridge)
    let otherHuts = mountains.trails.where { $0.name == "Valley" }.first!.huts
    try realm.write { ridge.huts = otherHuts }
    #expect(ridge.huts.map(\.name) == ["Larch"] && otherHuts.count == 1)
  }

  @Test func loopingWhileObjectsStopMatching() throws {
    let mountains = try Mountains()
    try mountains.realm.write {
      for hut in mountains.huts.where({ $0.beds < 50 }) { hut.beds += 100 }
    }
    #expect(mountains.huts.map(\.beds).sorted() == [80, 106, 145])
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
