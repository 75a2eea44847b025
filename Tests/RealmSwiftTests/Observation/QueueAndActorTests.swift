import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

/// Where blocks are called: queues, actors, and tasks that wait for changes.
@Suite struct QueueAndActorTests {
  private func text<C>(_ change: RealmCollectionChange<C>) -> String {
    switch change {
    case .initial: "initial"
    case .update(_, let deletions, let insertions, let modifications):
      "\(deletions) \(insertions) \(modifications)"
    case .error: "error"
    }
  }

  @Test func onAQueue() throws {
    let file = ScratchRealm(watchedClasses)
    let queue = DispatchQueue(label: "observer")
    let inbox = AsyncJournal()
    let realm = try file.open()
    try realm.write { for id in 0..<3 { realm.add(WatchedDog(value: ["id": id])) } }
    let token = realm.objects(WatchedDog.self).observe(on: queue) { change in
      dispatchPrecondition(condition: .onQueue(queue))
      if case .initial(let dogs) = change { inbox.add("\(dogs.count) dogs") } else { inbox.add(text(change)) }
    }
    #expect(try inbox.wait(for: 1) == ["3 dogs"])
    try realm.write { realm.delete(realm.objects(WatchedDog.self)[0]) }
    #expect(try inbox.wait(for: 2).last == "[0] [] []")
    let objectToken = realm.objects(WatchedDog.self)[0].observe(on: queue) {
      (change: ObjectChange<WatchedDog>) in
      if case .change(let dog, let properties) = change { inbox.add("\(properties[0].name) of \(dog.id)") }
      if case .deleted = change { inbox.add("deleted") }
    }
    queue.sync {}
    try realm.write { realm.objects(WatchedDog.self)[0].name = "Rex" }
    #expect(try Set(inbox.wait(for: 4).dropFirst(2)) == ["name of 1", "[] [] [0]"])
    token.invalidate()
    try realm.write { realm.deleteAll() }
    #expect(try inbox.wait(for: 5).last == "deleted")
    objectToken.invalidate()
    queue.sync {}
  }

  /// A token that is invalidated before the queue gets to it is never called.
  @Test func invalidatedBeforeItBegan() throws {
    let file = ScratchRealm(watchedClasses)
    let queue = DispatchQueue(label: "observer")
    let realm = try file.open()
    let inbox = AsyncJournal()
    queue.suspend()
    let token = realm.objects(WatchedDog.self).observe(on: queue) { inbox.add(text($0)) }
    var released: NotificationToken? = realm.objects(WatchedDog.self).observe(on: queue) {
      inbox.add(text($0))
    }
    withExtendedLifetime(released) {}
    released = nil
    #expect(token.invalidate())
    queue.resume()
    queue.sync {}
    try realm.write { realm.add(WatchedDog()) }
    queue.sync {}
    #expect(inbox.all == [])
  }

  private actor Listener {
    private var realm: Realm!
    private var tokens: [NotificationToken] = []
    let inbox = AsyncJournal()

    func listen(_ configuration: Realm.Configuration) async throws {
      realm = try await Realm(configuration: configuration, actor: self)
      tokens.append(
        await realm.objects(WatchedDog.self).observe(on: self) { listener, change in
          listener.note(change)
        })
    }

    private func note(_ change: RealmCollectionChange<Results<WatchedDog>>) {
      switch change {
      case .initial(let dogs): inbox.add("\(dogs.count) dogs")
      case .update(_, let deletions, let insertions, let modifications):
        inbox.add("\(deletions) \(insertions) \(modifications)")
      case .error: inbox.add("error")
      }
    }

    func rename() throws { try realm.write { realm.objects(WatchedDog.self).first!.name = "Rex" } }

    func stop() {
      for token in tokens { token.invalidate() }
      tokens = []
    }
  }

  @Test func onAnActor() async throws {
    let file = ScratchRealm(watchedClasses)
    try file.write { $0.add(WatchedDog()) }
    let listener = Listener()
    try await listener.listen(file.configuration)
    #expect(try await listener.inbox.entries(1) == ["1 dogs"])
    try onOtherThread {
      let realm = try file.open()
      try realm.write { realm.add(WatchedDog(value: ["id": 7])) }
    }
    #expect(try await listener.inbox.entries(2).last == "[] [1] []")
    try await listener.rename()
    #expect(try await listener.inbox.entries(3).last == "[] [] [0]")
    await listener.stop()
  }

  // MARK: Sequences

  @Test func changesInATask() async throws {
    let file = ScratchRealm(watchedClasses)
    let inbox = AsyncJournal()
    let task = try onOtherThread {
      let realm = try file.open()
      let changes = realm.objects(WatchedDog.self).where { $0.age < 5 }.changes
      return Task {
        for await change in changes {
          if case .update(let dogs, _, _, _) = change {
            #expect(dogs.isFrozen)
            inbox.add("\(text(change)) of \(dogs.count)")
          } else {
            inbox.add(text(change))
          }
        }
        inbox.add("end")
      }
    }
    #expect(try await inbox.entries(1) == ["initial"])
    func write(_ body: @escaping @Sendable (Realm) -> Void) throws {
      try onOtherThread {
        let realm = try file.open()
        try realm.write { body(realm) }
      }
    }
    try write { $0.add(WatchedDog(value: ["id": 1, "age": 1])) }
    #expect(try await inbox.entries(2).last == "[] [0] [] of 1")
    try write { $0.objects(WatchedDog.self)[0].age = 9 }
    #expect(try await inbox.entries(3).last == "[0] [] [] of 0")
    task.cancel()
    #expect(try await inbox.entries(4).last == "end")
  }

