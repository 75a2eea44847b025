import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// The first objects of a filtered sort can be read from an index before all are found; nobody must notice.
@Suite struct FilteredSortTests {
  private static let formats = [
    "name >= 'dog 1' AND name <= 'dog 4'", "name >= 'dog 3' AND age == 4", "born > %@",
    "born == NULL AND age < 9",
    "age == 3", "weight < 40 AND born < %@", "name == 'nobody'", "name BEGINSWITH 'dog 1' AND age > 1",
    "id >= 8990",
  ]
  private static let orders = ["name", "born", "id"]

  /// The ids in the order of a plain stable sort of values that are read once.
  private static func ids(_ dogs: [PlanDog], _ order: String, _ ascending: Bool) -> [Int] {
    switch order {
    case "name":
      ids(dogs, dogs.map { Array($0.name.utf8) }, ascending) { $0.lexicographicallyPrecedes($1) }
    case "born":
      ids(dogs, dogs.map(\.born), ascending) { a, b in
        a.map { a in b.map { a < $0 } ?? false } ?? (b != nil)
      }
    default: ids(dogs, dogs.map(\.id), ascending, by: <)
    }
  }

  private static func ids<Value: Equatable>(
    _ dogs: [PlanDog], _ values: [Value], _ ascending: Bool, by precedes: (Value, Value) -> Bool
  ) -> [Int] {
    let places = dogs.indices.sorted { first, second in
      let (a, b) = (values[first], values[second])
      return a == b ? first < second : precedes(a, b) == ascending
    }
    return places.map { dogs[$0].id }
  }

  private static func check(_ realm: Realm) {
    let date = Date(timeIntervalSince1970: 2000) as NSDate
    for format in formats {
      let predicate = NSPredicate(format: format, date)
      let dogs = Array(realm.objects(PlanDog.self).filter(predicate))
      for order in orders {
        for ascending in [true, false] {
          let expected = ids(dogs, order, ascending)
          func sorted() -> Results<PlanDog> {
            realm.objects(PlanDog.self).filter(predicate).sorted(byKeyPath: order, ascending: ascending)
          }
          let comment: Comment = "\(format) by \(order), \(ascending)"
          #expect(sorted().first?.id == expected.first, comment)
          for length in [0, 1, 20, expected.count, expected.count + 1] {
            #expect(sorted().prefix(length).map(\.id) == Array(expected.prefix(length)), comment)
          }
          #expect(sorted().count == expected.count && sorted().map(\.id) == expected, comment)
          let some = sorted()
          if expected.count > 40 {
            #expect(some[40].id == expected[40] && some[3].id == expected[3], comment)
            #expect(some.index(of: some[40]) == 40, comment)
          }
          #expect(some.last?.id == expected.last && some.count == expected.count, comment)
          #expect(some.sum(ofProperty: "id") == expected.reduce(0, +), comment)
        }
      }
    }
  }

  @Test func firstObjectsAreThoseOfAll() throws {
    let (file, realm) = try SortedResultsTests.filledRealm()
    Self.check(realm)
    realm.beginWrite()
    for dog in realm.objects(PlanDog.self).filter("id < 8000 AND age == 4") { dog.name = "dog 2x" }
    realm.delete(realm.objects(PlanDog.self).filter("age == 5"))
    Self.check(realm)
    realm.cancelWrite()
    Self.check(realm.freeze())
    withExtendedLifetime(file) {}
  }

  /// A walk goes on with what was there when it began.
  @Test func walksDoNotSeeChanges() throws {
    let (file, realm) = try SortedResultsTests.filledRealm()
    let dogs = realm.objects(PlanDog.self).filter("name >= 'dog 2' AND age < 9").sorted(byKeyPath: "name")
    let expected = Array(dogs).map(\.id)
    var found: [Int] = []
    for dog in realm.objects(PlanDog.self).filter("name >= 'dog 2' AND age < 9").sorted(byKeyPath: "name") {
      if found.isEmpty { try realm.write { realm.objects(PlanDog.self).setValue("dog 1", forKey: "name") } }
      found.append(dog.id)
    }
    #expect(found == expected && dogs.isEmpty)
    withExtendedLifetime(file) {}
  }

  @Test func explanationsNameTheIndex() throws {
    let (file, realm) = try SortedResultsTests.filledRealm()
    let dogs = realm.objects(PlanDog.self).filter("name >= 'dog 2' AND age < 9").sorted(byKeyPath: "name")
    let explanation = dogs.explain()
    #expect(explanation.contains("reads the index on name in order"), "\(explanation)")
    #expect(explanation.contains(#"only: name >= "dog 2""#) && explanation.contains("then tested: age < 9"))
    withExtendedLifetime(file) {}
  }

  @Test func prefixesOfValues() throws {
    let (file, realm) = try SortedResultsTests.filledRealm()
    let dogs = realm.objects(PlanDog.self)
    #expect(dogs.prefix(3).map(\.id) == [0, 1, 2] && dogs.prefix(0).isEmpty)
    #expect(dogs.prefix(20_000).count == SortedResultsTests.count)
    #expect(dogs.prefix(5).endIndex == 5 && dogs.prefix(5)[4].id == 4)
    withExtendedLifetime(file) {}
  }
}
