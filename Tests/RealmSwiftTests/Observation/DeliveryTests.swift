import Foundation
import RealmSwift
import TestSupport
import Testing

/// When, in which order and whether at all blocks are called.
@Suite struct DeliveryTests {
  // MARK: Tokens

  /// The observers of a realm as a whole can be left out, too: of that write only.
  @Test func realmTokensThatAreSkipped() throws {
    try ObservedRealm.run { test in
      var calls = 0
      var others = 0
      let token = test.realm.observe { _, _ in calls += 1 }
      let other = test.realm.observe { _, _ in others += 1 }
      try test.realm.write(withoutNotifying: [token]) { test.realm.add(WatchedDog(value: ["id": 1])) }
      #expect(calls == 0 && others == 1)
      test.realm.beginWrite()
      test.realm.add(WatchedDog(value: ["id": 2]))
      try test.realm.commitWrite(withoutNotifying: [token])
      #expect(calls == 0 && others == 2)
      try test.realm.write { test.realm.add(WatchedDog(value: ["id": 3])) }
      #expect(calls == 1 && others == 3)
      token.invalidate()
      other.invalidate()
    }
  }

  @Test func invalidatedTokensAreSilent() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<2)
      let log = CollectionLog.observe(test.realm.objects(WatchedDog.self))
      #expect(log.token!.invalidate())
      #expect(!log.token!.invalidate())
      test.realm.refresh()
      #expect(log.take() == [])
      let second = CollectionLog.observe(test.realm.objects(WatchedDog.self))
      test.realm.refresh()
      _ = second.take()
      second.token = nil
      try test.change { $0.add(WatchedDog(value: ["id": 9])) }
      #expect(second.take() == [])
    }
  }

  @Test func tokensDroppedInsideBlocks() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<2)
      let dogs = test.realm.objects(WatchedDog.self)
      // Each ends the other: only one of them may be called.
      var calls = 0
      var tokens: [NotificationToken] = []
      for _ in 0..<2 {
        tokens.append(
          dogs.observe { _ in
            calls += 1
            tokens = []
          })
      }
      test.realm.refresh()
      #expect(calls == 1)
    }
  }

  @Test func tokensReleasedOnOtherThreads() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<2)
      for round in 0..<50 {
        let log = CollectionLog.observe(test.realm.objects(WatchedDog.self))
        let token = log.token
        log.token = nil
        let released = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          token!.invalidate()
          released.signal()
        }
        if round % 2 == 0 { released.waitOrStop() }
        test.realm.refresh()
        if round % 2 == 0 { #expect(log.take() == []) } else { released.waitOrStop() }
      }
    }
  }

  /// The token keeps what it observes alive, and with it the realm; then the file is closed.
  @Test func realmsWithObserversCloseWithTheToken() throws {
    let file = ScratchRealm(watchedClasses)
    let queue = DispatchQueue(label: "observer")
    nonisolated(unsafe) var token: NotificationToken?
    try queue.sync {
      let realm = try Realm(configuration: file.configuration, queue: queue)
      token = realm.objects(WatchedDog.self).observe { _ in }
    }
    #expect(token != nil)
    #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: file.configuration) }
    queue.sync { token = nil }
    queue.sync {}
    #expect(throws: Never.self) { try Realm.deleteFiles(for: file.configuration) }
  }

  // MARK: Writing

  @Test func beginningAWriteDelivers() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<2)
      let log = CollectionLog.observe(test.realm.objects(WatchedDog.self))
      test.realm.beginWrite()
      #expect(log.take() == [.initial(count: 2)])
      test.realm.cancelWrite()
      try test.realm.write { test.dog(0).age = 5 }
      #expect(log.take() == [])
      test.realm.beginWrite()
      #expect(log.take() == [.update(deletions: [], insertions: [], modifications: [0])])
      test.realm.add(WatchedDog(value: ["id": 9]))
      test.realm.cancelWrite()
      test.realm.refresh()
      #expect(log.take() == [])
    }
  }

  @Test func writesInsideBlocks() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<2)
      var counts: [[Int]] = [[], []]
      let realm = test.realm
      let tokens = (0..<2).map { number in
        realm.objects(WatchedDog.self).observe { change in
          switch change {
          case .initial(let dogs): counts[number].append(dogs.count)
          case .update(let dogs, _, let insertions, _):
            counts[number].append(contentsOf: insertions)
            // A block may be called while a transaction of another one begins.
            if dogs.count < 6, !realm.isInWriteTransaction {
              try! realm.write { realm.add(WatchedDog(value: ["id": 10 + dogs.count])) }
            }
          case .error: break
          }
        }
      }
      realm.refresh()
      try realm.write { realm.add(WatchedDog(value: ["id": 10])) }
      for _ in 0..<10 { realm.refresh() }
      // Each is told of every insertion once, in order.
      let count = realm.objects(WatchedDog.self).count
      #expect(count >= 6)
      #expect(counts[0] == [2] + Array(2..<count))
      #expect(counts[1] == counts[0])
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func refreshInsideABlockDoesNothing() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<2)
      var results: [Bool] = []
      let realm = test.realm
      let token = realm.objects(WatchedDog.self).observe { change in
        if case .update = change {
          try! test.writeElsewhere { $0.add(WatchedDog(value: ["id": 50])) }
          results.append(realm.refresh())
          realm.invalidate()
        }
      }
      realm.refresh()
      try test.change { $0.add(WatchedDog(value: ["id": 9])) }
      #expect(results == [false])
      #expect(realm.objects(WatchedDog.self).count == 3)
      token.invalidate()
      realm.refresh()
      #expect(realm.objects(WatchedDog.self).count == 4)
    }
  }

  @Test func observingWhileDeleting() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<4)
      let realm = test.realm
      let log = CollectionLog.observe(realm.objects(WatchedDog.self))
      let object = ObjectLog.observe(test.dog(2))
      realm.refresh()
      _ = log.take()
      // Observing is allowed while nothing has been changed yet.
      realm.beginWrite()
      let late = CollectionLog.observe(realm.objects(WatchedDog.self).where { $0.age > 0 })
      realm.delete(realm.objects(WatchedDog.self))
      try realm.commitWrite()
      realm.refresh()
      #expect(log.take() == [.update(deletions: [0, 1, 2, 3], insertions: [], modifications: [])])
      #expect(object.take() == [["deleted"]])
      #expect(late.take() == [.initial(count: 0)])
    }
  }

  // MARK: Silent writes

  @Test func skippedObserversStayRight() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<3)
      let realm = test.realm
      let skipped = CollectionLog.observe(realm.objects(WatchedDog.self))
      let told = CollectionLog.observe(realm.objects(WatchedDog.self))
      let object = ObjectLog.observe(test.dog(1))
      realm.refresh()
      _ = (skipped.take(), told.take())
      try realm.write(withoutNotifying: [skipped.token!, object.token!]) {
        realm.delete(test.dog(0))
        test.dog(1).name = "Rex"
      }
      realm.refresh()
      #expect(skipped.take() == [])
      #expect(object.take() == [])
      #expect(told.take() == [.update(deletions: [0], insertions: [], modifications: [1])])
      try test.change { realm in
        realm.object(ofType: WatchedDog.self, forPrimaryKey: 2)!.name = "Max"
        realm.object(ofType: WatchedDog.self, forPrimaryKey: 1)!.name = "Bo"
      }
      // As positions after the deletion that it was not told of.
      #expect(skipped.take() == [.update(deletions: [], insertions: [], modifications: [0, 1])])
      #expect(object.take() == [["name: Rex > Bo"]])
      realm.beginWrite()
      test.dog(2).age = 8
      try realm.commitWrite(withoutNotifying: [skipped.token!])
      try test.change { $0.add(WatchedDog(value: ["id": 9])) }
      #expect(skipped.take() == [.update(deletions: [], insertions: [2], modifications: [])])
    }
  }

  @Test func skippedBeforeTheFirstCall() throws {
    try ObservedRealm.run { test in
      try test.addDogs(0..<3)
      let realm = test.realm
      realm.beginWrite()
      let log = CollectionLog.observe(realm.objects(WatchedDog.self))
      realm.delete(test.dog(0))
      try realm.commitWrite(withoutNotifying: [log.token!])
      realm.refresh()
      #expect(log.take() == [.initial(count: 2)])
    }
  }

  @Test func foreignTokensCanNotBeSkipped() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try ObservedRealm.run { first in
        let log = CollectionLog.observe(first.realm.objects(WatchedDog.self))
        let other = ScratchRealm(watchedClasses)
        try other.open().write(withoutNotifying: [log.token!]) {}
      }
    }
    expectStop(
      result, saying: "Incorrect Realm: only notifications for the Realm being modified can be skipped.")
  }

  // MARK: Realms

  @Test func realmsAreToldAtOnce() throws {
    try ObservedRealm.run { test in
      var told: [Realm.Notification] = []
      let realm = test.realm
      let token = realm.observe { notification, changed in
        #expect(changed == realm)
        told.append(notification)
      }
      #expect(told == [])
      try realm.write { realm.add(WatchedDog()) }
      #expect(told == [.didChange])
      realm.refresh()
      #expect(told == [.didChange])
      try test.writeElsewhere { $0.add(WatchedDog(value: ["id": 9])) }
      realm.refresh()
      #expect(told == [.didChange, .didChange])
      token.invalidate()
      try realm.write { realm.add(WatchedToy()) }
      #expect(told.count == 2)
    }
  }

  @Test func tokenWithoutAnObservation() {
    let token = NotificationToken()
    token.invalidate()
    #expect(!token.invalidate())
  }
}
