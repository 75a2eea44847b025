import Foundation
import RealmSwift

/// The models of the documentation's examples.
enum Kennels {
  /// Only in realms that list it: other tests have classes of the same names.
  class Listed: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class DogToy: Listed {
    @Persisted var name = ""
  }

  final class Dog: Listed {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var color = ""
    @Persisted var currentCity = ""
    @Persisted var isGoodDog = true
    @Persisted var citiesVisited: MutableSet<String>
    @Persisted var companion: AnyRealmValue
    @Persisted var favoriteToy: DogToy?
    /// Keys are cities.
    @Persisted var favoriteParksByCity: Map<String, String>
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  }

  final class Person: Listed {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var dogs: List<Dog>
    @Persisted var address: Address?
  }

  final class Address: EmbeddedObject {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var street: String?
    @Persisted var city: String?
    @Persisted var country: String?
    @Persisted var postalCode: String?
    @Persisted var propertyOwner: Person?
  }

  final class Contact: Listed {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var name = ""
    @Persisted var address: Address?
  }

  final class Business: Listed {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var name = ""
    @Persisted var addresses: List<Address>
    @Persisted var branches: Map<String, Address?>
  }

  final class Employee: Listed {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var title: String?
    @Persisted(originProperty: "employees") var company: LinkingObjects<Company>
  }

  final class Company: Listed {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var companyName = ""
    @Persisted var employees: List<Employee>
  }

  enum TaskStatus: String, PersistableEnum {
    case notStarted
    case inProgress
    case complete
  }

  final class Task: Listed {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var name = ""
    @Persisted var status = TaskStatus.notStarted
    @Persisted var previousStatus: TaskStatus?
    @Persisted var owner: String?
  }

  static let classes: [ObjectBase.Type] = [
    DogToy.self, Dog.self, Person.self, Address.self, Contact.self, Business.self, Employee.self,
    Company.self,
    Task.self,
  ]

  static func file() throws -> ScratchRealm { ScratchRealm(classes) }
}
