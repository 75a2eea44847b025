import Foundation
import RealmSwift

final class OpenRealmKennel: KennelDatabase {
  static let system = System.openRealm
  private var realm: Realm?

  init(path: String) throws { realm = try Realm.openKennel(at: path + ".realm") }

  func close() { realm = nil }

  private var opened: Realm { realm! }

  func fill(_ dataset: Dataset) throws {
    let realm = opened
    try realm.write {
      for person in 0..<dataset.peopleCount {
        let owner = KennelOwner()
        owner.id = person
        owner.city = person % KennelQueries.cityCount
        realm.add(owner)
        for id in person * Dataset.dogsPerPerson..<(person + 1) * Dataset.dogsPerPerson {
          let dog = KennelDog()
          dog.id = id
          dog.name = dataset.names[id]
          dog.age = dataset.ages[id]
          dog.born = Date(timeIntervalSince1970: Double(dataset.born[id]))
          dog.owner = owner
          realm.add(dog)
          owner.dogs.append(dog)
        }
      }
    }
  }

  func sumOfIDs(named names: ArraySlice<String>) -> Int {
    let dogs = opened.objects(KennelDog.self)
    var sum = 0
    for name in names {
      for dog in dogs.where({ $0.name == name }) { sum += dog.id }
    }
    return sum
  }

  func sumOfAges(bornFrom first: Int, through last: Int) -> Int {
    let span = Date(timeIntervalSince1970: Double(first))...Date(timeIntervalSince1970: Double(last))
    return opened.objects(KennelDog.self).where { $0.born.contains(span) }.sum(ofProperty: "age")
  }

  func countOfDogs(ofOwnersIn city: Int) -> Int {
    opened.objects(KennelDog.self).where { $0.owner.city == city }.count
  }

  func countOfOwners(withMoreThan count: Int, dogsYoungerThan age: Int) -> Int {
    opened.objects(KennelOwner.self).where { ($0.dogs.age < age).count > count }.count
  }
}
