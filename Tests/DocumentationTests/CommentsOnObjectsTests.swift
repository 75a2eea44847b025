import Foundation
import RealmSwift
import TestSupport
import Testing

/// The samples in documentation comments about objects, collections and values.
struct CommentsOnObjectsTests {
  @Test func models() throws {
    let folder = ScratchFolder()
    let realm = try Realm(
      configuration: .init(
        fileURL: folder.file("models.realm"),
        objectTypes: [
          MountainGuide.self, Pitch.self, Hut.self, Trail.self, Warden.self, Place.self, Visit.self,
        ]))
    let guide = MountainGuide(value: ["licence": "CH-1042", "languages": ["de", "it"]])
    try realm.write {
      realm.add(guide)
      realm.add(Pitch(value: ["surfaceInWinter": Surface.snow]))
      guide.hutsByName["Summit"] = Hut(value: ["name": "Summit", "beds": 6])
    }
    let small = guide.hutsByName.where { $0.beds < 20 }
    #expect(small.count == 1 && guide.languages.count == 2)
    #expect(realm.objects(Pitch.self).first?.surface == .rock)
    #expect(Temperature(persistedValue: 4).persistableValue == 4)
    #expect(Chip(persistedValue: "x") == nil && Chip(persistedValue: "12")?.persistableValue == "12")
    #expect(GuideContact(value: ["name": "Ida"]).phone == nil)
  }

  @Test func objects() throws {
    let mountains = try Mountains()
    let realm = mountains.realm
    do {
      let hut = mountains.larch
      let again = realm.object(ofType: Hut.self, forPrimaryKey: hut.id)
      print(hut.isSameObject(as: again))  // true
      #expect(hut.isSameObject(as: again))
      try realm.write { hut["beds"] = 30 }
      print(hut["beds"] as? Int ?? 0)
      #expect(hut.beds == 30)
      try realm.write { hut.remark = .string("No water in autumn") }
      print(hut.remark.stringValue ?? "no text")
      #expect(hut.remark == .string("No water in autumn"))
      try realm.write { hut.beds = 45 }
    }
    let hut = realm.dynamicObjects("Hut").first!
    let name = hut.name as? String
    try realm.write { hut["beds"] = 30 }
    #expect(mountains.hut(name ?? "").beds == 30)
  }

  @Test func lists() throws {
    let mountains = try Mountains()
    let (realm, trail, hut) = (mountains.realm, mountains.ridge, mountains.larch)
    try realm.write { trail.huts.append(hut) }
    #expect(trail.huts.map(\.name) == ["Blackrock", "Summit", "Larch"])
    try realm.write {
      trail.huts.append(hut)
      trail.huts.move(from: 0, to: 1)
      trail.huts.remove(at: 0)
    }
    #expect(trail.huts.map(\.name) == ["Blackrock", "Larch", "Larch"])
  }

  @Test func setsAndMaps() throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    try realm.write {
      hut.languages.insert("de")
      hut.languages.remove("fr")
    }
    print(hut.languages.contains("de"))
    try realm.write { hut.languages.insert("it") }
    try realm.write {
      hut.prices["bunk"] = 38.5
      hut.prices["tent"] = nil
    }
    for entry in hut.prices { print(entry.key, entry.value) }
    #expect(Array(hut.languages) == ["de", "it"] && hut.prices.count == 1)
  }

  @Test func values() throws {
    let id = ObjectId.generate()
    let copy = try ObjectId(string: id.stringValue)
    print(id == copy)  // true
    #expect(id == copy)
    let price: Decimal128 = "19.99"
    print(price < "20", price * 3)  // true 59.97
    #expect(price < 20 && price * 3 == "59.97")
  }

  @Test func projections() throws {
    let realm = try Mountains().realm
    for summary in realm.objects(HutOverview.self).filter("altitude > 2000") {
      print(summary.title, summary.wardenName ?? "no warden")
    }
    let summaries = realm.objects(HutOverview.self).sorted(byKeyPath: "name")
    #expect(summaries.map(\.title) == ["Blackrock", "Larch", "Summit"])
    #expect(summaries.map(\.wardenName) == [nil, "Ida", nil])
    #expect(summaries.allSatisfy { $0.guests.isEmpty })
  }
}
