import Foundation
import RealmSwift
import TestSupport
import Testing

class Ranger: Object, Codable {
  @Persisted var name: String
  @Persisted var phone: String?

  enum CodingKeys: String, CodingKey {
    case name = "full_name"
    case phone
  }
}

struct CreatingObjectsTests {
  @Test func add() throws {
    let mountains = try Mountains()
    let realm = mountains.realm
    let hut = Hut()
    hut.name = "Larch"
    hut.altitude = 1_980
    try realm.write {
      realm.add(hut)
    }
    #expect(hut.realm == realm)
    #expect(mountains.huts.count == 4)
  }

  @Test func values() throws {
    let mountains = try Mountains()
    let realm = mountains.realm
    try realm.write { realm.deleteAll() }
    try realm.write {
      let ridge: [String: Any] = [
        "name": "Ridge",
        "length": 14.5,
        "huts": [
          ["name": "Blackrock", "beds": 80],
          ["name": "Summit", "beds": 6, "kind": HutKind.bivouac] as [String: Any],
        ],
      ]
      realm.create(Trail.self, value: ridge)
    }
    #expect(mountains.ridge.huts.map(\.beds) == [80, 6])
    #expect(mountains.summit.kind == .bivouac)
    try realm.write {
      realm.create(Trail.self, value: ["name": "Ridge", "difficulty": 3], update: .modified)
    }
    #expect(mountains.ridge.difficulty == 3)
    #expect(mountains.ridge.length == 14.5)
  }

  @Test func json() throws {
    let mountains = try Mountains()
    let realm = mountains.realm
    let url = mountains.folder.file("huts.json")
    let id = mountains.larch.id
    try Data(
      #"""
      [{"id": "\#(id)", "beds": 50},
       {"name": "Col", "opened": "1931-07-01", "kind": "bivouac", "warden": {"name": "Eva"},
        "prices": {"night": 12.5}}]
      """#.utf8
    ).write(to: url)
    let json = try Data(contentsOf: url, options: .mappedIfSafe)
    try realm.write {
      try realm.importJSON(json, as: Hut.self, update: .modified)
    }
    #expect(mountains.larch.beds == 50 && mountains.larch.altitude == 1_980)
    let col = mountains.hut("Col")
    #expect(col.kind == .bivouac && col.warden?.name == "Eva")
    #expect(col.prices["night"] == 12.5 && col.beds == 20)
  }

  @Test func arrays() throws {
    let mountains = try Mountains()
    let realm = mountains.realm
    try realm.write {
      realm.create(Warden.self, value: [ObjectId.generate(), "Eva"] as [Any])
    }
    #expect(realm.objects(Warden.self).map(\.name).sorted() == ["Eva", "Ida"])
  }

  /// What `create` converts.
  @Test func conversions() throws {
    let mountains = try Mountains()
    let realm = mountains.realm
    let values: [String: Any] = [
      "name": "Col", "beds": 1, "prices": ["night": 12], "opened": NSNull(), "kind": "bivouac",
      "website": "col.example", "nonsense": 1,
    ]
    let hut = try realm.write { realm.create(Hut.self, value: values) }
    #expect(hut.prices["night"] == 12 && hut.opened == nil && hut.kind == .bivouac)
    #expect(hut.website?.address == "col.example")
  }

  @Test func codable() throws {
    let folder = ScratchFolder()
    let realm = try Realm(
      configuration: .init(fileURL: folder.file("rangers.realm"), objectTypes: [Ranger.self]))
    let json = Data(#"{"full_name": "Ida"}"#.utf8)
    let ranger = try JSONDecoder().decode(Ranger.self, from: json)
    try realm.write {
      realm.add(ranger)
    }
    #expect(realm.objects(Ranger.self).first?.name == "Ida" && ranger.phone == nil)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(ranger) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Ranger.self, from: Data("{}".utf8)) }
  }

  /// A policy also holds for what is nested; embedded objects are updated in place, or replaced.
  @Test func embeddedObjectsOfUpdates() throws {
    let mountains = try Mountains()
    let realm = mountains.realm
    let id = mountains.larch.id
    func update(_ policy: Realm.UpdatePolicy) {
      let values: [String: Any] = ["id": id, "place": ["type": "Point"], "warden": ["name": "Eva"]]
      realm.create(Hut.self, value: values, update: policy)
    }
    try realm.write {
      update(.modified)
      let place = mountains.larch.place!
      update(.modified)
      #expect(!place.isInvalidated)
      update(.all)
      #expect(place.isInvalidated && mountains.larch.place != nil)
    }
  }

  @Test func copy() throws {
    let mountains = try Mountains()
    let backup = try Realm(
      configuration: .init(
        inMemoryIdentifier: "CreatingObjects",
        objectTypes: [
          Hut.self, Trail.self, Warden.self, Place.self, Visit.self,
        ]))
    let hut = mountains.larch
    try backup.write {
      backup.create(Hut.self, value: hut, update: .modified)
    }
    #expect(backup.objects(Hut.self).first?.warden?.name == "Ida")
    #expect(hut.realm == mountains.realm)
  }

  @Test func many() throws {
    let mountains = try Mountains()
    let realm = mountains.realm
    try realm.write {
      for number in 1...1_000 {
        realm.add(Trail(value: ["name": "Trail \(number)"]))
      }
    }
    #expect(mountains.trails.count == 1_002)
  }
}
