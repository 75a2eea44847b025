import RealmSwift

/// A city of the GeoNames table.
class City: Object {
  /// The number that GeoNames gives the place.
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted var country: Country?
  @Persisted var coordinates: Coordinates?
  @Persisted var population: Int
  @Persisted var timezone: String
  @Persisted var alternateNames: List<String>
  /// Not in the imported data: an import leaves it as it is.
  @Persisted var isFavourite = false
}

/// A point on the Earth, as geospatial queries expect it. It lives and dies with its city.
class Coordinates: EmbeddedObject {
  @Persisted var type = "Point"
  /// Longitude and latitude in degrees, in this order.
  @Persisted var coordinates: List<Double>

  var longitude: Double { coordinates[0] }
  var latitude: Double { coordinates[1] }
}

/// A country or territory with an ISO 3166 code.
class Country: Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted var name: String
  @Persisted var capital: String
  @Persisted var continent: Continent
  @Persisted var population: Int
  /// Square kilometres.
  @Persisted var area: Double
  @Persisted var currency: Currency?
  @Persisted var languages: MutableSet<String>
  @Persisted var neighbours: List<Country>
  /// Every city whose `country` is this one.
  @Persisted(originProperty: "country") var cities: LinkingObjects<City>
  /// Numbers that the import derives from its cities.
  @Persisted var facts: Map<String, Int>
  /// Inhabitants per square kilometre, a remark, or nothing.
  @Persisted var note: AnyRealmValue
}

class Currency: EmbeddedObject {
  @Persisted var code: String
  @Persisted var name: String
}

enum Continent: String, PersistableEnum {
  case africa = "AF"
  case antarctica = "AN"
  case asia = "AS"
  case europe = "EU"
  case northAmerica = "NA"
  case oceania = "OC"
  case southAmerica = "SA"

  var title: String {
    switch self {
    case .africa: "Africa"
    case .antarctica: "Antarctica"
    case .asia: "Asia"
    case .europe: "Europe"
    case .northAmerica: "North America"
    case .oceania: "Oceania"
    case .southAmerica: "South America"
    }
  }
}
