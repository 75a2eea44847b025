import Foundation
import RealmSwift

/// Somebody who visits the cities. Travellers, trips and postcards exist only while the tour runs.
class Traveller: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var home: City?
  @Persisted var passport: Passport?
  @Persisted var stamps: List<Stamp>
  @Persisted var trips: List<Trip>
  @Persisted var visited: List<City>
  @Persisted var languages: MutableSet<String>
  /// A remark by the name of the place.
  @Persisted var diary: Map<String, String>
  /// Whatever the traveller carries: a number, a text, a city, a list…
  @Persisted var luggage: AnyRealmValue
}

class Passport: EmbeddedObject {
  @Persisted var number: String
  @Persisted var issued: Date?
}

class Stamp: EmbeddedObject {
  @Persisted var place: String
  @Persisted var year: Int
}

class Trip: Object {
  @Persisted var title: String
  @Persisted var days: Int
  @Persisted var destination: City?
  @Persisted(originProperty: "trips") var travellers: LinkingObjects<Traveller>
}

class Postcard: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var text: String
  @Persisted var sender: Traveller?
}
