import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Operators of key-value coding that have one result, where the program names no type for it.
struct KeyValueOperatorTests {
  private func expectOperators<C: RealmCollection>(_ collection: C, _ name: String) {
    #expect(collection.value(forKeyPath: "@count") as? Int == 3, "\(name)")
    #expect(collection.value(forKeyPath: "@sum.age") as? Int == 6, "\(name)")
    #expect(collection.value(forKeyPath: "@min.age") as? Int == 1, "\(name)")
    #expect(collection.value(forKeyPath: "@max.age") as? Int == 3, "\(name)")
    #expect(collection.value(forKeyPath: "@avg.age") as? Double == 2, "\(name)")
  }

  @Test(arguments: [false, true]) func allCollectionsOfObjectsHaveThem(isManaged: Bool) {
    let storage = ScratchRealm.ofCollections()
    let kennel = Kennel()
    for (name, age) in [("a", 1), ("b", 2), ("c", 3)] {
      let walker = Walker(name, age: age)
      kennel.walkers.append(walker)
      kennel.walkerSet.insert(walker)
      kennel.walkerMap[name] = walker
    }
    if isManaged {
      _ = storage.added(kennel)
      let walkers = storage.realm.objects(Walker.self)
      expectOperators(walkers, "Results")
      expectOperators(AnyRealmCollection(walkers), "AnyRealmCollection")
      expectOperators(kennel.walkers.sorted(byKeyPath: "age"), "sorted")
      #expect(walkers[0].kennels.value(forKeyPath: "@count") as? Int == 1)
    }
    expectOperators(kennel.walkers, "List")
    expectOperators(kennel.walkerSet, "MutableSet")
    // As programs write it, where the type of the collection is known.
    #expect(kennel.walkers.value(forKeyPath: "@count") as? Int == 3)
    #expect(kennel.walkers.value(forKeyPath: "@sum.age") as? Int == 6)
    #expect(kennel.walkerSet.value(forKeyPath: "@count") as? Int == 3)
    #expect(kennel.walkerSet.value(forKeyPath: "@max.age") as? Int == 3)
    #expect(kennel.walkerMap.value(forKeyPath: "@count") as? Int == 3)
    #expect(kennel.walkerMap.value(forKeyPath: "@min.age") as? Int == 1)
    #expect(kennel.value(forKeyPath: "walkerSet.@count") as? Int == 3)
    let names: [AnyObject] = kennel.walkers.value(forKeyPath: "name")
    #expect(names as? [String] == ["a", "b", "c"])
    #expect(kennel.walkerSet.value(forKeyPath: "name").count == 3)
  }

  @Test(arguments: [false, true]) func setsAndListsOfValuesHaveThem(isManaged: Bool) {
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    let lists = ValueLists()
    lists.ints.append(objectsIn: [4, 5])
    _ = storage?.added(lists)
    #expect(lists.ints.value(forKeyPath: "@count") as? Int == 2)
    #expect(lists.ints.value(forKeyPath: "@sum.self") as? Int == 9)
    let set = MutableSet<Int>()
    #expect(set.value(forKeyPath: "@count") as? Int == 0)
    set.insert(objectsIn: [4, 5])
    #expect(set.value(forKeyPath: "@count") as? Int == 2 && set.value(forKeyPath: "@max.self") as? Int == 5)
  }

  /// Code that is generic over maps has the same types as code that knows the map.
  private func values<M: RealmKeyedCollection>(_ map: M) -> (AnyObject?, AnyObject?, Int?)
  where M.Key == String, M.Value.PersistedType: SortableType {
    let value: AnyObject? = map.value(forKey: "a")
    let count: AnyObject? = map.value(forKeyPath: "@count")
    let untyped = map.value(forKey: "b")
    return (value, count, untyped as? Int)
  }

  private func sorted<M: RealmKeyedCollection>(_ map: M) -> [M.Value]
  where M.Value: _HasPersistedType, M.Value.PersistedType: SortableType {
    Array(map.sorted(ascending: false)) + Array(map.sorted())
  }

  private func ages<M: RealmKeyedCollection>(_ map: M) -> [Int?] where M.Value == Walker? {
    map.sorted(by: \.age, ascending: false).map { $0?.age } + map.sorted(byKeyPath: "age").map { $0?.age }
  }

  @Test func mapsInGenericCode() {
    let storage = ScratchRealm.ofCollections()
    let kennel = Kennel()
    for (name, age) in [("a", 1), ("b", 2)] { kennel.walkerMap[name] = Walker(name, age: age) }
    _ = storage.added(kennel)
    #expect(ages(kennel.walkerMap) == [2, 1, 1, 2])
    let map = Map<String, Int>()
    map["a"] = 1
    map["b"] = 2
    let (value, count, untyped) = values(map)
    #expect(value as? Int == 1 && count as? Int == 2 && untyped == 2)
    let maps = ValueMaps()
    maps.ints["a"] = 1
    maps.ints["b"] = 2
    _ = storage.added(maps)
    #expect(sorted(maps.ints) == [2, 1, 1, 2])
  }
}
