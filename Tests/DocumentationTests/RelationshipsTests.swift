import RealmSwift
import TestSupport
import Testing

class Region: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var mainHut: Hut?
  @Persisted var trails: List<Trail>
  @Persisted var wardens: MutableSet<Warden>
  @Persisted var hutsByCode: Map<String, Hut?>
}

struct RelationshipsTests {
  @Test func links() throws {
    let mountains = try Mountains()
    let (realm, ridge, larch) = (mountains.realm, mountains.ridge, mountains.larch)
    let ida = Warden(value: ["name": "Ida"])
    try realm.write {
      ridge.huts.append(larch)
      larch.warden = ida
    }
    #expect(ridge.huts.map(\.name) == ["Blackrock", "Summit", "Larch"])
    #expect(realm.objects(Warden.self).count == 2)
    let names = larch.trails.map { $0.name }
    #expect(Set(names) == ["Ridge", "Valley"])
  }

  @Test func oneAndMany() throws {
    let folder = ScratchFolder()
    let realm = try Realm(
      configuration: .init(
        fileURL: folder.file("regions.realm"),
        objectTypes: [Region.self, Hut.self, Trail.self, Warden.self, Place.self, Visit.self]))
    let region = Region(value: ["name": "North"])
    let (hut, warden) = (Hut(), Warden())
    try realm.write {
      realm.add(region)
      region.mainHut = hut
      region.trails.append(Trail())
      region.wardens.insert(objectsIn: [warden, warden])
      region.hutsByCode["a"] = hut
      region.hutsByCode["b"] = hut
    }
    #expect(hut.realm == realm && region.mainHut == hut)
    #expect(region.trails.count == 1 && region.wardens.count == 1 && region.hutsByCode.count == 2)
  }

  @Test func aListThatHoldsAnObjectTwice() throws {
    let mountains = try Mountains()
    let (realm, ridge) = (mountains.realm, mountains.ridge)
    try realm.write { ridge.huts.append(mountains.summit) }
    #expect(mountains.summit.trails.count == 2)
  }

  @Test func copyingAnEmbeddedObject() throws {
    let mountains = try Mountains()
    let (realm, larch, summit) = (mountains.realm, mountains.larch, mountains.summit)
    try realm.write {
      larch.place = Place(value: ["coordinates": [11.0, 47.0]])
      summit.place = Place(value: larch.place!)
    }
    #expect(summit.place?.coordinates.first == 11 && summit.place != larch.place)
  }

  @Test func embeddedObjects() throws {
    let mountains = try Mountains()
    let (realm, larch) = (mountains.realm, mountains.larch)
    try realm.write {
      larch.visits.append(Visit(value: ["guest": "Emmy", "nights": 2]))
    }
    #expect(larch.visits[0].guest == "Emmy")
    let visit = larch.visits[0]
    try realm.write { realm.delete(larch) }
    #expect(visit.isInvalidated)
  }

  @Test func values() throws {
    let mountains = try Mountains()
    let (realm, larch) = (mountains.realm, mountains.larch)
    try realm.write {
      larch.remark = .fromDictionary([
        "open": .fromArray([.string("June"), .string("July")]),
        "showers": .int(2),
      ])
    }
    let months = larch.remark.dictionaryValue?["open"]?.listValue?.count
    #expect(months == 2)
  }
}
