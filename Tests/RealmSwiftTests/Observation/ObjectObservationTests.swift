import Foundation
import RealmSwift
import TestSupport
import Testing

@Suite struct ObjectObservationTests {
  @Test func namesAndValues() throws {
    try ObservedRealm.run { test in
      try test.addDogs(1..<3)
      let log = ObjectLog.observe(test.dog(1))
      test.realm.refresh()
      #expect(log.take() == [])
      try test.change { realm in
        let dog = realm.object(ofType: WatchedDog.self, forPrimaryKey: 1)!
        dog.weight = 3.5
        dog.name = "Rex"
        dog.age = 1
      }
      // In the order of the class, and equal values as well.
      #expect(log.take() == [["name: d1 > Rex", "age: 1 > 1", "weight: - > 3.5"]])
      try test.change { $0.object(ofType: WatchedDog.self, forPrimaryKey: 2)!.name = "Max" }
      #expect(log.take() == [])
      // Several transactions at once.
      try test.writeElsewhere { $0.object(ofType: WatchedDog.self, forPrimaryKey: 1)!.name = "A" }
      try test.change { $0.object(ofType: WatchedDog.self, forPrimaryKey: 1)!.name = "B" }
      #expect(log.take() == [["name: Rex > B"]])
    }
  }

  @Test func ownWritesHaveNoOldValues() throws {
    try ObservedRealm.run { test in
      try test.addDogs(1..<2)
      let log = ObjectLog.observe(test.dog(1))
      try test.realm.write { test.dog(1).name = "Rex" }
      #expect(log.take() == [])
      test.realm.refresh()
      #expect(log.take() == [["name: - > Rex"]])
    }
  }

  @Test func linksAreShallow() throws {
    try ObservedRealm.run { test in
      try test.addDogs(1..<2)
      try test.realm.write { test.dog(1).toy = WatchedToy(value: ["label": "ball"]) }
      let log = ObjectLog.observe(test.dog(1))
      let deep = ObjectLog.observe(test.dog(1), keyPaths: ["toy.price"])
      try test.change { $0.objects(WatchedToy.self)[0].price = 3 }
      #expect(log.take() == [])
      #expect(deep.take().map { $0.map { String($0.prefix(4)) } } == [["toy:"]])
      try test.change { realm in
        realm.objects(WatchedDog.self)[0].toys.append(realm.objects(WatchedToy.self)[0])
      }
      #expect(log.take() == [["toys: - > -"]])
      #expect(deep.take() == [])
      try test.change { $0.objects(WatchedDog.self)[0].toy = nil }
      #expect(log.take().count == 1)
      #expect(deep.take().count == 1)
    }
  }

  @Test func linkingObjects() throws {
    try ObservedRealm.run { test in
      try test.addDogs(1..<2)
      try test.realm.write { test.realm.add(WatchedKeeper(value: ["id": 1])) }
      let log = ObjectLog.observe(test.dog(1))
      try test.change { realm in
        realm.objects(WatchedKeeper.self)[0].dogs.append(realm.objects(WatchedDog.self)[0])
      }
      #expect(log.take() == [["keepers: - > -"]])
      try test.change { $0.objects(WatchedKeeper.self)[0].name = "Eve" }
      #expect(log.take() == [])
      try test.change { $0.objects(WatchedKeeper.self)[0].dogs.removeAll() }
      #expect(log.take() == [["keepers: - > -"]])
    }
  }

  @Test func keyPaths() throws {
    try ObservedRealm.run { test in
      try test.addDogs(1..<2)
      let names = ObjectLog.observe(test.dog(1), keyPaths: ["name"])
      let everything = ObjectLog.observe(test.dog(1), keyPaths: [])
      var typed = 0
      let token = test.dog(1).observe(keyPaths: [\WatchedDog.weight]) { (_: ObjectChange<WatchedDog>) in
        typed += 1
      }
      try test.change { $0.objects(WatchedDog.self)[0].age = 7 }
      #expect(names.take() == [])
      #expect(everything.take() == [["age: 1 > 7"]])
      #expect(typed == 0)
      try test.change { dogs in
        dogs.objects(WatchedDog.self)[0].weight = 7
        dogs.objects(WatchedDog.self)[0].name = "Rex"
      }
      #expect(names.take() == [["name: d1 > Rex"]])
      #expect(typed == 1)
      // Deletion is told whatever the key paths are.
      try test.change { $0.delete($0.objects(WatchedDog.self)) }
      #expect(names.take() == [["deleted"]])
      #expect(typed == 2)
      token.invalidate()
    }
  }

  @Test func deletionIsTheLastThingTold() throws {
    try ObservedRealm.run { test in
      try test.addDogs(1..<2)
      let log = ObjectLog.observe(test.dog(1))
      try test.change { $0.delete($0.objects(WatchedDog.self)) }
      #expect(log.take() == [["deleted"]])
      try test.change { $0.add(WatchedDog(value: ["id": 1])) }
      #expect(log.take() == [])
    }
  }

  @Test func embeddedObjects() throws {
    try ObservedRealm.run { test in
      try test.addDogs(1..<2)
      try test.realm.write { test.dog(1).tag = WatchedTag(value: ["text": "a"]) }
      var told: [String] = []
      let token = test.dog(1).tag!.observe { (change: ObjectChange<WatchedTag>) in
        switch change {
        case .change(let tag, let properties): told.append("\(properties[0].name) \(tag.text)")
        case .deleted: told.append("deleted")
        case .error: told.append("error")
        }
      }
      try test.change { $0.objects(WatchedDog.self)[0].tag!.text = "b" }
      try test.change { $0.objects(WatchedDog.self)[0].tag = nil }
      #expect(told == ["text b", "deleted"])
      token.invalidate()
    }
  }

  @Test func misuse() async {
    await #expect(processExitsWith: .failure) {
      _ = WatchedDog().observe { (_: ObjectChange<WatchedDog>) in }
    }
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try ObservedRealm.run { test in
        try test.addDogs(1..<2)
        _ = test.dog(1).observe(keyPaths: ["toy.colour"]) { (_: ObjectChange<WatchedDog>) in }
      }
    }
    expectStop(unknown, saying: "property 'colour' not found in object of type 'WatchedToy'")
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = WatchedDog().observe { (_: ObjectChange<WatchedDog>) in }
    }
    expectStop(unmanaged, saying: "Only objects which are managed by a Realm support change notifications")
    let changed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try ObservedRealm.run { test in
        try test.addDogs(1..<2)
        test.realm.beginWrite()
        test.dog(1).age = 2
        _ = test.dog(1).observe { (_: ObjectChange<WatchedDog>) in }
      }
    }
    expectStop(
      changed, saying: "Cannot create asynchronous query after making changes in a write transaction.")
    let thread = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = ScratchRealm(watchedClasses)
      try onOtherThread { _ = try file.open().objects(WatchedDog.self).observe { _ in } }
    }
    expectStop(thread, saying: "Can only add notification blocks from within runloops.")
    let inMemory = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = WatchedKeeper().dogs.observe { _ in }
    }
    expectStop(inMemory, saying: "Change notifications are only supported on managed collections.")
  }
}
