import Foundation
import RealmSwift
import Testing

/// Foundation has one, too.
private typealias Order = RealmSwift.SortDescriptor

class PlanDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var age = 0
  @Persisted(indexed: true) var born: Date?
  @Persisted var weight = 0.0
}

class PlanOwner: Object {
  @Persisted var name = ""
  @Persisted var dogs: List<PlanDog>
  @Persisted var favourite: PlanDog?
}

/// Sorted results are put in order as far as they are read; nobody must notice.
struct SortedResultsTests {
  static let count = 9000

  static func filledRealm() throws -> (ScratchRealm, Realm) {
    let file = ScratchRealm([PlanDog.self, PlanOwner.self])
    let realm = try file.open()
    try realm.write {
      for id in 0..<count {
        let dog = PlanDog()
        dog.id = id
        dog.name = "dog \((id * 7919) % 5000)"
        dog.age = (id * 31) % 17
        dog.born = id % 10 == 0 ? nil : Date(timeIntervalSince1970: Double((id * 131) % 4000))
        dog.weight = Double((id * 77) % 901) / 10
        realm.add(dog)
      }
    }
    return (file, realm)
  }

  private static let descriptors: [[Order]] = [
    ["name"], [Order(keyPath: "born", ascending: false)],
    ["weight", Order(keyPath: "id", ascending: false)],
    [Order(keyPath: "name", ascending: false), "age"],
    ["age", "weight"],
  ]

  /// What a dog is sorted by, read once.
  private struct Values {
    let (id, name, age): (Int, [UInt8], Int)
    let (born, weight): (Date?, Double)

    init(_ dog: PlanDog) {
      (id, name, age) = (dog.id, Array(dog.name.utf8), dog.age)
      (born, weight) = (dog.born, dog.weight)
    }
  }

  /// The ids in the order of a plain stable sort.
  private static func plain(_ dogs: some Sequence<PlanDog>, _ descriptors: [Order]) -> [Int] {
    func precedes(_ a: Values, _ b: Values) -> Bool? {
      for descriptor in descriptors {
        let order: Bool? =
          switch descriptor.keyPath {
          case "name": a.name == b.name ? nil : a.name.lexicographicallyPrecedes(b.name)
          case "age": a.age == b.age ? nil : a.age < b.age
          case "weight": a.weight == b.weight ? nil : a.weight < b.weight
          case "id": a.id == b.id ? nil : a.id < b.id
          default: a.born == b.born ? nil : (a.born ?? .distantPast) < (b.born ?? .distantPast)
          }
        if let order { return order == descriptor.ascending }
      }
      return nil
    }
    return dogs.map(Values.init).enumerated().sorted {
      precedes($0.element, $1.element) ?? ($0.offset < $1.offset)
    }.map(\.element.id)
  }

