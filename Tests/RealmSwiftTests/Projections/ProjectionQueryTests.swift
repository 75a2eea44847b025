import Foundation
import RealmSwift
import Testing

/// Results of projections: asked by the root object's names.
struct ProjectionQueryTests {
  private let scratch: ScratchRealm
  private var realm: Realm { scratch.realm }
  private var people: Results<PersonProjection> { realm.objects(PersonProjection.self) }

  init() throws {
    scratch = try ScratchRealm(opening: [ProjectedPerson.self, ProjectedAddress.self])
    let realm = scratch.realm
    try realm.write {
      for (id, first, last, city) in [
        (1, "John", "Snow", "Winterfell"), (2, "Arya", "Stark", "Winterfell"),
        (3, "Tyrion", "Lannister", nil),
        (4, "Cersei", "Lannister", "King's Landing"), (5, "Sansa", "Stark", "Winterfell"),
      ] as [(Int, String, String, String?)] {
        realm.add(ProjectedPerson(id, first, last, city: city))
      }
    }
  }

  private func names(_ people: some Sequence<PersonProjection>) -> [String] { people.map(\.firstName) }

  @Test func filterSortAndDistinct() {
    #expect(people.count == 5)
    #expect(names(people.filter("lastName == 'Snow'")) == ["John"])
    #expect(
      names(people.filter("address.city == %@", "Winterfell").sorted(byKeyPath: "firstName")) == [
        "Arya", "John", "Sansa",
      ])
    #expect(
      names(people.sorted(by: [SortDescriptor(keyPath: "lastName"), "firstName"])) == [
        "Cersei", "Tyrion", "John", "Arya", "Sansa",
      ])
    #expect(
      names(people.sorted(byKeyPath: "id", ascending: false).distinct(by: ["lastName"])) == [
        "Sansa", "Cersei", "John",
      ])
    #expect(people.index(matching: "firstName == %@", "Tyrion") == 2)
    #expect(people.first { $0.homeCity == nil }?.firstName == "Tyrion")
    #expect(people.filter { $0.lastNameCaps == "STARK" }.count == 2)
    #expect(people.first?.firstName == "John" && people.last?.firstName == "Sansa")
    #expect(names(people.objects(at: [1, 3])) == ["Arya", "Cersei"])
    #expect(names(people[1..<3]) == ["Arya", "Tyrion"])
    #expect(people.isEmpty == false && people.realm == realm)
  }

  @Test func aggregatesAndKeyValueCoding() throws {
    #expect(
      people.max(ofProperty: "id") == 5 && people.min(ofProperty: "id") == 1)
    #expect(people.sum(ofProperty: "money") == Decimal128(1500))
    #expect(people.average(ofProperty: "id") == 3.0)
    #expect(people.value(forKey: "firstName") as? [String] == ["John", "Arya", "Tyrion", "Cersei", "Sansa"])
    #expect(people.value(forKeyPath: "@max.id") as? Int == 5)
    #expect((people.value(forKeyPath: "address.city") as? [Any])?.count == 5)
    try realm.write { people.setValue("Nobody", forKey: "lastName") }
    #expect(Set(people.map(\.lastNameCaps)) == ["NOBODY"])
  }

  @Test func erasedCollections() {
    let erased = AnyRealmCollection(people.filter("lastName == 'Stark'"))
    #expect(erased.map(\.firstName) == ["Arya", "Sansa"])
    #expect(erased.sorted(byKeyPath: "firstName", ascending: false).first?.firstName == "Sansa")
    #expect(erased.sum(ofProperty: "id") == 7)
  }

  @Test func resultsAreLive() throws {
    let starks = people.filter("lastName == 'Stark'")
    #expect(starks.count == 2)
    try realm.write {
      people[0].rootObject.lastName = "Stark"
      #expect(starks.count == 3)
      realm.delete(people[1].rootObject)
    }
    #expect(names(starks) == ["John", "Sansa"])
  }

  @Test func walksInAWrite() throws {
    try realm.write {
      var seen: [String] = []
      var kept: [PersonProjection] = []
      for person in people.filter("lastName == 'Lannister'") {
        kept.append(person)
        seen.append(person.firstName)
        person.rootObject.lastName = "Hill"
      }
      #expect(seen == ["Tyrion", "Cersei"] && kept.map(\.firstName) == seen)
      var valid = 0
      for person in people {
        if person.isInvalidated { continue }
        valid += 1
        if person.firstName == "John" { realm.delete(realm.objects(ProjectedPerson.self).filter("id > 3")) }
      }
      #expect(valid == 3)
    }
  }

  @Test func sections() throws {
    let cities = people.sectioned(by: \.homeCity)
    #expect(cities.allKeys == ["King's Landing", "Winterfell", nil])
    #expect(cities[1].map(\.firstName) == ["John", "Arya", "Sansa"])
    let families = people.sectioned(by: \.lastNameCaps, ascending: false)
    #expect(families.allKeys == ["STARK", "SNOW", "LANNISTER"])
    let ordered = people.sectioned(
      by: \.lastNameCaps,
      sortDescriptors: ["lastName", SortDescriptor(keyPath: "firstName", ascending: false)])
    #expect(ordered.map { $0.map(\.firstName) } == [["Tyrion", "Cersei"], ["John"], ["Sansa", "Arya"]])
    let initials = people.sectioned(
      by: { String($0.firstName.prefix(1)) }, sortDescriptors: [SortDescriptor(keyPath: "firstName")])
    #expect(initials.allKeys == ["A", "C", "J", "S", "T"])
    try realm.write { people[0].firstName = "Aegon" }
    #expect(initials.allKeys == ["A", "C", "S", "T"] && initials[0].count == 2)
    #expect(
      initials[0][0].firstName == "Aegon" && initials[IndexPath(item: 1, section: 0)].firstName == "Arya")
  }

  @Test func manyElements() throws {
    try realm.write {
      for id in 10..<2_000 { realm.add(ProjectedPerson(id, "n\(id)", id % 2 == 0 ? "even" : "odd")) }
    }
    var sum = 0
    for person in realm.objects(ShortPersonProjection.self).filter("lastName == 'even'") {
      sum += person.number
    }
    #expect(sum == stride(from: 10, to: 2_000, by: 2).reduce(0, +))
    #expect(Array(people.filter("lastName == 'odd'")).allSatisfy { $0.lastNameCaps == "ODD" })
  }
}
