import RealmSwift

// The classes of Models.h, as a Swift program declares them for the same file.

final class Toy: Object {
  @Persisted var name: String
  @Persisted(originProperty: "favoriteToy") var fans: LinkingObjects<Dog>
}

final class Dog: Object {
  @Persisted var name = "Nameless"
  @Persisted(indexed: true) var age: Int
  @Persisted var color: String? = "brown"
  @Persisted var weight: Double?
  @Persisted var favoriteToy: Toy?
  @Persisted var toys: List<Toy>
  @Persisted var companion: AnyRealmValue
  @Persisted var citiesVisited: MutableSet<String>
  @Persisted var parks: Map<String, String>
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

final class Address: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var city: String?
  @Persisted var country: String?
}

final class Person: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var name: String
  @Persisted var address: Address?
  @Persisted var dogs: List<Dog>
  @Persisted(originProperty: "members") var clubs: LinkingObjects<DogClub>
}

final class DogClub: Object {
  @Persisted(primaryKey: true) var name: String?
  @Persisted var members: List<Person>
  @Persisted var offices: List<Address>
}
