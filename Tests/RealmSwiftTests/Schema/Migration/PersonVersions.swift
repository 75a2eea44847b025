import Foundation
import RealmSwift

// A class at several schema versions: in each enum it is called `Person`, in some there are others.

/// Where all begin.
enum Named {
  class Person: Hidden {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var firstName = ""
    @Persisted var lastName: String?
    @Persisted var age = "0"
    @Persisted(indexed: true) var score = 0
    @Persisted var numbers: List<Int>
    @Persisted var pet: Pet?
    @Persisted var pets: List<Pet>
  }
  class Pet: Hidden {
    @Persisted var name = ""
    @Persisted(originProperty: "pets") var owners: LinkingObjects<Person>
  }
  static let types: [ObjectBase.Type] = [Person.self, Pet.self]

  /// People 0 up to a number, with a pet each and one that all share.
  static func fill(_ realm: Realm, count: Int) throws {
    try realm.write {
      let shared = realm.create(Pet.self, value: ["name": "shared"])
      for number in 0..<count {
        let pet = realm.create(Pet.self, value: ["name": "pet \(number)"])
        realm.create(
          Person.self,
          value: [
            "id": number, "firstName": "first \(number)",
            "lastName": number % 3 == 0 ? NSNull() : "last \(number)" as Any, "age": "\(number % 90)",
            "score": number % 10, "numbers": [number, number + 1], "pet": pet, "pets": [shared, pet],
          ] as [String: Any])
      }
    }
  }
}

/// One name, a numeric age, a mapped property.
enum FullyNamed {
  class Person: Hidden {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var fullName = "nobody"
    @Persisted var age = -1
    @Persisted var score = 0
    @Persisted var numbers: List<String>
    @Persisted var pet: Pet?
    @Persisted var pets: List<Pet>
    override class func propertiesMapping() -> [String: String] { ["fullName": "full_name"] }
  }
  class Pet: Hidden {
    @Persisted var name = ""
    @Persisted(originProperty: "pets") var owners: LinkingObjects<Person>
  }
  static let types: [ObjectBase.Type] = [Person.self, Pet.self]
}

/// Another mapped property in the place of that one.
enum Displayed {
  class Person: Hidden {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var displayName = ""
    override class func propertiesMapping() -> [String: String] { ["displayName": "display_name"] }
  }
  static let types: [ObjectBase.Type] = [Person.self]
}

/// Another key, and only names.
enum KeyedByName {
  class Person: Hidden {
    @Persisted var id = 0
    @Persisted(primaryKey: true) var firstName = ""
  }
  static let types: [ObjectBase.Type] = [Person.self]
}

/// Renamed properties, one of them optional now, one indexed.
enum Renamed {
  class Person: Hidden {
    @Persisted(primaryKey: true) var number = 0
    @Persisted(indexed: true) var givenName: String?
    @Persisted var familyName: String?
    @Persisted var animals: List<Pet>
    @Persisted var animal: Pet?
  }
  class Pet: Hidden {
    @Persisted var name = ""
    @Persisted(originProperty: "animals") var owners: LinkingObjects<Person>
  }
  static let types: [ObjectBase.Type] = [Person.self, Pet.self]
}

/// Pets belong to their people.
enum Owning {
  class Person: Hidden {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var pet: Pet?
    @Persisted var pets: List<Pet>
  }
  class Pet: HiddenEmbedded {
    @Persisted var name = ""
  }
  static let types: [ObjectBase.Type] = [Person.self, Pet.self]
}

/// Another class, and no people.
enum Places {
  enum Kind: String, PersistableEnum {
    case town, village
  }
  class Place: Hidden {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var name = "somewhere"
    @Persisted var kind = Kind.village
    @Persisted var neighbour: Place?
  }
  static let types: [ObjectBase.Type] = [Place.self]
}

extension ScratchRealm {
  /// Opens the file with classes and a schema version that may need a migration.
  func migrate(
    _ types: [ObjectBase.Type], to version: UInt64, _ block: MigrationBlock? = nil
  ) throws -> Realm {
    var configuration = configuration(types, version: version)
    configuration.migrationBlock = block
    return try Realm(configuration: configuration)
  }
}
