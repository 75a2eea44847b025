import RealmSwift
import TestSupport
import Testing

struct DeletingObjectsTests {
  @Test func one() throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    try realm.write {
      realm.delete(hut)
    }
    print(hut.isInvalidated)  // true
    #expect(hut.isInvalidated)
    #expect(mountains.trails.where { $0.name == "Valley" }.first?.huts.isEmpty == true)
  }

  @Test func several() throws {
    let mountains = try Mountains()
    let realm = mountains.realm
    try realm.write { mountains.summit.beds = 0 }
    try realm.write {
      realm.delete(realm.objects(Hut.self).where { $0.beds == 0 })
    }
    #expect(mountains.names(mountains.huts) == ["Blackrock", "Larch"])
  }

  @Test func allOfAClass() throws {
    let mountains = try Mountains()
    let realm = mountains.realm
    try realm.write {
      realm.delete(realm.objects(Trail.self))
    }
    #expect(mountains.trails.isEmpty && mountains.huts.count == 3)
  }

  @Test func theObjectsOfAList() throws {
    let mountains = try Mountains()
    let (realm, ridge) = (mountains.realm, mountains.ridge)
    try realm.write {
      realm.delete(ridge.huts)
    }
    #expect(mountains.names(mountains.huts) == ["Larch"] && ridge.huts.isEmpty)
    try realm.write { mountains.trails.where { $0.name == "Valley" }.first!.huts.removeAll() }
    #expect(mountains.names(mountains.huts) == ["Larch"])
  }

  /// The table of what a deletion means without rules.
  @Test func linksToADeletedObject() throws {
    let folder = ScratchFolder()
    let realm = try Realm(
      configuration: .init(
        fileURL: folder.file("links.realm"),
        objectTypes: [
          TypeSamples.LinkValues.self, Hut.self, Trail.self, Warden.self, Place.self, Visit.self,
        ]))
    let hut = Hut(value: ["name": "Larch"])
    let warden = Warden(value: ["name": "Ida"])
    let other = Hut()
    let links = TypeSamples.LinkValues()
    try realm.write {
      realm.add([hut, other])
      realm.add(links)
      links.guide = warden
      links.helpers.insert(warden)
      links.huts.append(objectsIn: [hut, other, hut])
      links.hutByNight["first"] = hut
      other.remark = .object(hut)
      hut.warden = warden
      hut.place = Place()
    }
    let (place, visits) = (hut.place!, hut.visits)
    try realm.write { realm.delete(hut) }
    #expect(Array(links.huts) == [other] && links.hutByNight.keys == ["first"])
    #expect(links.hutByNight["first"] == .some(nil) && other.remark == .none)
    #expect(place.isInvalidated && visits.isInvalidated && !warden.isInvalidated && hut.realm == nil)
    try realm.write { realm.delete(warden) }
    #expect(links.guide == nil && links.helpers.isEmpty)
  }

  @Test func rolledBack() throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    let id = hut.id
    let frozen = hut.freeze()
    realm.beginWrite()
    realm.delete(hut)
    realm.cancelWrite()
    #expect(hut.isInvalidated)
    #expect(realm.object(ofType: Hut.self, forPrimaryKey: id)?.name == "Larch")
    try realm.write { realm.delete(mountains.larch) }
    #expect(frozen.name == "Larch" && !frozen.isInvalidated)
  }

  @Test func whatBelongsToIt() throws {
    let mountains = try Mountains()
    let (realm, trail) = (mountains.realm, mountains.ridge)
    try realm.write { mountains.trails.where { $0.name == "Valley" }.first!.huts.append(mountains.blackrock) }
    try realm.write {
      realm.delete(trail.huts.where { $0.trails.count == 1 })
      realm.delete(trail)
    }
    #expect(mountains.names(mountains.huts) == ["Blackrock", "Larch"])
  }

  @Test func everything() throws {
    var mountains: Mountains? = try Mountains()
    let (folder, configuration) = (mountains!.folder, mountains!.configuration)
    func deleteAll(_ realm: Realm) throws {
      try realm.write {
        realm.deleteAll()
      }
      #expect(realm.isEmpty)
    }
    try deleteAll(mountains!.realm)
    mountains = nil
    let wasThere = try Realm.deleteFiles(for: configuration)
    #expect(wasThere)
    withExtendedLifetime(folder) {}
  }
}
