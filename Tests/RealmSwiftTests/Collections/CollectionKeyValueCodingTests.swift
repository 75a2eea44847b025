import Foundation
import RealmSwift
import Testing

struct CollectionKeyValueCodingTests {
  private func makeKennel() -> Kennel {
    let kennel = Kennel()
    let friend = Walker("friend", age: 9)
    for (name, age) in [("a", 3), ("b", nil), ("c", 3)] {
      let walker = Walker(name, age: age)
      walker.friend = name == "b" ? nil : friend
      walker.nicknames.append(objectsIn: [name + "1", "same"])
      kennel.walkers.append(walker)
      kennel.walkerMap[name] = walker
      kennel.walkerSet.insert(walker)
    }
    return kennel
  }

  @Test(arguments: [false, true]) func objects(isManaged: Bool) {
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    let kennel = makeKennel()
    _ = storage?.added(kennel)
    let walkers = kennel.walkers
    #expect(walkers.value(forKey: "name") as? [String] == ["a", "b", "c"])
    let ages = walkers.value(forKey: "age") as! [Any]
    #expect(ages[0] as? Int == 3)
    #expect(ages[1] is NSNull)
    let friends = walkers.value(forKeyPath: "friend.name") as! [Any]
    #expect(friends[0] as? String == "friend")
    #expect(friends[1] is NSNull)
    #expect((walkers.value(forKey: "self") as! [Walker]).count == 3)
    #expect(walkers.value(forKeyPath: "@count") as? Int == 3)
    #expect(walkers.value(forKey: "@count") as? Int == 3)
    #expect(walkers.value(forKeyPath: "@sum.age") as? Int == 6)
    #expect(walkers.value(forKeyPath: "@avg.age") as? Double == 3)
    #expect(walkers.value(forKeyPath: "@min.age") as? Int == 3)
    #expect(walkers.value(forKeyPath: "@max.weight") as? Double == 0)
    #expect(walkers.value(forKeyPath: "@unionOfObjects.name") as? [String] == ["a", "b", "c"])
    #expect((walkers.value(forKeyPath: "@distinctUnionOfObjects.age") as! [Any]).count == 2)
    #expect(
      walkers.value(forKeyPath: "@unionOfArrays.nicknames") as? [String] == [
        "a1", "same", "b1", "same", "c1", "same",
      ])
    #expect(
      walkers.value(forKeyPath: "@distinctUnionOfArrays.nicknames") as? [String] == [
        "a1", "same", "b1", "c1",
      ])
    #expect(kennel.value(forKeyPath: "walkers.@count") as? Int == 3)
    #expect(Set(kennel.walkerSet.value(forKey: "name") as! [String]) == ["a", "b", "c"])
    #expect((kennel.walkerSet.value(forKey: "age") as! [Any]).count == 2)
    let change = { walkers.setValue(7, forKey: "age") }
    if let storage { storage.write(change) } else { change() }
    #expect(walkers.allSatisfy { $0.age == 7 })
    #expect(AnyRealmCollection(walkers).value(forKey: "age") as? [Int] == [7, 7, 7])
  }

  @Test(arguments: [false, true]) func values(isManaged: Bool) {
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    let lists = ValueLists()
    lists.ints.append(objectsIn: [1, 2])
    lists.optionalStrings.append(objectsIn: ["x", nil])
    _ = storage?.added(lists)
    #expect(lists.ints.value(forKey: "self") as? [Int] == [1, 2])
    #expect((lists.optionalStrings.value(forKey: "self") as! [Any])[1] is NSNull)
    #expect(lists.ints.value(forKeyPath: "@sum.self") as? Int == 3)
    let change = {
      lists.ints.setValue(5, forKey: "self")
      lists.optionalStrings.setValue(nil, forKey: "self")
    }
    if let storage { storage.write(change) } else { change() }
    #expect(Array(lists.ints) == [5, 5])
    #expect(Array(lists.optionalStrings) == [nil, nil])
  }

  @Test(arguments: [false, true]) func maps(isManaged: Bool) {
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    let kennel = makeKennel()
    let maps = ValueMaps()
    maps.ints.merge(["a": 1, "b": 2]) { _, new in new }
    _ = storage?.added(kennel)
    _ = storage?.added(maps)
    #expect(maps.ints.value(forKey: "a") as? Int == 1)
    #expect(maps.ints.value(forKey: "absent") == nil)
    #expect(maps.ints.value(forKey: "@count") as? Int == 2)
    #expect(maps.ints.value(forKeyPath: "@min.self") as? Int == 1)
    #expect(maps.ints.value(forKey: "@allKeys") as? [String] == ["a", "b"])
    #expect(maps.ints.value(forKey: "@allValues") as? [Int] == [1, 2])
    #expect(kennel.walkerMap.value(forKeyPath: "a.friend.name") as? String == "friend")
    let change = {
      maps.ints.setValue(4, forKey: "c")
      maps.ints.setValue(nil, forKey: "a")
    }
    if let storage { storage.write(change) } else { change() }
    #expect(maps.ints.asKeyValueSequence().map(\.value) == [2, 4])
  }

  @Test func fromArraysAndDictionaries() {
    let kennel = Kennel(value: [
      "walkers": [["name": "a"], Walker("b")] as [Any],
      "collarMap": ["left": ["colour": "red"], "right": NSNull()] as [String: Any],
    ])
    #expect(kennel.walkers.map(\.name).elementsEqual(["a", "b"]))
    #expect(kennel.collarMap["left"]??.colour == "red")
    #expect(kennel.collarMap["right"] == .some(nil))
    kennel.setValue([Walker("c")], forKey: "walkers")
    #expect(kennel.walkers.map(\.name).elementsEqual(["c"]))
    kennel.setValue(nil, forKey: "walkers")
    #expect(kennel.walkers.isEmpty)
    let storage = ScratchRealm.ofCollections()
    _ = storage.added(kennel)
    storage.write {
      kennel.setValue(["x": ["name": "d"]], forKey: "walkerMap")
      kennel.setValue(Set([Walker("e")]), forKey: "walkerSet")
      kennel.setValue(storage.realm.objects(Walker.self), forKey: "walkers")
    }
    #expect(kennel.walkerMap["x"]??.name == "d")
    #expect(Set(kennel.walkers.map(\.name)) == ["d", "e"])
  }
}
