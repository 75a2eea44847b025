import Foundation
import RealmSwift
import TestSupport

/// What the samples are about: three huts and two trails, in a file that goes with this.
final class Mountains {
  let configuration: Realm.Configuration
  let realm: Realm
  // The last one, so that the realm is closed when it goes.
  let folder: ScratchFolder

  init() throws {
    folder = ScratchFolder()
    configuration = Realm.Configuration(
      fileURL: folder.file("mountains.realm"),
      objectTypes: [Hut.self, Trail.self, Warden.self, Place.self, Visit.self])
    realm = try Realm(configuration: configuration)
    try realm.write {
      let ida = Warden(value: ["name": "Ida"])
      let blackrock = realm.create(
        Hut.self, value: ["name": "Blackrock", "beds": 80, "altitude": 2_441] as [String: Any])
      let larch = realm.create(
        Hut.self, value: ["name": "Larch", "beds": 45, "altitude": 1_980, "warden": ida] as [String: Any])
      let summit = realm.create(
        Hut.self,
        value: ["name": "Summit", "beds": 6, "altitude": 3_012, "kind": HutKind.bivouac] as [String: Any])
      realm.add(
        Trail(value: ["name": "Ridge", "length": 14.5, "difficulty": 3, "huts": [blackrock, summit]]))
      realm.add(Trail(value: ["name": "Valley", "length": 8.0, "difficulty": 1, "huts": [larch]]))
    }
  }

  var huts: Results<Hut> { realm.objects(Hut.self) }
  var trails: Results<Trail> { realm.objects(Trail.self) }
  var blackrock: Hut { hut("Blackrock") }
  var larch: Hut { hut("Larch") }
  var summit: Hut { hut("Summit") }
  var ridge: Trail { trails.where { $0.name == "Ridge" }.first! }

  func hut(_ name: String) -> Hut { huts.where { $0.name == name }.first! }
  func names(_ huts: some Sequence<Hut>) -> [String] { huts.map(\.name).sorted() }
}
