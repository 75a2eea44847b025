import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

/// Mistakes that stop the program, with what is said then.
struct CollectionTrapTests {
  @Test func indexesOfListsInMemory() async {
    let past = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = List<Int>()
      list.append(objectsIn: [1, 2, 3])
      _ = list[3]
    }
    expectStop(past, saying: "Index 3 is out of bounds (must be less than 3).")
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      List<Int>().insert(1, at: -1)
    }
    expectStop(negative, saying: "Cannot pass a negative value for 'index'.")
    let swap = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = List<Int>()
      list.append(1)
      list.swapAt(0, -1)
    }
    expectStop(swap, saying: "Cannot pass a negative value for 'index2'.")
    let removal = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = List<Int>()
      list.append(1)
      list.removeFirst(2)
    }
    expectStop(
      removal,
      saying: "It is not possible to remove more objects (2) from a list than it already contains (1).")
    let objects = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().objects(at: [0])
    }
    expectStop(objects, saying: "Indexes for collection are out of bounds.")
  }

  @Test func indexesOfManagedLists() async {
    let past = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let lists = ScratchRealm.ofCollections().added(ValueLists(value: ["ints": [1, 2, 3]]))
      _ = lists.ints[3]
    }
    expectStop(past, saying: "Index 3 is out of bounds (must be less than 3).")
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let lists = storage.added(ValueLists(value: ["ints": [1, 2, 3]]))
      storage.write { lists.ints.remove(at: -1) }
    }
    expectStop(negative, saying: "Cannot pass a negative value for 'index'.")
    let move = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let lists = storage.added(ValueLists(value: ["ints": [1, 2, 3]]))
      storage.write { lists.ints.move(from: 0, to: 3) }
    }
    expectStop(move, saying: "Index 3 is out of bounds (must be less than 3).")
    let removal = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let lists = storage.added(ValueLists(value: ["ints": [1, 2, 3]]))
      storage.write { lists.ints.removeLast(4) }
    }
    expectStop(
      removal,
      saying: "It is not possible to remove more objects (4) from a list than it already contains (3).")
  }

  @Test func outsideAWrite() async {
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ScratchRealm.ofCollections().added(ValueLists()).ints.append(1)
    }
    expectStop(list, saying: "Cannot modify List outside of a write transaction.")
    let nothing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ScratchRealm.ofCollections().added(ValueLists()).ints.append(objectsIn: [])
    }
    expectStop(nothing, saying: "Cannot modify List outside of a write transaction.")
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ScratchRealm.ofCollections().added(ValueSets()).ints.insert(1)
    }
    expectStop(set, saying: "Cannot modify Set outside of a write transaction.")
    let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ScratchRealm.ofCollections().added(ValueMaps()).ints["a"] = 1
    }
    expectStop(map, saying: "Cannot modify Dictionary outside of a write transaction.")
    let algebra = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      storage.added(ValueSets()).ints.formUnion(storage.added(ValueSets()).ints)
    }
    expectStop(
      algebra,
      saying:
        "Can only perform [RLMSet unionSet:] in a Realm in a write transaction - call beginWriteTransaction on an RLMRealm instance first."
    )
    let coding = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ScratchRealm.ofCollections().added(Kennel()).walkers.setValue(1, forKey: "age")
    }
    expectStop(coding, saying: "Cannot modify List outside of a write transaction.")
  }

  @Test func afterTheParentIsGone() async {
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let owner = storage.added(ValueLists())
      let list = owner.ints
      storage.write { storage.realm.delete(owner) }
      _ = list.count
    }
    let gone =
      "is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or closed."
    expectStop(list, saying: "List " + gone)
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let set = storage.added(ValueSets()).ints
      storage.realm.invalidate()
      _ = set.contains(1)
    }
    expectStop(set, saying: "Set " + gone)
    let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let owner = storage.added(ValueMaps())
      let map = owner.ints
      storage.write {
        storage.realm.delete(owner)
        map["a"] = 1
      }
    }
    expectStop(map, saying: "Dictionary " + gone)
    let links = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let owner = storage.added(Walker("a"))
      let links = owner.admirers
      storage.write { storage.realm.delete(owner) }
      _ = links.count
    }
    expectStop(links, saying: "Access to invalidated Results objects")
  }

  @Test func anotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      nonisolated(unsafe) let list = storage.added(ValueLists()).ints
      onAnotherThread { _ = list.count }
    }
    expectStop(result, saying: "Realm accessed from incorrect thread.")
  }

  @Test func wrongObjects() async {
    let foreign = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (storage, other) = (ScratchRealm.ofCollections(), ScratchRealm.ofCollections())
      let walker = other.added(Walker("a"))
      let kennel = storage.added(Kennel())
      storage.write { kennel.walkers.append(walker) }
    }
    expectStop(
      foreign,
      saying: "Object is already managed by another Realm. Use create instead to copy it into this Realm.")
    let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let walker = storage.added(Walker("a"))
      let kennel = storage.added(Kennel())
      storage.write {
        storage.realm.delete(walker)
        kennel.walkers.append(walker)
      }
    }
    expectStop(deleted, saying: "Adding a deleted or invalidated object to a Realm is not permitted")
    let duplicate = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      _ = storage.added(Walker("a"))
      let kennel = storage.added(Kennel())
      storage.write { kennel.walkers.append(Walker("a")) }
    }
    expectStop(
      duplicate,
      saying: "Attempting to create an object of type 'Walker' with an existing primary key value 'a'.")
    let subclass = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let garage = storage.added(Garage())
      storage.write { garage.vehicles.append(Car()) }
    }
    expectStop(subclass, saying: "Object of type 'Car' does not match RLMArray type 'Vehicle'.")
    let managed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let (garage, car) = (storage.added(Garage()), storage.added(Car()))
      storage.write { garage.vehicles.append(car) }
    }
    expectStop(managed, saying: "Object of type 'Car' does not match RLMArray type 'Vehicle'.")
    let embedded = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let kennel = storage.added(Kennel(value: ["collars": [["colour": "red"]]]))
      storage.write { kennel.collars.append(kennel.collars[0]) }
    }
    expectStop(embedded, saying: "Cannot add an existing managed embedded object to a List.")
    let inMap = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let kennel = storage.added(Kennel(value: ["collars": [["colour": "red"]]]))
      storage.write { kennel.collarMap["a"] = kennel.collars[0] }
    }
    expectStop(inMap, saying: "Cannot add an existing managed embedded object to a Dictionary.")
  }

  @Test func keysOfManagedMaps() async {
    let dot = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let maps = storage.added(ValueMaps())
      storage.write { maps.ints["a.b"] = 1 }
    }
    expectStop(dot, saying: "Dictionary::insert: key must not contain '.'")
    let dollar = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let maps = ValueMaps()
      maps.ints["$a"] = 1
      _ = ScratchRealm.ofCollections().added(maps)
    }
    expectStop(dollar, saying: "Dictionary::insert: key must not start with '$'")
  }

  @Test func sets() async {
    let index = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MutableSet<Int>().index(of: 1)
    }
    expectStop(index, saying: "index(of:) is not available on MutableSet")
    let matching = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MutableSet<Int>().index(matching: "self > 1")
    }
    expectStop(matching, saying: "index(matching:) is not available on MutableSet")
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ScratchRealm.ofCollections().added(ValueSets()).ints.isSubset(of: MutableSet<Int>())
    }
    expectStop(unmanaged, saying: "Right hand side value must be a managed Set.")
    let foreign = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (storage, other) = (ScratchRealm.ofCollections(), ScratchRealm.ofCollections())
      _ = storage.added(ValueSets()).ints.intersects(other.added(ValueSets()).ints)
    }
    expectStop(foreign, saying: "Cannot insersect sets managed by different Realms.")
  }

  @Test func aggregates() async {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Walker>().sum(ofProperty: "height") as Int
    }
    expectStop(unknown, saying: "Property 'height' not found in object of type 'Walker'")
    let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let kennel = ScratchRealm.ofCollections().added(Kennel(value: ["walkers": [["name": "a"]]]))
      _ = kennel.walkers.sum(ofProperty: "name") as Int
    }
    expectStop(text, saying: "Operation 'sum' not supported for string property 'Walker.name'")
    let results = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ScratchRealm.ofCollections().realm.objects(Walker.self).sum(ofProperty: "name") as Int
    }
    expectStop(results, saying: "Operation 'sum' not supported for string property 'Walker.name'")
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Walker>().min(ofProperty: "nicknames") as Int?
    }
    expectStop(list, saying: "Operation 'min' not supported for string list 'Walker.nicknames'")
    let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().max(ofProperty: "age") as Int?
    }
    expectStop(other, saying: "Arrays of 'int' can only be aggregated on \"self\"")
  }

  @Test func keyValueCoding() async {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().value(forKey: "not self")
    }
    expectStop(unknown, saying: "this class is not key value coding-compliant for the key not self.")
    let operation = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Walker>().value(forKeyPath: "@wrong.age")
    }
    expectStop(operation, saying: "Unsupported KVC collection operator found in key path '@wrong.age'")
    let missing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Walker>().value(forKeyPath: "@sum")
    }
    expectStop(missing, saying: "Missing key path for KVC collection operator sum in key path '@sum'")
    let nested = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Walker>().value(forKeyPath: "@sum.friend.age")
    }
    expectStop(nested, saying: "Nested key paths are not supported yet for KVC collection operators.")
    let mismatch = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = List<Int>()
      list.append(1)
      list.setValue("x", forKey: "self")
    }
    expectStop(mismatch, saying: "Invalid value 'x' of type 'String' for expected type 'int'.")
    let null = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = List<Int>()
      list.append(1)
      list.setValue(nil, forKey: "self")
    }
    expectStop(null, saying: "Invalid nil value for array of 'int'.")
  }

  @Test func queriesInMemory() async {
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Walker>().filter("age > 3")
    }
    expectStop(
      list, saying: "This method may only be called on RLMArray instances retrieved from an RLMRealm")
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MutableSet<Walker>().sorted(byKeyPath: "age")
    }
    expectStop(set, saying: "This method may only be called on RLMSet instances retrieved from an RLMRealm")
  }
}

private func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    body()
    done.signal()
  }
  thread.start()
  done.waitOrStop()
}
