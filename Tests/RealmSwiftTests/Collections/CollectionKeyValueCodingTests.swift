import Foundation
import RealmSwift
import TestSupport
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
    let ages = walkers.value(forKey: "age") as [AnyObject]
    #expect(ages[0] as? Int == 3)
    #expect(ages[1] is NSNull)
    let friends = walkers.value(forKeyPath: "friend.name") as [AnyObject]
    #expect(friends[0] as? String == "friend")
    #expect(friends[1] is NSNull)
    #expect((walkers.value(forKey: "self") as! [Walker]).count == 3)
    #expect((walkers.value(forKeyPath: "@count") as Any?) as? Int == 3)
    #expect((walkers.value(forKey: "@count") as Any?) as? Int == 3)
    #expect((walkers.value(forKeyPath: "@sum.age") as Any?) as? Int == 6)
    #expect((walkers.value(forKeyPath: "@avg.age") as Any?) as? Double == 3)
    #expect((walkers.value(forKeyPath: "@min.age") as Any?) as? Int == 3)
    #expect((walkers.value(forKeyPath: "@max.weight") as Any?) as? Double == 0)
    #expect(walkers.value(forKeyPath: "@unionOfObjects.name") as? [String] == ["a", "b", "c"])
    #expect((walkers.value(forKeyPath: "@distinctUnionOfObjects.age") as [AnyObject]).count == 2)
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
    #expect(kennel.walkerSet.value(forKey: "name") as Any? as? Set<String> == ["a", "b", "c"])
    #expect((kennel.walkerSet.value(forKey: "age") as [AnyObject]).count == 2)
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
    #expect((lists.optionalStrings.value(forKey: "self") as [AnyObject])[1] is NSNull)
    #expect((lists.ints.value(forKeyPath: "@sum.self") as Any?) as? Int == 3)
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

  // MARK: As objects

  @Test(arguments: [false, true]) func listsAndSetsGiveObjects(isManaged: Bool) {
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    let kennel = makeKennel()
    _ = storage?.added(kennel)
    let names: [AnyObject] = kennel.walkers.value(forKey: "name")
    #expect(names as? [String] == ["a", "b", "c"])
    let ages: [AnyObject] = kennel.walkers.value(forKey: "age")
    #expect(ages as? [Int?] == [3, nil, 3])
    #expect(ages[1] is NSNull)
    let friends: [AnyObject] = kennel.walkers.value(forKeyPath: "friend.name")
    #expect(friends as? [String?] == ["friend", nil, "friend"])
    let inSet: [AnyObject] = kennel.walkerSet.value(forKey: "age")
    #expect(Set((inSet as? [Int?])!) == [3, nil])
    let behindSet: [AnyObject] = kennel.walkerSet.value(forKeyPath: "friend.age")
    #expect(Set((behindSet as? [Int?])!) == [9, nil])
    #expect(kennel.walkers.value(forKey: "name").map { $0 as! String } == ["a", "b", "c"])
  }

  @Test func nullAmongValuesIsNSNullAndNil() throws {
    let storage = ScratchRealm.ofCollections()
    _ = storage.added(makeKennel())
    let results = storage.realm.objects(Walker.self).sorted(byKeyPath: "name")
    let ages = results.value(forKey: "age")
    #expect(ages as? [Int?] == [3, nil, 3, 9])
    let values = try #require(ages as? [Any])
    #expect(values[1] is NSNull)
    #expect(values[1] as? Int? == .some(nil))
    #expect(results.value(forKeyPath: "friend.name") as? [String?] == ["friend", nil, "friend", nil])
    #expect(results.value(forKey: "friend") as? [Walker?] == [results[3], nil, results[3], nil])
  }

  @Test func integersOfAllWidthsCanBeCastToInt() throws {
    let lists = ValueLists()
    lists.bytes.append(objectsIn: [1, -1])
    #expect(lists.bytes.value(forKey: "self") as Any? as? [Int] == [1, -1])
    #expect(lists.bytes.value(forKey: "self") as Any? as? [Int8] == [1, -1])
  }

  @Test(arguments: [false, true]) func mapsGiveObjects(isManaged: Bool) {
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    let maps = ValueMaps()
    maps.optionalInts["null"] = .some(nil)
    maps.optionalInts["one"] = 1
    _ = storage?.added(maps)
    let one: AnyObject? = maps.optionalInts.value(forKey: "one")
    #expect(one as? Int == 1)
    let null: AnyObject? = maps.optionalInts.value(forKey: "null")
    #expect(null is NSNull)
    #expect(null.map { $0 as? Int? } == .some(.some(nil)))
    #expect(maps.optionalInts.value(forKey: "absent") as AnyObject? == nil)
    let smallest: AnyObject? = maps.optionalInts.value(forKeyPath: "@min.self")
    #expect(smallest as? Int == 1)
    #expect(maps.optionalInts.object(forKey: "one" as AnyObject) as? Int == 1)
    #expect(maps.optionalInts.object(forKey: "null" as AnyObject) is NSNull)
    #expect(maps.optionalInts.object(forKey: "absent" as AnyObject) == nil)
    #expect(maps.optionalInts.object(forKey: "one") == .some(1))
  }

  @Test func severalKeysAtOnce() {
    let kennel = makeKennel()
    kennel.setValuesForKeys(["name": "Home", "walkerMap": NSNull()])
    #expect(kennel.name == "Home" && kennel.walkerMap.count == 0)
    let values = kennel.walkers[1].dictionaryWithValues(forKeys: ["name", "age"])
    #expect(values.count == 2 && values["name"] as? String == "b" && values["age"] is NSNull)
    let ofList = kennel.walkers.dictionaryWithValues(forKeys: ["name", "@count"])
    #expect(ofList["name"] as? [String] == ["a", "b", "c"] && ofList["@count"] as? Int == 3)
    let maps = ValueMaps()
    maps.ints.setValuesForKeys(["a": 1, "b": 2])
    #expect(maps.ints.dictionaryWithValues(forKeys: ["a", "b"]) as? [String: Int] == ["a": 1, "b": 2])
    kennel.walkerSet.setValuesForKeys(["age": 4])
    #expect(kennel.walkerSet.allSatisfy { $0.age == 4 })
  }

  @Test(arguments: [false, true]) func equalityWithAnyObject(isManaged: Bool) {
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    let (kennel, other) = (Kennel(), Kennel())
    other.walkers.append(Walker("x"))
    other.walkerSet.insert(other.walkers[0])
    other.walkerMap["x"] = other.walkers[0]
    if let storage { for object in [kennel, other] { _ = storage.added(object) } }
    #expect(kennel.walkers.isEqual(kennel.walkers) && !kennel.walkers.isEqual(other.walkers))
    #expect(kennel.walkerSet.isEqual(kennel.walkerSet) && !kennel.walkerSet.isEqual(other.walkerSet))
    #expect(kennel.walkerMap.isEqual(kennel.walkerMap) && !kennel.walkerMap.isEqual(other.walkerMap))
    #expect(!kennel.walkers.isEqual(nil) && !kennel.walkers.isEqual("text"))
    #expect(!kennel.walkerSet.isEqual(kennel.walkers) && !kennel.walkerMap.isEqual(7))
  }

  @Test func onlyOneValueIsNoList() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let _: [AnyObject] = List<Walker>().value(forKeyPath: "@count")
    }
    expectStop(
      result, saying: "'@count' has one value and not one for each element: ask for it 'as Any?'.")
  }

  @Test func mapsOfValuesThatAreNeverNullFitWhereTheyMayBe() throws {
    let storage = ScratchRealm.ofCollections()
    let maps = storage.added(ValueMaps())
    let new = Map<String, Int>()
    new["a"] = 1
    storage.write { maps.setValue(new, forKey: "optionalInts") }
    #expect(maps.optionalInts["a"] == .some(1))
    storage.write {
      maps.ints["b"] = 2
      maps["optionalInts"] = maps.ints
    }
    #expect(maps.optionalInts.keys == ["b"])
    let inMemory = ValueMaps(value: ["optionalInts": new])
    #expect(inMemory.optionalInts["a"] == .some(1))
  }
}
