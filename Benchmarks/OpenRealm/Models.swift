import Foundation
import RealmSwift

class Dog: Object, Codable {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var color = ""
  @Persisted var weight = 0.0
  @Persisted var born = Date(timeIntervalSince1970: 0)
  @Persisted var vaccinated = false

  convenience init(_ record: DogGenerator.Record) {
    self.init()
    id = record.id
    name = record.name
    age = record.age
    color = DogGenerator.colors[record.color]
    weight = record.weight
    born = Date(timeIntervalSince1970: Double(record.born))
    vaccinated = record.vaccinated
  }
}

class Person: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var dogs: List<Dog>
}
