import Foundation
import RealmSwift

// The classes of the samples: those of the articles about models and relationships, and one more.

class Hut: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted(indexed: true) var name: String
  @Persisted var beds = 20
  @Persisted var altitude: Int
  @Persisted var opened: Date?
  @Persisted var kind = HutKind.staffed
  @Persisted var website: Website?
  @Persisted var warden: Warden?
  @Persisted var place: Place?
  @Persisted var visits: List<Visit>
  @Persisted var languages: MutableSet<String>
  @Persisted var prices: Map<String, Double>
  @Persisted var remark: AnyRealmValue
  @Persisted(originProperty: "huts") var trails: LinkingObjects<Trail>

  /// Not marked, and therefore not stored.
  var isHigh: Bool { altitude > 2_500 }
}

enum HutKind: String, PersistableEnum {
  case staffed, selfService, bivouac
}

struct Website: CustomPersistable {
  var address: String

  init(address: String) { self.address = address }
  init(persistedValue: String) { address = persistedValue }
  var persistableValue: String { address }
}

class Peak: Object {
  @Persisted var name: String
  @Persisted var metres: Int

  override class func propertiesMapping() -> [String: String] { ["metres": "height_m"] }
}

class Trail: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var length: Double
  @Persisted var difficulty: Int
  @Persisted var huts: List<Hut>
  @Persisted(fullText: true) var notes: String
}

class Place: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
}

class Visit: EmbeddedObject {
  @Persisted var guest: String
  @Persisted var nights: Int
}

class Warden: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name: String
}
