import RealmSwift
import Testing

/// Key paths that lead through linking objects: who gains or loses a link is told, and nobody else.
@Suite struct LinkingObjectPathTests {
  /// Two keepers, of whom the first has the dogs 0, 1 and 2, and dog 0 is his favourite.
  private func run(
    _ body: (ObservedRealm, _ logs: (_ keyPath: String) -> CollectionLog) throws -> Void
  ) throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<4)
      try test.realm.write {
        let keepers = (1...2).map { WatchedKeeper(value: ["id": $0, "name": "k\($0)"]) }
        test.realm.add(keepers)
        keepers[0].dogs.append(objectsIn: (0..<3).map(test.dog))
        keepers[0].favourite = test.dog(0)
      }
      try body(test) { keyPath in
        let log = CollectionLog.observe(test.realm.objects(WatchedDog.self), keyPaths: [keyPath])
        test.realm.refresh()
        _ = log.take()
        return log
      }
    }
  }

  private func modified(_ positions: Int...) -> [CollectionLog.Entry] {
    [.update(deletions: [], insertions: [], modifications: positions)]
  }

  @Test func lostFromList() throws {
    try run { test, observe in
      let logs = [observe("keepers"), observe("keepers.name")]
      try test.change { $0.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!.dogs.remove(at: 1) }
      for log in logs { #expect(log.take() == modified(1)) }
      try test.change { $0.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!.dogs.removeAll() }
      for log in logs { #expect(log.take() == modified(0, 2)) }
    }
  }

  @Test func gainedInList() throws {
    try run { test, observe in
      let logs = [observe("keepers"), observe("keepers.name")]
      try test.change { realm in
        let keepers = realm.objects(WatchedKeeper.self).sorted(byKeyPath: "id")
        keepers[0].dogs.append(realm.object(ofType: WatchedDog.self, forPrimaryKey: 3)!)
        // From one keeper to the other.
        keepers[1].dogs.append(keepers[0].dogs[0])
        keepers[0].dogs.remove(at: 0)
      }
      for log in logs { #expect(log.take() == modified(0, 3)) }
      // Once more is another link.
      try test.change { realm in
        let keeper = realm.object(ofType: WatchedKeeper.self, forPrimaryKey: 2)!
        keeper.dogs.append(keeper.dogs[0])
      }
      for log in logs { #expect(log.take() == modified(0)) }
    }
  }

  @Test func placesInListsDoNotMatter() throws {
    try run { test, observe in
      let logs = [observe("keepers"), observe("keepers.name")]
      try test.change { realm in
        let dogs = realm.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!.dogs
        dogs.move(from: 0, to: 2)
        dogs.swapAt(0, 1)
        let last = dogs[2]
        dogs.removeLast()
        dogs.append(last)
      }
      for log in logs { #expect(log.take() == []) }
    }
  }

  @Test func toOneLinks() throws {
    try run { test, observe in
      let logs = [observe("admirers"), observe("admirers.words")]
      try test.change { realm in
        realm.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!.favourite =
          realm.object(ofType: WatchedDog.self, forPrimaryKey: 2)
      }
      for log in logs { #expect(log.take() == modified(0, 2)) }
      try test.change { $0.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!.favourite = nil }
      for log in logs { #expect(log.take() == modified(2)) }
    }
  }

  @Test func ownersComeAndGo() throws {
    try run { test, observe in
      let logs = [observe("keepers"), observe("keepers.name"), observe("admirers")]
      try test.change { realm in
        let dog = realm.object(ofType: WatchedDog.self, forPrimaryKey: 3)!
        realm.add(WatchedKeeper(value: ["id": 9, "dogs": [dog], "favourite": dog]))
      }
      for log in logs { #expect(log.take() == modified(3)) }
      try test.change { $0.delete($0.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!) }
      #expect(logs[0].take() == modified(0, 1, 2))
      #expect(logs[1].take() == modified(0, 1, 2))
      #expect(logs[2].take() == modified(0))
    }
  }

  @Test func propertiesOfOwners() throws {
    try run { test, observe in
      let keepers = observe("keepers")
      let names = observe("keepers.name")
      try test.change { $0.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!.name = "Eve" }
      #expect(names.take() == modified(0, 1, 2))
      #expect(keepers.take() == [])
      try test.change { $0.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!.numbers.append(1) }
      #expect(names.take() == [])
    }
  }

  /// Dogs that are new, or gone, are not modified; several transactions are one change.
  @Test func withOtherChanges() throws {
    try run { test, observe in
      let names = observe("keepers.name")
      try test.writeElsewhere { realm in
        realm.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!.dogs.append(
          WatchedDog(value: ["id": 4]))
      }
      try test.writeElsewhere { realm in
        let keeper = realm.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!
        realm.delete(keeper.dogs[0])
        keeper.dogs.removeAll()
      }
      test.realm.refresh()
      #expect(names.take() == [.update(deletions: [0], insertions: [3], modifications: [1, 2])])
    }
  }

  @Test func behindOtherLinks() throws {
    try run { test, _ in
      let log = CollectionLog.observe(
        test.realm.objects(WatchedKeeper.self).sorted(byKeyPath: "id"),
        keyPaths: ["favourite.keepers.name"])
      test.realm.refresh()
      _ = log.take()
      try test.change { $0.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!.dogs.remove(at: 2) }
      #expect(log.take() == [])
      try test.change { $0.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!.dogs.remove(at: 0) }
      #expect(log.take() == modified(0))
    }
  }

  @Test func collections() throws {
    try run { test, _ in
      let list = CollectionLog.observe(test.keeper(1).dogs, keyPaths: ["admirers"])
      let young = CollectionLog.observe(
        test.realm.objects(WatchedDog.self).where { $0.age < 2 }, keyPaths: ["admirers"])
      test.realm.refresh()
      _ = (list.take(), young.take())
      try test.change { $0.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!.favourite = nil }
      #expect(list.take() == modified(0))
      #expect(young.take() == modified(0))
    }
  }

  @Test func objects() throws {
    try run { test, _ in
      let all = ObjectLog.observe(test.dog(1))
      let keepers = ObjectLog.observe(test.dog(1), keyPaths: ["keepers"])
      let names = ObjectLog.observe(test.dog(1), keyPaths: ["keepers.name"])
      let logs = [all, keepers, names]
      try test.change { $0.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!.dogs.remove(at: 0) }
      for log in logs { #expect(log.take() == []) }
      try test.change { $0.object(ofType: WatchedKeeper.self, forPrimaryKey: 1)!.dogs.remove(at: 0) }
      for log in logs { #expect(log.take() == [["keepers: - > -"]]) }
      try test.change { realm in
        realm.object(ofType: WatchedKeeper.self, forPrimaryKey: 2)!.dogs.append(
          realm.object(ofType: WatchedDog.self, forPrimaryKey: 1)!)
      }
      for log in logs { #expect(log.take() == [["keepers: - > -"]]) }
      try test.change { $0.object(ofType: WatchedKeeper.self, forPrimaryKey: 2)!.name = "Eve" }
      #expect(all.take() == [])
      #expect(keepers.take() == [])
      #expect(names.take() == [["keepers: - > -"]])
      try test.change { $0.delete($0.objects(WatchedKeeper.self)) }
      for log in logs { #expect(log.take() == [["keepers: - > -"]]) }
    }
  }
}
