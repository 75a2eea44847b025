import Foundation
import RealmSwift
import TestSupport

class Stay: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted(indexed: true) var arrival: Date
  @Persisted var hut: Hut?
  @Persisted var price: Decimal128
  @Persisted var isPaid: Bool
  @Persisted var scan: Data?
  @Persisted var nights: List<Int>
}

/// The huts and trails of `Mountains` with more data, and two stays.
final class Stays {
  let realm: Realm
  let ida: Warden
  let larch: Hut
  let id = UUID()
  let first = Date(timeIntervalSince1970: 1_772_323_200)
  let last = Date(timeIntervalSince1970: 1_775_001_600)
  /// The same objects in another realm.
  let mountains: Mountains

  var huts: Results<Hut> { realm.objects(Hut.self) }
  var trails: Results<Trail> { realm.objects(Trail.self) }
  var stays: Results<Stay> { realm.objects(Stay.self) }

  init() throws {
    let mountains = try Mountains()
    self.mountains = mountains
    var configuration = mountains.configuration
    configuration.fileURL = mountains.folder.file("stays.realm")
    configuration.objectTypes! += [Stay.self, MixedNote.self]
    let realm = try Realm(configuration: configuration)
    self.realm = realm
    try realm.write {
      for trail in mountains.trails { realm.create(Trail.self, value: trail, update: .all) }
    }
    ida = realm.objects(Warden.self).first!
    larch = realm.objects(Hut.self).where { $0.name == "Larch" }.first!
    try fill()
  }

  private func fill() throws {
    let (blackrock, summit) = (hut("Blackrock"), hut("Summit"))
    try realm.write {
      blackrock.languages.insert(objectsIn: ["de", "it"])
      blackrock.prices["EUR"] = 25
      larch.prices["CHF"] = 18
      larch.place = Place(value: ["coordinates": [7.65, 45.98]])
      larch.website = Website(address: "larch.example")
      larch.visits.append(Visit(value: ["guest": "Emmy", "nights": 2] as [String: Any]))
      summit.opened = first
      summit.kind = .bivouac
      blackrock.kind = .selfService
      let ridge = trails.where { $0.name == "Ridge" }.first!
      ridge.notes = "Steep, with screes"
      let arrival = first.addingTimeInterval(86_400)
      realm.create(
        Stay.self,
        value: [
          "id": id, "arrival": arrival, "hut": larch, "price": Decimal128("19.90"), "isPaid": true,
          "scan": Data([0xFF, 0xD8, 0xFF]), "nights": [1, 2],
        ] as [String: Any])
      realm.create(
        Stay.self, value: ["arrival": last, "price": Decimal128("250"), "nights": [7]] as [String: Any])
    }
  }

  private func hut(_ name: String) -> Hut { huts.where { $0.name == name }.first! }
}
