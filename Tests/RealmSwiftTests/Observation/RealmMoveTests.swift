import Observation
import Testing

@testable import RealmSwift
@testable import Storage

/// What follows when a realm gets to another version.
@Suite struct RealmMoveTests {
  /// A class that other realms of the file add to it.
  class LateGuest: Object {
    @Persisted var name = ""
  }

  @Test func theLogIsReadWhenAskedForAndOnce() throws {
    try ObservedRealm.run { test in
      let core = test.realm.core
      let version = core.snapshot.version
      func inserted(_ move: inout RealmMove) -> Int? {
        move.changes?.tables.values.reduce(0) { $0 + $1.insertedRange.count }
      }
      try test.addDogs(0..<2)
      var early = RealmMove(.refreshed, from: version, to: core.snapshot)
      var late = early
      #expect(early.isToOtherVersion && !early.isLocal)
      #expect(inserted(&early) == 2)
      try test.addDogs(2..<5)
      #expect(inserted(&early) == 2)
      #expect(inserted(&late) == 5)
    }
  }

  @Test func commitsThatFailAreRolledBack() throws {
    try ObservedRealm.run { test in
      let snapshot = test.realm.core.snapshot
      let failure = StorageError.damaged(path: "", "test")
      func isRolledBack(_ cause: RealmMove.Cause, from version: UInt64, _ failure: StorageError?) -> Bool {
        let move = RealmMove(cause, from: version, to: snapshot, failure: failure)
        if case .rolledBack = move.cause { return true }
        return false
      }
      #expect(isRolledBack(.committed(skipping: []), from: snapshot.version, failure))
      #expect(isRolledBack(.staged, from: snapshot.version, failure))
      #expect(!isRolledBack(.committed(skipping: []), from: snapshot.version, nil))
      // Only the disk may not have it.
      #expect(!isRolledBack(.committed(skipping: []), from: snapshot.version - 1, failure))
      #expect(!isRolledBack(.writeBegun, from: snapshot.version, failure))
    }
  }

  @Test func whoIsToldOfReadsMayMoveTheRealmAgain() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<1)
      let log = CollectionLog.observe(test.realm.objects(WatchedDog.self))
      test.realm.refresh()
      #expect(log.take() == [.initial(count: 1)])
      nonisolated(unsafe) let (realm, dog) = (test.realm, test.dog(0))
      nonisolated(unsafe) var seen: [Int] = []
      withObservationTracking {
        _ = dog.age
      } onChange: {
        seen.append(dog.age)
        try! realm.write { realm.add(WatchedDog(value: ["id": 1])) }
      }
      try test.change { $0.object(ofType: WatchedDog.self, forPrimaryKey: 0)!.age = 7 }
      #expect(seen == [7])
      // Each version once, in their order, whoever has moved the realm.
      #expect(
        log.take() == [
          .update(deletions: [], insertions: [], modifications: [0]),
          .update(deletions: [], insertions: [1], modifications: []),
        ])
      test.realm.refresh()
      #expect(log.take() == [])
    }
  }

  @Test func classesThatOthersAddAreThereAfterARefresh() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<3)
      var iterator = test.realm.objects(WatchedDog.self).makeIterator()
      let first = iterator.next()!
      var configuration = test.file.configuration
      configuration.objectTypes = watchedClasses + [LateGuest.self]
      let extended = configuration
      try onOtherThread {
        let realm = try Realm(configuration: extended)
        try realm.write { realm.add(LateGuest(value: ["name": "late"])) }
      }
      #expect(test.realm.refresh())
      #expect(test.realm.dynamicObjects("LateGuest").map { $0["name"] as? String } == ["late"])
      #expect(first.age == 0)
      #expect(iterator.next()?.age == 1)
      try test.realm.write { first.age = 5 }
      #expect(test.realm.objects(WatchedDog.self).map(\.age) == [5, 1, 2])
    }
  }
}
