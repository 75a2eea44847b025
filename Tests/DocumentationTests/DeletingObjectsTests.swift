import RealmSwift
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
