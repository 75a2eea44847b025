import Foundation
import RealmSwift
import TestSupport
import Testing

/// Filtering and sorting the values of a map.
struct MapQueryTests {
  let storage = ScratchRealm.ofCollections()
  let kennel: Kennel
  let map: Map<String, Walker?>

  init() {
    kennel = storage.added(Kennel())
    map = kennel.walkerMap
    // The values come in the order of the keys: Cleo, Ada, null, Bo.
    storage.write { [map] in
      map["4"] = Walker("Bo", age: 2, weight: 20)
      map["1"] = Walker("Cleo", age: 7, weight: 5)
      map["3"] = .some(nil)
      map["2"] = Walker("Ada", age: nil, weight: 12)
    }
    let outside = storage.added(Walker("Outside", age: 2, weight: 6))
    #expect(outside.age == 2)
  }

  private func names(_ results: Results<Walker?>) -> [String?] { results.map { $0?.name } }

  @Test func filterByFormat() {
    #expect(names(map.filter("age > 1")) == ["Cleo", "Bo"])
    #expect(names(map.filter("name BEGINSWITH %@ OR weight == %@", "A", 20)) == ["Ada", "Bo"])
    #expect(map.filter("age == nil").count == 1)
    #expect(map.filter("FALSEPREDICATE").isEmpty)
  }

  @Test func `where`() {
    #expect(names(map.where { $0.age > 1 }) == ["Cleo", "Bo"])
    #expect(names(map.where { $0.name == "Ada" || $0.weight < 6 }) == ["Cleo", "Ada"])
    #expect(map.where { $0.name == "Outside" }.isEmpty)
  }

  @Test func sorted() {
    #expect(names(map.sorted(byKeyPath: "name")) == ["Ada", "Bo", "Cleo"])
    #expect(names(map.sorted(byKeyPath: "weight", ascending: false)) == ["Bo", "Ada", "Cleo"])
    #expect(names(map.sorted(by: \.age)) == ["Ada", "Bo", "Cleo"])
    #expect(names(map.sorted(by: \.name, ascending: false)) == ["Cleo", "Bo", "Ada"])
    storage.write { storage.realm.create(Walker.self, value: ["name": "Ada", "age": 2], update: .modified) }
    let descriptors: [RealmSwift.SortDescriptor] = ["age", .init(keyPath: "weight", ascending: false)]
    #expect(names(map.sorted(by: descriptors)) == ["Bo", "Ada", "Cleo"])
  }

  @Test func embeddedObjects() {
    storage.write {
      kennel.collarMap["a"] = Collar("red", size: 3)
      kennel.collarMap["b"] = Collar("blue", size: 9)
      kennel.collarMap["c"] = Collar("green", size: 1)
    }
    #expect(kennel.collarMap.where { $0.size > 2 }.map { $0?.colour } == ["red", "blue"])
    #expect(kennel.collarMap.sorted(by: \.size).map { $0?.size } == [1, 3, 9])
  }

  @Test func resultsFollowTheMap() {
    let heavy = map.where { $0.weight > 10 }.sorted(byKeyPath: "name")
    #expect(names(heavy) == ["Ada", "Bo"])
    #expect(heavy.first??.name == "Ada" && heavy.last??.name == "Bo")
    storage.write { map["0"] = Walker("Zoe", weight: 11) }
    #expect(names(heavy) == ["Ada", "Bo", "Zoe"])
    storage.write { storage.realm.delete(map["4"]!!) }
    #expect(names(heavy) == ["Ada", "Zoe"])
    storage.write { map.removeObject(for: "2") }
    #expect(names(heavy) == ["Zoe"])
    storage.write { storage.realm.delete(kennel) }
    #expect(heavy.isEmpty)
  }

  @Test func plainValues() {
    let maps = storage.added(
      ValueMaps(value: ["ints": ["a": 5, "b": -1, "c": 3], "strings": ["x": "b", "y": "a"]]))
    #expect(Array(maps.ints.sorted()) == [-1, 3, 5])
    #expect(Array(maps.ints.sorted(ascending: false)) == [5, 3, -1])
    #expect(Array(maps.strings.sorted(byKeyPath: "self")) == ["a", "b"])
  }

  // MARK: What stops the program

  @Test func mapsOfValuesAreNotQueried() async {
    let filter = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ScratchRealm.ofCollections().added(ValueMaps()).ints.filter("self > 1")
    }
    let text = "Querying is currently only implemented for dictionaries of Realm Objects"
    expectStop(filter, saying: text)
    let sort = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ScratchRealm.ofCollections().added(ValueMaps()).ints.sorted(byKeyPath: "age")
    }
    expectStop(sort, saying: "Cannot sort on key path 'age': arrays of 'int' can only be sorted on 'self'")
  }

  @Test func mapsInMemoryAreNotQueried() async {
    let text = "This method may only be called on RLMDictionary instances retrieved from an RLMRealm"
    let filter = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Kennel().walkerMap.where { $0.age > 1 }
    }
    expectStop(filter, saying: text)
    let sort = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Kennel().walkerMap.sorted(byKeyPath: "age")
    }
    expectStop(sort, saying: text)
  }

  @Test func malformedPredicates() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ScratchRealm.ofCollections().added(Kennel()).walkerMap.filter("wings > 1")
    }
    expectStop(result, saying: "Property 'wings' not found in object of type 'Walker'")
  }
}
