import Foundation
import RealmSwift
import TestSupport
import Testing

class KennelPlace: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
}

class KennelSite: Object {
  @Persisted var place: KennelPlace?
}

/// The samples in documentation comments of what concerns queries.
struct CommentsOnQueriesTests {
  @Test func results() throws {
    let realm = try Kennel().realm
    let dogs = realm.objects(Dog.self)
    print(dogs.count, dogs.first?.name ?? "none")
    for dog in dogs { print(dog.name) }
    #expect(dogs.count == 2)
    try realm.write { dogs.setValue("poodle", forKey: "breed") }
    #expect(dogs.allSatisfy { $0.breed == "poodle" })
  }

  @Test func filters() throws {
    let kennel = try Kennel()
    let (realm, dogs) = (kennel.realm, kennel.dogs)
    do {
      let puppies = realm.objects(Dog.self).where { $0.age < 2 }
      #expect(puppies.count == 1)
    }
    let puppies = realm.objects(Dog.self).filter("age < 2 AND name BEGINSWITH %@", "Wo")
    let wolves = realm.objects(Dog.self).where { $0.age < 2 && $0.name.starts(with: "Wo") }
    #expect(puppies.count == 1 && wolves.count == 1)
    let people = realm.objects(Person.self).where {
      ($0.dogs.age > 2 && $0.dogs.name == "Rex").count > 0
    }
    #expect(people.count == 1)
    let predicate = NSPredicate(format: "age > %d AND name BEGINSWITH %@", 2, "Wo")
    #expect(dogs.filter(predicate).isEmpty)
    print(realm.objects(Dog.self).where { $0.name.starts(with: "Wo") }.explain())
    try realm.write { kennel.rex.biography = "Rescued many in the Black Forest" }
    let heroes = dogs.where { $0.biography.fullTextSearch("rescue* -bear \"black forest\"") }
    #expect(heroes.count == 1)
    for found in dogs.ranked(by: \.biography, "rescue* forest", limit: 10) {
      print(found.score, found.object.name)
    }
    #expect(dogs.ranked(by: \.biography, "rescue* forest", limit: 10).map(\.object.name) == [kennel.rex.name])
    let dog = kennel.rex
    let search = TextSearch("rescue* \"black forest\"")
    let snippet = search.snippet(of: dog.biography, wordCount: 12)
    print(snippet.text, snippet.ranges.map { snippet.text[$0] })
    #expect(snippet.ranges.map { snippet.text[$0] } == ["Rescued", "Black", "Forest"])
  }

  @Test func groups() throws {
    let dogs = try Kennel().dogs
    for group in dogs.grouped(by: \.breed).aggregated(.average(\.age), .max(\.age)) {
      let (average, oldest) = group.values
      print(group.key, group.count, average ?? 0, oldest ?? 0)
    }
    do {
      let ages = dogs.grouped(by: \.breed).aggregated(.average(\.age), .max(\.age))
      #expect(ages.map(\.count).reduce(0, +) == dogs.count)
    }
    do {
      let counts = dogs.grouped(by: \.breed).counts
      print(counts["poodle", default: 0])
    }
    let counts = dogs.grouped(by: \.breed).counts
    let ages = dogs.grouped(by: \.breed, \.chip).aggregated(.average(\.age))
    #expect(counts.values.reduce(0, +) == dogs.count)
    #expect(ages.map(\.count).reduce(0, +) == dogs.count)
  }

  @Test func order() throws {
    let dogs = try Kennel().dogs
    let sorted = dogs.sorted(by: [SortDescriptor(keyPath: \Dog.age), SortDescriptor(keyPath: \Dog.name)])
    #expect(sorted.first?.name == "Wolfie")
    let oneOfEachBreed = dogs.distinct(by: [\Dog.breed])
    let byOwner = dogs.sorted(by: [RealmSwift.SortDescriptor(keyPath: "breed", ascending: false)])
    #expect(oneOfEachBreed.count == 2 && byOwner.first?.breed == "poodle")
    do {
      let oldest = dogs.sorted(by: \.age, ascending: false).first
      #expect(oldest?.name == "Rex")
    }
    let oldest = dogs.max(of: \.age)
    let years = dogs.sum(of: \.age)
    let average: Double? = dogs.average(of: \.age)
    #expect(oldest == 4 && years == 5 && average == 2.5)
  }

  @Test func places() throws {
    let folder = ScratchFolder()
    let realm = try Realm(
      configuration: .init(
        fileURL: folder.file("places.realm"), objectTypes: [KennelSite.self, KennelPlace.self]))
    try realm.write { realm.add(KennelSite(value: ["place": ["coordinates": [7.6, 46.0]]])) }
    let kennels = realm.objects(KennelSite.self)
    let here = GeoPoint(latitude: 46.1, longitude: 7.5)!
    let near = kennels.where { $0.place.geoWithin(GeoCircle(center: here, radius: .kilometers(50)!)) }
    #expect(near.count == 1)
  }

  @Test func sections() throws {
    let realm = try Kennel().realm
    let sections = realm.objects(Dog.self).sectioned(by: \.breed)
    for section in sections {
      print(section.key)
      for dog in section { print(dog.name) }
    }
    #expect(sections.allKeys == ["boxer", "poodle"])
  }
}
