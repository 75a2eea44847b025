import RealmSwift
import Testing

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
