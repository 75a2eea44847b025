import Foundation
import RealmSwift

final class OpenRealmKennel: KennelDatabase {
  static let system = System.openRealm
  private var realm: Realm?

  init(path: String) throws {
    realm = try Realm.openKennel(at: path + ".realm")
  }

  func close() { realm = nil }

  private var opened: Realm { realm! }

  func fill(_ dataset: Dataset) throws {
    let realm = opened
    try realm.write {
      for id in 0..<dataset.count {
        let resident = KennelResident()
        resident.id = id
        resident.name = dataset.names[id]
        resident.city = ResidentQuestion.city(dataset, id)
        resident.age = ResidentQuestion.age(dataset, id)
        realm.add(resident)
      }
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

  func sumOfFirstIDsAndCounts(named names: ArraySlice<String>) -> Int {
    let dogs = opened.objects(KennelDog.self)
    var sum = 0
    for name in names {
      sum += dogs.where({ $0.name == name }).first?.id ?? 0
      sum += dogs.where({ $0.name == name }).count
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

  func sumOfFirstIDsAndNameLengths(_ questions: [ResidentQuestion]) -> Int {
    let residents = opened.objects(KennelResident.self)
    var sum = 0
    for question in questions {
      let found = residents.where { $0.city == question.city && $0.age.contains(question.ages) }
      for resident in found.sorted(by: \.age).prefix(ResidentQuestion.limit) {
        sum += resident.id + resident.name.utf8.count
      }
    }
    return sum
  }
}
