import Foundation
import RealmSwift
import TestSupport
import Testing

class ComparedOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var limit = 0
  @Persisted var price: Decimal128
  @Persisted var born = Date(timeIntervalSinceReferenceDate: 0)
  @Persisted var nicknames: List<String>
  @Persisted var dogs: List<ComparedDog>
  @Persisted var cats: MutableSet<ComparedDog>
  @Persisted var favourite: ComparedDog?
}

class ComparedDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<ComparedOwner>
}

/// Collections compared with properties, aggregates with each other, and objects in the order of numbers of elements.
@Suite struct PropertyComparisonTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }
  var owners: Results<ComparedOwner> { realm.objects(ComparedOwner.self) }

  init() throws {
    scratch = try ScratchRealm(opening: [ComparedOwner.self, ComparedDog.self])
    let realm = scratch.realm
    try realm.write {
      for id in 0..<6 {
        realm.create(ComparedDog.self, value: ["id": id, "name": "n\(id)", "age": id])
      }
      let dogs = realm.objects(ComparedDog.self)
      for id in 0..<4 {
        let owner = realm.create(ComparedOwner.self, value: ["id": id, "name": "n\(id)", "limit": 2])
        owner.nicknames.append(objectsIn: ["x", id == 1 ? "n1" : "y"])
        owner.dogs.append(objectsIn: dogs.prefix([3, 1, 0, 4][id]))
        owner.cats.insert(objectsIn: dogs.prefix([1, 1, 2, 5][id]))
        owner.favourite = dogs[id]
      }
    }
  }

  private func ids(_ results: Results<ComparedOwner>) -> [Int] { results.map(\.id) }

  @Test func collectionsAndProperties() throws {
    let expected: [(String, [Int])] = [
      ("ANY nicknames == name", [1]), ("name IN nicknames", [1]), ("ANY dogs.name == name", [0, 3]),
      ("NONE dogs.name == name", [1, 2]), ("ALL dogs.age < limit", [1, 2]), ("favourite IN dogs", [0, 3]),
      ("ANY dogs.age > favourite.age", [0]), ("dogs.@count > cats.@count", [0]),
      ("dogs.@sum.age == cats.@sum.age", [1]), ("dogs.@count < favourite.age", [2]),
      ("favourite.owners.@count > dogs.@count", [1, 2]),
    ]
    for (format, found) in expected {
      #expect(ids(owners.filter(format)) == found, "\(format)")
      #expect(ids(owners.filter(NSPredicate(format: format))) == found, "\(format)")
      #expect(ids(realm.freeze().objects(ComparedOwner.self).filter(format)) == found, "\(format)")
      let predicate = NSPredicate(format: format)
      #expect(owners.filter { predicate.evaluate(with: $0) }.map(\.id) == found, "\(format) in memory")
      let dynamic = realm.dynamicObjects("ComparedOwner").filter(format)
      #expect(dynamic.map { $0["id"] as? Int } == found, "\(format) dynamically")
    }
    #expect(owners.filter("ANY nicknames == name").explain().contains("ANY nicknames == name"))
  }

  @Test func typedQueries() {
    #expect(ids(owners.where { $0.dogs.name == $0.name }) == [0, 3])
    #expect(ids(owners.where { $0.dogs.age > $0.limit }) == [3])
    #expect(ids(owners.where { $0.limit < $0.dogs.age }) == [3])
    #expect(ids(owners.where { !($0.dogs.name == $0.name) }) == [1, 2])
    #expect(ids(owners.where { $0.dogs.count > $0.cats.count }) == [0])
    #expect(ids(owners.where { $0.dogs.age.sum == $0.cats.age.sum }) == [1])
    #expect(ids(owners.where { $0.dogs.age.max > $0.cats.age.max }) == [0])
  }

  @Test func unmanagedElements() {
    let list = List<ComparedOwner>()
    for id in 0..<3 {
      let owner = ComparedOwner(value: ["id": id, "name": "a\(id)"])
      owner.nicknames.append(objectsIn: ["b", id == 2 ? "a2" : "c"])
      owner.dogs.append(objectsIn: (0..<id).map { ComparedDog(value: ["id": $0, "name": "a\($0)"]) })
      list.append(owner)
    }
    #expect(list.index(matching: "ANY nicknames == name") == 2)
    #expect(list.index(matching: "name IN nicknames") == 2)
    #expect(list.index(matching: "ALL nicknames != name") == 0)
    #expect(list.index(matching: "dogs.@count > cats.@count") == 1)
    #expect(list.index(matching: "ALL name == nicknames") == nil)
  }

  @Test func sortedByTheNumberOfElements() throws {
    #expect(ids(owners.sorted(byKeyPath: "dogs.@count")) == [2, 1, 0, 3])
    #expect(ids(owners.sorted(byKeyPath: "dogs.@count", ascending: false)) == [3, 0, 1, 2])
    #expect(ids(owners.sorted(byKeyPath: "cats.@count")) == [0, 1, 2, 3])
    #expect(
      ids(
        owners.sorted(by: [
          SortDescriptor(keyPath: "cats.@count"), SortDescriptor(keyPath: "id", ascending: false),
        ]))
        == [1, 0, 2, 3])
    #expect(ids(owners.sorted(byKeyPath: "favourite.owners.@count", ascending: false)) == [0, 1, 2, 3])
    #expect(ids(owners.sorted(byKeyPath: "dogs.@max.age")) == [2, 1, 0, 3])
    #expect(ids(owners.where { $0.id > 0 }.sorted(byKeyPath: "dogs.@count")) == [2, 1, 3])
    #expect(owners.sorted(byKeyPath: "dogs.@count").first?.id == 2)
    #expect(ids(owners.sorted(byKeyPath: "dogs.@count").freeze()) == [2, 1, 0, 3])
    #expect(
      realm.objects(ComparedDog.self).sorted(byKeyPath: "owners.@count", ascending: false).map(\.id)
        == [0, 1, 2, 3, 4, 5])
    #expect(owners.sorted(byKeyPath: "dogs.@count").explain().contains("sort: dogs.@count ascending"))
    let sorted = owners.sorted(byKeyPath: "dogs.@count")
    #expect(ids(sorted) == [2, 1, 0, 3])
    try realm.write { owners[2].dogs.append(objectsIn: Array(realm.objects(ComparedDog.self))) }
    #expect(ids(sorted) == [1, 0, 3, 2])
  }

  @Test(arguments: [
    ("@count", "Cannot sort on key path '@count': KVC collection operators are not supported."),
    (
      "dogs.age.@count",
      "Invalid keypath 'dogs.age.@count': Property 'ComparedDog.age' is not a link or collection and can only appear at the end of a keypath."
    ),
    (
      "dogs.dogs.@count",
      "Invalid keypath 'dogs.dogs.@count': Property 'dogs' not found in object of type 'ComparedDog'"
    ),
    (
      "dogs.owners.@count",
      "Cannot sort on key path 'dogs.owners.@count': KVC collection operators are not supported."
    ),
  ])
  func whatIsNoOrder(keyPath: String, message: String) {
    let error = #expect(throws: Realm.Error.self) {
      try owners.sorted(checking: [SortDescriptor(keyPath: keyPath)])
    }
    #expect(error?.localizedDescription == message)
  }

  /// An integer beyond 64 bits with a sign, as an argument.
  @Test func unsignedArguments() throws {
    for format in ["limit < %@", "limit != %@", "limit <= %llu"] {
      #expect(owners.filter(format, UInt64.max).count == 4, "\(format)")
      #expect(owners.filter(NSPredicate(format: format, UInt64.max)).count == 4, "\(format)")
    }
    #expect(owners.filter("limit == %@ OR limit > %@", UInt64.max, NSNumber(value: UInt64.max)).isEmpty)
    let isAmong = NSPredicate(format: "limit IN %@", argumentArray: [[2, UInt64.max] as [Any]])
    #expect(owners.filter(isAmong).count == 4)
  }

  /// The object with the nearest double is another one.
  @Test func decimalLiteralsAreExact() throws {
    try realm.write {
      owners[0].price = try Decimal128(string: "100000000000000000000")
      owners[1].price = try Decimal128(string: "100000000000000000001")
      owners[2].price = "0.1"
    }
    #expect(ids(owners.filter("price == 100000000000000000001")) == [1])
    #expect(ids(owners.filter("price == 100000000000000000000")) == [0])
    #expect(ids(owners.filter(NSPredicate(format: "price == 0.1"))) == [2])
    let predicate = NSPredicate(format: "price == 100000000000000000001")
    #expect(owners.filter { predicate.evaluate(with: $0) }.map(\.id) == [1])
    try realm.write { realm.delete(owners.filter("price == 100000000000000000001")) }
    #expect(ids(owners) == [0, 2, 3])
  }

  @Test func stringsAreNoDates() throws {
    let error = #expect(throws: Realm.Error.self) { try owners.filter(checking: "born > '2024-05-01'") }
    #expect(
      error?.localizedDescription
        == "Cannot compare value '2024-05-01' of type 'String' to property 'born' of type 'date'. Pass a Date as the argument of %@ instead of a string."
    )
  }
}
