import Foundation
import RealmSwift
import TestSupport

/// What the samples of comments are about, in a file that goes with this.
final class Kennel {
  let configuration: Realm.Configuration
  let realm: Realm
  let wolfie: Dog
  let rex: Dog
  let person: Person
  // The last one, so that the realm is closed when it goes.
  let scratch: ScratchFolder

  init() throws {
    scratch = ScratchFolder()
    configuration = Realm.Configuration(
      fileURL: scratch.file("kennel.realm"), objectTypes: [Dog.self, Person.self, Address.self])
    realm = try Realm(configuration: configuration)
    wolfie = Dog(value: ["name": "Wolfie", "breed": "boxer", "age": 1] as [String: Any])
    rex = Dog(value: ["name": "Rex", "breed": "poodle", "age": 4] as [String: Any])
    person = Person(value: ["firstName": "Jo", "lastName": "Snow", "dogs": [wolfie, rex]] as [String: Any])
    try realm.write { realm.add(person) }
  }

  var dogs: Results<Dog> { realm.objects(Dog.self) }
  var url: URL { configuration.fileURL! }
  var folder: URL { scratch.url }
}
