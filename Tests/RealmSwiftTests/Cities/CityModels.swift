import RealmSwift

class AtlasCity: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted var country: AtlasCountry?
  @Persisted var location: AtlasPoint?
  @Persisted var population: Int
  @Persisted(indexed: true) var timezone: String
  @Persisted var alternateNames: List<String>
}

/// Longitude, latitude.
class AtlasPoint: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
}

class AtlasCountry: Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted var name: String
  @Persisted var continent: AtlasContinent
  @Persisted var population: Int
  @Persisted var area: Double
  @Persisted var currency: AtlasCurrency?
  @Persisted var languages: MutableSet<String>
  @Persisted var neighbours: List<AtlasCountry>
  @Persisted(originProperty: "country") var cities: LinkingObjects<AtlasCity>
}

class AtlasCurrency: EmbeddedObject {
  @Persisted var code: String
  @Persisted var name: String
}

enum AtlasContinent: String, PersistableEnum {
  case africa = "AF"
  case antarctica = "AN"
  case asia = "AS"
  case europe = "EU"
  case northAmerica = "NA"
  case oceania = "OC"
  case southAmerica = "SA"
}
