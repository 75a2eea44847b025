import Foundation
import RealmSwift
import Testing

struct MapTests {
  @Test(arguments: [false, true]) func values(isManaged: Bool) {
    check(\.ints, [3, -1, 2], isManaged)
    check(\.bools, [true, false], isManaged)
    check(\.doubles, [1.5, -2], isManaged)
    check(\.strings, ["b", ""], isManaged)
    check(\.data, [Data([2]), Data()], isManaged)
    check(\.dates, [Date(timeIntervalSince1970: 5), .distantPast], isManaged)
    check(\.objectIds, [ObjectId.generate(), ObjectId.generate()], isManaged)
    check(\.uuids, [UUID(), UUID()], isManaged)
    check(\.decimals, ["2.5", "-1"], isManaged)
    check(\.mixed, [.string("x"), .none, .int(4)], isManaged)
    check(\.moods, [.hungry, .asleep], isManaged)
    check(\.optionalInts, [5, nil, -5], isManaged)
    check(\.optionalStrings, [nil, "x"], isManaged)
  }

  private func check<Value: RealmCollectionValue>(
    _ keyPath: KeyPath<ValueMaps, Map<String, Value>>, _ values: [Value], _ isManaged: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    let owner = ValueMaps()
    let map = owner[keyPath: keyPath]
    let (a, b) = (values[0], values[1])
    map["first"] = .some(a)
    _ = storage?.added(owner)
    var model: [String: Value] = ["first": a]
    func change(_ step: String, _ block: () -> Void) {
      if let storage { storage.write(block) } else { block() }
      let sorted = model.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
      #expect(map.keys == sorted.map(\.key), "\(step)", sourceLocation: sourceLocation)
      #expect(map.values == sorted.map(\.value), "\(step)", sourceLocation: sourceLocation)
      #expect(map.count == model.count, "\(step)", sourceLocation: sourceLocation)
      #expect(map.map(\.key) == map.keys, "\(step)", sourceLocation: sourceLocation)
      #expect(map.asKeyValueSequence().map(\.value) == map.values, "\(step)", sourceLocation: sourceLocation)
      for key in ["first", "", "ö", "absent"] {
        #expect(map[key] == model[key], "\(step)", sourceLocation: sourceLocation)
      }
    }
    change("subscript") {
      map["ö"] = .some(b)
      map[""] = .some(a)
      map["first"] = .some(b)
      model = ["ö": b, "": a, "first": b]
    }
    change("updateValue") {
      map.updateValue(a, forKey: "ö")
      map.updateValue(b, forKey: "new")
      model["ö"] = .some(a)
      model["new"] = .some(b)
    }
    change("remove") {
      map.removeObject(for: "new")
      map.removeObject(for: "absent")
      map["first"] = nil
      model = ["ö": a, "": a]
    }
    change("merge") {
      map.merge(["ö": b, "x": b]) { old, _ in old }
      model["x"] = .some(b)
      let other = Map<String, Value>()
      other["x"] = .some(a)
      map.merge(other) { _, new in new }
      model["x"] = .some(a)
    }
    #expect(map.contains { key, value in key == "x" && value == a }, sourceLocation: sourceLocation)
    #expect(!map.contains { key, _ in key == "y" }, sourceLocation: sourceLocation)
    #expect(map.object(forKey: "x") == .some(a), sourceLocation: sourceLocation)
    change("removeAll") {
      map.removeAll()
      model = [:]
    }
  }

  @Test func optionalObjects() {
    let storage = ScratchRealm.ofCollections()
    let kennel = Kennel()
    let wolfie = Walker("Wolfie")
    kennel.walkerMap["a"] = wolfie
    kennel.walkerMap["null"] = .some(nil)
    _ = storage.added(kennel)
    #expect(kennel.walkerMap["a"]??.name == "Wolfie")
    #expect(kennel.walkerMap["null"] == .some(nil))
    #expect(kennel.walkerMap["absent"] == nil)
    #expect(kennel.walkerMap.count == 2)
    storage.write { storage.realm.delete(wolfie) }
    #expect(kennel.walkerMap.keys == ["a", "null"])
    #expect(kennel.walkerMap["a"] == .some(nil))
    storage.write { kennel.walkerMap["a"] = Walker("Rex") }
    #expect(kennel.walkerMap["a"]??.name == "Rex")
    storage.write { kennel.walkerMap["a"] = nil }
    #expect(kennel.walkerMap.keys == ["null"])
  }

  @Test func embeddedObjects() {
    let storage = ScratchRealm.ofCollections()
    let kennel = Kennel()
    kennel.collarMap["left"] = Collar("red")
    _ = storage.added(kennel)
    let red = kennel.collarMap["left"]!!
    storage.write {
      kennel.collarMap["left"] = Collar("green")
      kennel.collarMap["right"] = Collar("blue")
    }
    #expect(red.isInvalidated)
    let green = kennel.collarMap["left"]!!
    storage.write { kennel.collarMap.removeObject(for: "left") }
    #expect(green.isInvalidated)
    #expect(kennel.collarMap.values.map { $0!.colour } == ["blue"])
  }

  @Test func assignmentAndEquality() {
    let storage = ScratchRealm.ofCollections()
    let owner = ValueMaps()
    let map = owner.ints
    let other = Map<String, Int>()
    other["a"] = 1
    owner.ints = other
    #expect(owner.ints === map)
    #expect(map == other)
    _ = storage.added(owner)
    #expect(owner.ints === map)
    #expect(map["a"] == 1)
    #expect(map != other)
    other["b"] = 2
    storage.write {
      owner.ints = owner.ints
      #expect(map.count == 1)
      owner.ints = other
    }
    #expect(map.keys == ["a", "b"])
    #expect(owner.ints == storage.realm.objects(ValueMaps.self)[0].ints)
  }

  @Test func entriesCompareByValue() {
    let a = SingleMapEntry<String, Int>(key: "a", value: 1)
    #expect(a == SingleMapEntry(key: "b", value: 1))
    #expect(a != SingleMapEntry(key: "a", value: 2))
    #expect(a.hashValue == SingleMapEntry(key: "a", value: 2).hashValue)
  }

  @Test func keysOfMapsInMemoryAreFree() {
    let map = Map<String, Int>()
    map["a.b"] = 1
    map["$c"] = 2
    #expect(map.keys == ["$c", "a.b"])
  }
}