  /// A task that is slow is told of everything at once, and pins no old version meanwhile.
  @Test func slowTasksAreToldOfEverythingAtOnce() async throws {
    let file = ScratchRealm(watchedClasses)
    try file.write { realm in for id in 0..<50 { realm.add(WatchedDog(value: ["id": id])) } }
    let changes = try onOtherThread { try file.open().objects(WatchedDog.self).changes }
    var iterator = changes.makeAsyncIterator()
    guard case .initial(let dogs)? = await iterator.next() else {
      Issue.record("no beginning")
      return
    }
    #expect(dogs.count == 50)
    try onOtherThread {
      let realm = try file.open()
      for id in 0..<50 { try realm.write { realm.objects(WatchedDog.self)[id].age = 3 } }
      for id in 0..<20 { try realm.write { realm.add(WatchedDog(value: ["id": 100 + id])) } }
    }
    guard case .update(let all, let deletions, let insertions, let modifications)? = await iterator.next()
    else {
      Issue.record("no change")
      return
    }
    #expect(all.count == 70)
    #expect(deletions == [] && insertions == Array(50..<70) && modifications == Array(0..<50))
  }

  @Test func changesOfObjectsAndRealms() async throws {
    let file = ScratchRealm(watchedClasses)
    try file.write { $0.add(WatchedDog(value: ["id": 1])) }
    let (object, realms) = try onOtherThread {
      let realm = try file.open()
      return (realm.objects(WatchedDog.self)[0].changes, realm.changes)
    }
    let inbox = AsyncJournal()
    let tasks = [
      Task {
        for await change in object {
          switch change {
          case .change(let dog, let properties):
            inbox.add("\(properties.map(\.name)) \(dog.name) \(dog.isFrozen)")
          case .deleted: inbox.add("deleted")
          case .error: inbox.add("error")
          }
        }
        inbox.add("end")
      },
      Task { for await realm in realms { inbox.add("\(realm.objects(WatchedDog.self).count) dogs") } },
    ]
    // The observations begin some time after the tasks.
    let first = ["[\"name\"] Rex true", "1 dogs"]
    try await eventually {
      try onOtherThread {
        let realm = try file.open()
        try realm.write { realm.objects(WatchedDog.self)[0].name = "Rex" }
      }
      return first.allSatisfy(inbox.all.contains)
    }
    try onOtherThread {
      let realm = try file.open()
      try realm.write { realm.deleteAll() }
    }
    try await eventually { ["end", "0 dogs"].allSatisfy(inbox.all.contains) }
    #expect(try await inbox.entries(0).contains("deleted"))
    tasks[1].cancel()
  }

  /// Collections end with the object that they belong to, with elements or without, whether the task waits just then or not.
  @Test(arguments: [false, true], [false, true])
  func changesOfCollectionsEndWithTheirOwner(isEmpty: Bool, isBusy: Bool) async throws {
    try await expectEnd(isEmpty, isBusy) { $0.objects(WatchedKeeper.self)[0].dogs.changes }
    try await expectEnd(isEmpty, isBusy) { $0.objects(WatchedKeeper.self)[0].dogSet.changes }
    try await expectEnd(isEmpty, isBusy) { $0.objects(WatchedKeeper.self)[0].dogMap.changes }
    try await expectEnd(isEmpty, isBusy) { $0.objects(WatchedKeeper.self)[0].words.changes }
    try await expectEnd(isEmpty, isBusy) { $0.objects(WatchedDog.self)[0].keepers.changes }
  }

  /// A task that is busy when the object is deleted is told of it all the same.
  @Test func deletionsAreToldToBusyTasks() async throws {
    let file = ScratchRealm(watchedClasses)
    try file.write { $0.add(WatchedDog(value: ["id": 1])) }
    let sequence = try onOtherThread { try file.open().objects(WatchedDog.self)[0].changes }
    let writes = Task {
      // The observation begins some time after the loop.
      while !Task.isCancelled {
        try onOtherThread {
          let realm = try file.open()
          try realm.write { realm.objects(WatchedDog.self).first?.age += 1 }
        }
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    var told: [String] = []
    for await change in sequence {
      if case .deleted = change {
        told.append("deleted")
      } else if told.isEmpty {
        told.append("change")
        writes.cancel()
        try onOtherThread {
          let realm = try file.open()
          try realm.write { realm.deleteAll() }
        }
        // Meanwhile the realm of the sequence moves on, without telling.
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    #expect(told == ["change", "deleted"])
  }

  private func expectEnd<Changes: AsyncSequence & Sendable>(
    _ isEmpty: Bool, _ isBusy: Bool, _ changes: @escaping @Sendable (Realm) -> Changes
  ) async throws {
    let file = ScratchRealm(watchedClasses)
    try file.write { realm in
      let keeper = realm.create(WatchedKeeper.self, value: ["id": 1])
      let dog = realm.create(WatchedDog.self, value: ["id": 1])
      if isEmpty { return }
      keeper.dogs.append(dog)
      keeper.dogSet.insert(dog)
      keeper.dogMap["a"] = dog
      keeper.words.insert("a")
    }
    let sequence = try onOtherThread { changes(try file.open()) }
    let deletion: @Sendable () throws -> Void = {
      try onOtherThread {
        let realm = try file.open()
        try realm.write { realm.deleteAll() }
      }
    }
    var count = 0
    for try await _ in sequence {
      count += 1
      if isBusy { try deletion() } else { Task { try deletion() } }
    }
    #expect(count == 1)
  }
}
