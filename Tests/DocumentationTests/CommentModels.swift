import Foundation
import RealmSwift

// The classes of the samples in documentation comments, beside those of the articles.

class Dog: Object, ObjectKeyIdentifiable {
  @Persisted(fullText: true) var name: String
  @Persisted var breed: String
  @Persisted var age = 0
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted(indexed: true) var chip: String?
  @Persisted(fullText: true) var biography: String
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

class Person: Object {
  @Persisted var firstName: String
  @Persisted(fullText: true) var lastName: String
  @Persisted var age: Int
  @Persisted var address: Address?
  @Persisted var dogs: List<Dog>
  @Persisted var dogsByName: Map<String, Dog?>
  @Persisted var friends: List<Person>
  @Persisted var languages: MutableSet<String>
  @Persisted var phones: Map<String, String>
}

struct Temperature: CustomPersistable {
  var degrees: Double

  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
}

struct Chip: FailableCustomPersistable {
  var number: Int

  init?(persistedValue: String) {
    guard let number = Int(persistedValue) else { return nil }
    self.number = number
  }
  var persistableValue: String { String(number) }
}

class Address: EmbeddedObject {
  @Persisted var street: String
  @Persisted var city: String?
}

class PersonProjection: Projection<Person> {
  @Projected(\Person.firstName) var firstName
  @Projected(\Person.address?.city) var homeCity
  @Projected(\Person.friends.projectTo.firstName) var friendsNames
}

actor Importer {
  var realm: Realm!
  init() async throws { realm = try await Realm(actor: self) }
}

class MountainGuide: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted(indexed: true) var licence: String
  @Persisted var languages: MutableSet<String>
  @Persisted var firstSeason = 2026
  @Persisted var home: Hut?
  @Persisted(fullText: true) var biography: String
  @Persisted var hutsByName: Map<String, Hut?>
}

class GuideContact: EmbeddedObject {
  @Persisted var name: String
  @Persisted var phone: String?
}

enum Surface: String, PersistableEnum {
  case gravel, rock, snow
}

class Pitch: Object {
  @Persisted var surface = Surface.rock
  @Persisted var surfaceInWinter: Surface?
}

class HutOverview: Projection<Hut> {
  @Projected(\Hut.name) var title
  @Projected(\Hut.warden?.name) var wardenName
  @Projected(\Hut.visits.projectTo.guest) var guests
}
