import Foundation
import RealmSwift
import Testing

@Suite struct CollectionObservationTests {
  @Test func initialCallComesLater() throws {
    try ObservedRealm.run { test in
      let log = CollectionLog.observe(test.realm.objects(WatchedDog.self))
      #expect(log.take() == [])
      // Changes before the first call are part of it.
      try test.change { $0.add(WatchedDog(value: ["id": 1])) }
      #expect(log.take() == [.initial(count: 1)])
      test.realm.refresh()
      #expect(log.take() == [])
    }
  }

  @Test func positions() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<10)
      let all = CollectionLog.observe(test.realm.objects(WatchedDog.self))
      let young = CollectionLog.observe(test.realm.objects(WatchedDog.self).where { $0.age < 5 })
      let sorted = CollectionLog.observe(
        test.realm.objects(WatchedDog.self).sorted(byKeyPath: "age", ascending: false))
      test.realm.refresh()
      for log in [all, young, sorted] { _ = log.take() }
      try test.change { realm in
        realm.object(ofType: WatchedDog.self, forPrimaryKey: 3)!.name = "Rex"
        realm.object(ofType: WatchedDog.self, forPrimaryKey: 4)!.age = 40
        realm.delete(realm.object(ofType: WatchedDog.self, forPrimaryKey: 1)!)
        realm.add(WatchedDog(value: ["id": 100, "age": 0]))
      }
      #expect(all.take() == [.update(deletions: [1], insertions: [9], modifications: [3, 4])])
      #expect(young.take() == [.update(deletions: [1, 4], insertions: [3], modifications: [3])])
      // From 9 8 7 6 5 4 3 2 1 0 to 40 9 8 7 6 5 3 2 0 0: the oldest has moved.
      #expect(sorted.take() == [.update(deletions: [5, 8], insertions: [0, 9], modifications: [6])])
    }
  }

  @Test func equalValuesCountAsModified() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<3)
      let log = CollectionLog.observe(test.realm.objects(WatchedDog.self))
      test.realm.refresh()
      _ = log.take()
      try test.change { realm in
        let dog = realm.object(ofType: WatchedDog.self, forPrimaryKey: 2)!
        dog.age = dog.age
      }
      #expect(log.take() == [.update(deletions: [], insertions: [], modifications: [2])])
    }
  }

  @Test func nothingWithoutRelevantChanges() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<3)
      let log = CollectionLog.observe(test.realm.objects(WatchedDog.self).where { $0.age == 1 })
      test.realm.refresh()
      _ = log.take()
      try test.change { $0.object(ofType: WatchedDog.self, forPrimaryKey: 2)!.name = "Rex" }
      try test.change { $0.add(WatchedToy()) }
      // Written and taken back, or added and deleted before the observer is told.
      try test.writeElsewhere { $0.add(WatchedDog(value: ["id": 9, "age": 1])) }
      try test.change { $0.delete($0.object(ofType: WatchedDog.self, forPrimaryKey: 9)!) }
      #expect(log.take() == [])
    }
  }

  @Test func severalTransactionsAreOneChange() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<5)
      let log = CollectionLog.observe(test.realm.objects(WatchedDog.self))
      test.realm.refresh()
      _ = log.take()
      try test.writeElsewhere { $0.add(WatchedDog(value: ["id": 10])) }
      try test.writeElsewhere { $0.delete($0.object(ofType: WatchedDog.self, forPrimaryKey: 0)!) }
      try test.writeElsewhere { $0.object(ofType: WatchedDog.self, forPrimaryKey: 4)!.name = "Rex" }
      test.realm.refresh()
      #expect(log.take() == [.update(deletions: [0], insertions: [4], modifications: [4])])
    }
  }

  @Test func linkedObjectsUpToFourLevels() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<2)
      try test.realm.write {
        test.dog(1).toy = WatchedToy(value: ["label": "ball"])
        test.dog(1).tag = WatchedTag(value: ["text": "x"])
        let keeper = WatchedKeeper(value: ["id": 1])
        test.realm.add(keeper)
        keeper.dogs.append(test.dog(1))
      }
      let dogs = CollectionLog.observe(test.realm.objects(WatchedDog.self))
      let keepers = CollectionLog.observe(test.realm.objects(WatchedKeeper.self))
      let list = CollectionLog.observe(test.keeper(1).dogs)
      test.realm.refresh()
      for log in [dogs, keepers, list] { _ = log.take() }
      try test.change { $0.objects(WatchedToy.self).first!.price = 7 }
      #expect(dogs.take() == [.update(deletions: [], insertions: [], modifications: [1])])
      #expect(keepers.take() == [.update(deletions: [], insertions: [], modifications: [0])])
      #expect(list.take() == [.update(deletions: [], insertions: [], modifications: [0])])
      try test.change { $0.object(ofType: WatchedDog.self, forPrimaryKey: 1)!.tag!.text = "y" }
      #expect(dogs.take() == [.update(deletions: [], insertions: [], modifications: [1])])
    }
  }

  @Test func keyPaths() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<2)
      try test.realm.write {
        test.dog(1).toy = WatchedToy(value: ["label": "ball"])
        test.dog(1).toys.append(WatchedToy())
      }
      let dogs = test.realm.objects(WatchedDog.self)
      let name = CollectionLog.observe(dogs, keyPaths: ["name"])
      let toy = CollectionLog.observe(dogs, keyPaths: ["toy"])
      let price = CollectionLog.observe(dogs, keyPaths: ["toy.price", "toys.price"])
      let typed = CollectionLog()
      typed.token = dogs.observe(keyPaths: [\.age, \.toy?.label]) { [unowned typed] in typed.add($0) }
      let logs = [name, toy, price, typed]
      test.realm.refresh()
      for log in logs { _ = log.take() }
      func changed() -> [Bool] { logs.map { !$0.take().isEmpty } }

      try test.change { $0.object(ofType: WatchedDog.self, forPrimaryKey: 1)!.name = "Rex" }
      #expect(changed() == [true, false, false, false])
      try test.change { $0.objects(WatchedToy.self)[0].price = 3 }
      #expect(changed() == [false, false, true, false])
      try test.change { $0.objects(WatchedToy.self)[0].label = "bone" }
      #expect(changed() == [false, false, false, true])
      try test.change { $0.objects(WatchedToy.self)[1].price = 3 }
      #expect(changed() == [false, false, true, false])
      // Another toy concerns all paths through it.
      try test.change { $0.object(ofType: WatchedDog.self, forPrimaryKey: 1)!.toy = WatchedToy() }
      #expect(changed() == [false, true, true, true])
      // Insertions and deletions are told in any case.
      try test.change { $0.add(WatchedDog(value: ["id": 9])) }
      #expect(changed() == [true, true, true, true])
    }
  }

  @Test func listsSetsAndMaps() throws {
    try ObservedRealm.run { test in
      try test.realm.write { test.realm.add(WatchedKeeper(value: ["id": 1, "numbers": [1, 2, 3, 4]])) }
      let keeper = test.keeper(1)
      let numbers = CollectionLog.observe(keeper.numbers)
      let words = CollectionLog.observe(keeper.words)
      test.realm.refresh()
      _ = (numbers.take(), words.take())
      try test.change { realm in
        let numbers = realm.objects(WatchedKeeper.self)[0].numbers
        numbers[1] = 2
        numbers.remove(at: 0)
        numbers.append(9)
      }
      #expect(numbers.take() == [.update(deletions: [0], insertions: [3], modifications: [1])])
      try test.change { $0.objects(WatchedKeeper.self)[0].numbers.move(from: 0, to: 2) }
      #expect(numbers.take() == [.update(deletions: [0], insertions: [2], modifications: [])])
      try test.change { $0.objects(WatchedKeeper.self)[0].numbers.swapAt(0, 3) }
      #expect(numbers.take() == [.update(deletions: [], insertions: [], modifications: [0, 3])])
      try test.change { $0.objects(WatchedKeeper.self)[0].words.insert(objectsIn: ["b", "a"]) }
      #expect(words.take() == [.update(deletions: [], insertions: [0, 1], modifications: [])])
      try test.change { $0.objects(WatchedKeeper.self)[0].words.remove("a") }
      #expect(words.take() == [.update(deletions: [0], insertions: [], modifications: [])])
      // With the object its collections are gone.
      try test.change { $0.delete($0.objects(WatchedKeeper.self)) }
      #expect(numbers.take() == [.update(deletions: [0, 1, 2, 3], insertions: [], modifications: [])])
      #expect(words.take() == [.update(deletions: [0], insertions: [], modifications: [])])
      try test.change { $0.add(WatchedKeeper(value: ["id": 2])) }
      #expect(numbers.take() == [])
    }
  }

  @Test func mapsTellKeys() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<3)
      try test.realm.write {
        let keeper = WatchedKeeper(value: ["id": 1])
        test.realm.add(keeper)
        for id in 0..<3 { keeper.dogMap["k\(id)"] = .some(test.dog(id)) }
      }
      var told: [[[String]]] = []
      let token = test.keeper(1).dogMap.observe { change in
        switch change {
        case .initial(let map): told.append([map.keys])
        case .update(_, let deletions, let insertions, let modifications):
          told.append([deletions, insertions, modifications])
        case .error: told.append([])
        }
      }
      test.realm.refresh()
      #expect(told == [[["k0", "k1", "k2"]]])
      told = []
      try test.change { realm in
        let map = realm.objects(WatchedKeeper.self)[0].dogMap
        map.removeObject(for: "k1")
        map["a"] = .some(nil)
        map["k0"] = .some(realm.object(ofType: WatchedDog.self, forPrimaryKey: 2)!)
      }
      #expect(told == [[["k1"], ["a"], ["k0"]]])
      told = []
      // Both keys hold the dog; a deleted object leaves null behind.
      try test.change { $0.object(ofType: WatchedDog.self, forPrimaryKey: 2)!.name = "Rex" }
      try test.change { $0.delete($0.object(ofType: WatchedDog.self, forPrimaryKey: 2)!) }
      #expect(told == [[[], [], ["k0", "k2"]], [[], [], ["k0", "k2"]]])
      #expect(test.keeper(1).dogMap["k0"] == .some(nil))
      token.invalidate()
    }
  }

  @Test func collectionsInsideMixedValues() throws {
    try ObservedRealm.run { test in
      try test.realm.write {
        let dog = WatchedDog(value: ["id": 1])
        test.realm.add(dog)
        dog.any = .fromArray([.int(1), .int(2), .int(3)])
      }
      let log = CollectionLog.observe(test.dog(1).any.listValue!)
      test.realm.refresh()
      _ = log.take()
      try test.change { realm in
        let list = realm.objects(WatchedDog.self)[0].any.listValue!
        list[1] = .int(20)
        list.append(.string("x"))
      }
      #expect(log.take() == [.update(deletions: [], insertions: [3], modifications: [1])])
    }
  }

  @Test func linkingObjects() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<1)
      try test.realm.write { test.realm.add(WatchedKeeper(value: ["id": 1])) }
      let log = CollectionLog.observe(test.dog(0).keepers)
      test.realm.refresh()
      #expect(log.take() == [.initial(count: 0)])
      try test.change { realm in
        realm.objects(WatchedKeeper.self)[0].dogs.append(realm.objects(WatchedDog.self)[0])
      }
      #expect(log.take() == [.update(deletions: [], insertions: [0], modifications: [])])
      try test.change { $0.objects(WatchedKeeper.self)[0].name = "Eve" }
      #expect(log.take() == [.update(deletions: [], insertions: [], modifications: [0])])
      try test.change { $0.delete($0.objects(WatchedDog.self)) }
      #expect(log.take() == [.update(deletions: [0], insertions: [], modifications: [])])
    }
  }

  /// A hundred thousand changed rows are told as quickly as a few.
  @Test func bulkChanges() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<20_000)
      let all = CollectionLog.observe(test.realm.objects(WatchedDog.self))
      let half = CollectionLog.observe(test.realm.objects(WatchedDog.self).where { $0.age < 10_000 })
      test.realm.refresh()
      _ = (all.take(), half.take())
      try test.change { realm in
        realm.objects(WatchedDog.self).where { $0.age < 5_000 }.setValue(50_000, forKey: "age")
        realm.delete(realm.objects(WatchedDog.self).where { $0.age >= 15_000 && $0.age < 20_000 })
      }
      #expect(
        all.take() == [
          .update(deletions: Array(15_000..<20_000), insertions: [], modifications: Array(0..<5_000))
        ])
      #expect(half.take() == [.update(deletions: Array(0..<5_000), insertions: [], modifications: [])])
    }
  }
}
