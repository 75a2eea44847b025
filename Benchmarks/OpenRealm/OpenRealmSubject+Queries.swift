import Foundation
import RealmSwift

extension OpenRealmSubject: QueryingDatabase {
  func idOfFirstDog(named name: String) -> Int? {
    shown.objects(Dog.self).where { $0.name == name }.first?.id
  }

  func countOfDogs(nameContaining part: String) -> Int {
    shown.objects(Dog.self).where { $0.name.contains(part) }.count
  }

  func countOfCompoundMatches() -> Int {
    shown.objects(Dog.self).where {
      ($0.age >= 5 && $0.weight < 20.0 && $0.vaccinated == true) || $0.color == "golden"
    }.count
  }

  func idsOfSortedDogs(readingFirst count: Int) -> SortedDogs {
    let sorted = sortedDogs()
    var first: [Int] = []
    for index in 0..<min(count, sorted.count) {
      first.append(sorted[index].id)
    }
    // The last one shows that all of them were sorted.
    return SortedDogs(first: first, last: sorted.last?.id)
  }

  func idsOfSortedDogs(limit: Int) -> SortedDogs {
    SortedDogs(first: sortedDogs().prefix(limit).map(\.id))
  }

  private func sortedDogs() -> Results<Dog> {
    shown.objects(Dog.self).sorted(by: [
      SortDescriptor(keyPath: "name"), SortDescriptor(keyPath: "age", ascending: false),
    ])
  }

  func summary() -> DogSummary {
    let dogs = shown.objects(Dog.self)
    let sumOfAges: Int = dogs.sum(ofProperty: "age")
    let averageWeight: Double? = dogs.average(ofProperty: "weight")
    let firstBorn: Date? = dogs.min(ofProperty: "born")
    let lastBorn: Date? = dogs.max(ofProperty: "born")
    return DogSummary(
      sumOfAges: sumOfAges, averageWeight: averageWeight ?? .nan,
      firstBorn: Int(firstBorn?.timeIntervalSince1970 ?? 0),
      lastBorn: Int(lastBorn?.timeIntervalSince1970 ?? 0))
  }

  func numbersByColor() -> [Int] {
    shown.objects(Dog.self).grouped(by: \.color).aggregated(.sum(\.age), .average(\.weight)).flatMap {
      [$0.count, $0.values.0, Int((($0.values.1 ?? 0) * 1000).rounded())]
    }
  }

  static func openAndRead(dog id: Int, at path: String) throws -> OpenedDog {
    // What the program knows before it opens the file.
    let configuration = configuration(path: path)
    let start = Stopwatch.now()
    let realm = try Realm(configuration: configuration)
    let dog = try found(realm.object(ofType: Dog.self, forPrimaryKey: id))
    // Closing is no part of it.
    return withExtendedLifetime((realm, dog)) {
      let (name, age) = (dog.name, dog.age)
      return OpenedDog(seconds: Stopwatch.now() - start, name: name, age: age)
    }
  }

  func countOfDogs() -> Int {
    shown.objects(Dog.self).count
  }

  func countOfDogs(colored color: String) -> Int {
    shown.objects(Dog.self).where { $0.color == color }.count
  }

  func idsOfDogs(ofPerson person: Int) throws -> [Int] {
    let person = try Self.found(shown.object(ofType: Person.self, forPrimaryKey: person))
    return Array(person.dogs.map(\.id))
  }
}