  @Test func everyWayOfReading() throws {
    let (file, realm) = try Self.filledRealm()
    try withExtendedLifetime(file) {
      for descriptors in Self.descriptors {
        for filtered in [false, true] {
          let source =
            filtered ? realm.objects(PlanDog.self).where { $0.age < 9 } : realm.objects(PlanDog.self)
          let expected = Self.plain(source, descriptors)
          func sorted() -> Results<PlanDog> { source.sorted(by: descriptors) }
          #expect(sorted().first?.id == expected.first)
          #expect(sorted().prefix(100).map(\.id) == Array(expected.prefix(100)))
          #expect(sorted().last?.id == expected.last)
          #expect(sorted().map(\.id) == expected)
          #expect(sorted()[600].id == expected[600])
          let some = sorted()
          #expect(some.first?.id == expected[0] && some.count == expected.count)
          let dog = try #require(realm.object(ofType: PlanDog.self, forPrimaryKey: expected[4000]))
          #expect(some.index(of: dog) == 4000)
          #expect(some.max(ofProperty: "id") == expected.max())
          #expect(
            Array(some.objects(at: IndexSet([0, 5, 3000]))).map(\.id) == [0, 5, 3000].map { expected[$0] })
        }
      }
    }
  }

  @Test func furtherSteps() throws {
    let (file, realm) = try Self.filledRealm()
    withExtendedLifetime(file) {
      let dogs = realm.objects(PlanDog.self)
      let twice = dogs.sorted(byKeyPath: "weight").sorted(byKeyPath: "age", ascending: false)
      #expect(
        twice.map(\.id) == Self.plain(dogs, [Order(keyPath: "age", ascending: false), "weight"]))
      let distinct = dogs.sorted(byKeyPath: "name").distinct(by: ["age"])
      var seen: Set<Int> = []
      #expect(
        distinct.map(\.id)
          == Self.plain(dogs.filter { _ in true }, ["name"]).filter { id in
            seen.insert((id * 31) % 17).inserted
          })
      let filtered = dogs.sorted(byKeyPath: "weight").where { $0.age == 3 }
      #expect(filtered.map(\.id) == Self.plain(dogs.where { $0.age == 3 }, ["weight"]))
    }
  }

  @Test func changesOnTheWay() throws {
    let (file, realm) = try Self.filledRealm()
    try withExtendedLifetime(file) {
      let sorted = realm.objects(PlanDog.self).sorted(byKeyPath: "weight")
      let expected = Self.plain(realm.objects(PlanDog.self), ["weight"])
      #expect(sorted.first?.id == expected[0])
      // A walk shows what was there when it began, in the order of then.
      var walked: [Int] = []
      for dog in sorted {
        walked.append(dog.id)
        if walked.count == 3 {
          try realm.write { for dog in realm.objects(PlanDog.self) { dog.weight = -dog.weight } }
        }
      }
      #expect(walked == expected)
      // The results themselves follow.
      let now = Self.plain(realm.objects(PlanDog.self), ["weight"])
      #expect(sorted.first?.id == now.first && sorted.last?.id == now.last)
      try realm.write {
        let first = try #require(sorted.first)
        first.weight = 1000
        #expect(sorted.first?.id == now[1] && sorted.last?.id == now[0])
        var count = 0
        for dog in sorted {
          dog.weight = Double(count)
          count += 1
        }
        #expect(count == Self.count)
        realm.delete(sorted[0])
      }
      #expect(sorted.count == Self.count - 1)
      #expect(Array(sorted.map(\.weight)) == (1..<Self.count).map(Double.init))
    }
  }

  @Test func explanations() throws {
    let (file, realm) = try Self.filledRealm()
    withExtendedLifetime(file) {
      let dogs = realm.objects(PlanDog.self)
      #expect(dogs.explain() == "PlanDog: all objects, 9000")
      let named = dogs.where { $0.name == "dog 7" && $0.age < 12 }.explain()
      #expect(named.contains("filter: name == \"dog 7\" AND age < 12"))
      #expect(named.contains("index: name == \"dog 7\", 2 rows estimated, 2 found"))
      #expect(named.contains("then tested: age < 12"))
      let found = dogs.where { $0.name == "dog 7" && $0.age < 12 }.count
      #expect(named.contains("actual") && named.contains(", \(found) actual"))

      let scan = dogs.where { $0.age < 3 }.explain()
      #expect(
        scan.contains("scan: 10 chunks of 960 rows, 0 skipped by minimum and maximum (0 rows), 0 taken whole")
      )
      let count = dogs.where { $0.age < 3 }.count
      #expect(scan.contains("\(count / 1000),\(String(count % 1000 + 1000).dropFirst()) actual"))

      let sorted = dogs.sorted(byKeyPath: "name").explain()
      #expect(sorted.contains("sort: name ascending\n  reads the index on name in order, 512 of 9,000 rows"))
      let picked = dogs.sorted(byKeyPath: "weight", ascending: false).explain()
      #expect(picked.contains("sort: weight descending\n  picks the first 512 of 9,000 rows"))

      let linked = realm.objects(PlanOwner.self).where { $0.favourite.name == "dog 7" }.explain()
      #expect(linked.contains("first, of PlanDog:") && linked.contains("index: name == \"dog 7\""))
      let list = realm.objects(PlanDog.self).distinct(by: ["age"]).explain()
      #expect(list.contains("distinct: age") && list.contains("17 actual"))
    }
  }
}
