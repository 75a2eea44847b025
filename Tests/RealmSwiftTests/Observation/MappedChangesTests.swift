import Foundation
import RealmSwift
import TestSupport
import Testing

/// Feeds of the program's own values: what `changes(map:)` delivers, when, and how it ends.
struct MappedChangesTests {
  private let file = ScratchRealm(watchedClasses)

  private func write(_ body: @escaping @Sendable (Realm) throws -> Void) throws {
    let file = file
    try onOtherThread {
      let realm = try file.open()
      try realm.write { try body(realm) }
    }
  }

  /// Returns a sequence that is made on another thread, whose realm is closed then.
  private func feed<Value>(
    _ body: @escaping @Sendable (Realm) -> ChangeSequence<Value>
  ) throws -> ChangeSequence<Value> {
    let file = file
    return try onOtherThread { body(try file.open()) }
  }

  /// Expects a value, a second one after a write, and the end after another one.
  private func expect<Value: Sendable & Equatable>(
    _ first: Value, then second: Value, of feed: @escaping @Sendable (Realm) -> ChangeSequence<Value>,
    after change: @escaping @Sendable (Realm) -> Void, endingAfter end: @escaping @Sendable (Realm) -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try write { realm in
      realm.deleteAll()
      let keeper = realm.create(WatchedKeeper.self, value: ["id": 1])
      keeper.numbers.append(objectsIn: [1, 2])
      keeper.words.insert("a")
      keeper.scores["a"] = 1
      keeper.dogs.append(realm.create(WatchedDog.self, value: ["id": 1, "name": "Rex"]))
    }
    var iterator = try self.feed(feed).makeAsyncIterator()
    #expect(await iterator.next() == first, sourceLocation: sourceLocation)
    try write(change)
    #expect(await iterator.next() == second, sourceLocation: sourceLocation)
    try write(end)
    #expect(await iterator.next() == nil, sourceLocation: sourceLocation)
    #expect(await iterator.next() == nil, sourceLocation: sourceLocation)
  }

  private static func deleteKeepers(_ realm: Realm) { realm.delete(realm.objects(WatchedKeeper.self)) }
  private static func deleteDogs(_ realm: Realm) { realm.delete(realm.objects(WatchedDog.self)) }
  private static func keeper(_ realm: Realm) -> WatchedKeeper { realm.objects(WatchedKeeper.self)[0] }
  private static func dog(_ realm: Realm) -> WatchedDog { realm.objects(WatchedDog.self)[0] }

  @Test func feedOfResultsFollowsTheQuery() async throws {
    try write { for id in 0..<3 { $0.add(WatchedDog(value: ["id": id, "age": id])) } }
    var iterator = try feed { realm in
      realm.objects(WatchedDog.self).where { $0.age > 0 }.changes(map: { dogs in dogs.map(\.id) })
    }.makeAsyncIterator()
    #expect(await iterator.next() == [1, 2])
    try write { $0.objects(WatchedDog.self)[1].age = 0 }
    #expect(await iterator.next() == [2])
    // Results do not end: they may have elements again.
    try write(Self.deleteDogs)
    #expect(await iterator.next() == [])
    try write { $0.add(WatchedDog(value: ["id": 9, "age": 9])) }
    #expect(await iterator.next() == [9])
  }

  @Test func feedsOfWhatBelongsToAnObjectEndWithIt() async throws {
    try await expect(
      [1, 2], then: [1, 2, 3], of: { Self.keeper($0).numbers.changes(map: { Array($0) }) },
      after: { Self.keeper($0).numbers.append(3) }, endingAfter: Self.deleteKeepers)
    try await expect(
      ["a"], then: [], of: { Self.keeper($0).words.changes(map: { Array($0) }) },
      after: { Self.keeper($0).words.removeAll() }, endingAfter: Self.deleteKeepers)
    try await expect(
      [1], then: [2], of: { Self.keeper($0).scores.changes(map: { Array($0.values) }) },
      after: { Self.keeper($0).scores["a"] = 2 }, endingAfter: Self.deleteKeepers)
    try await expect(
      [1], then: [], of: { Self.dog($0).keepers.changes(map: { $0.map(\.id) }) },
      after: { Self.keeper($0).dogs.removeAll() }, endingAfter: Self.deleteDogs)
    try await expect(
      2, then: 0, of: { AnyRealmCollection(Self.keeper($0).numbers).changes(map: { $0.count }) },
      after: { Self.keeper($0).numbers.removeAll() }, endingAfter: Self.deleteKeepers)
  }

  @Test func feedsOfObjectsEndWithTheirDeletion() async throws {
    try await expect(
      "Rex", then: "Max", of: { Self.dog($0).changes(map: { $0.name }) },
      after: { Self.dog($0).name = "Max" }, endingAfter: Self.deleteDogs)
    try await expect(
      "Rex", then: "Max", of: { Self.dog($0).changes(keyPaths: [\.name], map: { $0.name }) },
      after: { Self.dog($0).name = "Max" }, endingAfter: Self.deleteDogs)
    try await expect(
      "REX", then: "MAX",
      of: { WatchedDogProjection(projecting: Self.dog($0)).changes(map: { $0.title }) },
      after: { Self.dog($0).name = "Max" }, endingAfter: Self.deleteDogs)
  }

  @Test func feedOfSectionsHasTheirKeys() async throws {
    try write { for id in 0..<4 { $0.add(WatchedDog(value: ["id": id, "age": id / 2])) } }
    let sections = try feed { realm in
      realm.objects(WatchedDog.self).sectioned(by: \.age).changes(map: { sections in
        sections.map { "\($0.key): \($0.map(\.id))" }
      })
    }
    var iterator = sections.makeAsyncIterator()
    #expect(await iterator.next() == ["0: [0, 1]", "1: [2, 3]"])
    try write { realm in realm.objects(WatchedDog.self)[0].age = 1 }
    #expect(await iterator.next() == ["0: [1]", "1: [0, 2, 3]"])
  }

  @Test func feedOfARealmCombinesClasses() async throws {
    var iterator = try feed { realm in
      realm.changes(map: { [$0.objects(WatchedDog.self).count, $0.objects(WatchedToy.self).count] })
    }.makeAsyncIterator()
    #expect(await iterator.next() == [0, 0])
    try write { realm in
      realm.add(WatchedDog())
      realm.add(WatchedToy())
    }
    #expect(await iterator.next() == [1, 1])
    try write { $0.deleteAll() }
    #expect(await iterator.next() == [0, 0])
  }

  @Test func changesOfSectionsAndProjectionsAreFrozen() async throws {
    try write { $0.add(WatchedDog(value: ["id": 1, "name": "Rex", "age": 1])) }
    var sections = try feed { $0.objects(WatchedDog.self).sectioned(by: \.age).changes }.makeAsyncIterator()
    guard case .initial(let all)? = await sections.next() else {
      Issue.record("no sections")
      return
    }
    #expect(all.isFrozen && all.allKeys == [1])
    try write { Self.dog($0).age = 2 }
    guard case .update(let moved, _, let insertions, _, let inserted, let deleted)? = await sections.next()
    else {
      Issue.record("no change of sections")
      return
    }
    #expect(
      moved.allKeys == [2] && insertions == [[0, 0]] && Array(inserted) == [0] && Array(deleted) == [0])
    let projections = try feed { WatchedDogProjection(projecting: Self.dog($0)).changes }
    let told = AsyncJournal()
    let task = Task {
      for await change in projections {
        switch change {
        case .change(let dog, let properties):
          told.add("\(dog.isFrozen) \(dog.title) \(properties.map(\.name))")
        case .deleted: told.add("deleted")
        case .error: told.add("error")
        }
      }
    }
    // The observation begins some time after the task.
    try await eventually {
      try write { Self.dog($0).name = "Max" }
      return told.all.first == "true MAX [\"title\"]"
    }
    try write(Self.deleteDogs)
    await task.value
    #expect(told.all.last == "deleted")
  }

  /// Values are made from the newest version only, and only when a task waits.
  @Test func busyTasksGetTheNewestValueOnly() async throws {
    let made = AsyncJournal()
    var iterator = try feed { realm in
      realm.objects(WatchedDog.self).changes(map: { dogs in
        made.add("\(dogs.count)")
        return dogs.count
      })
    }.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    for id in 1...20 { try write { $0.add(WatchedDog(value: ["id": id])) } }
    #expect(made.all == ["0"])
    #expect(await iterator.next() == 20)
    #expect(made.all == ["0", "20"])
  }

  @Test func changesOfOtherPropertiesGiveNoValue() async throws {
    try write { $0.add(WatchedDog(value: ["id": 1, "name": "Rex"])) }
    let names = try feed { realm in
      realm.objects(WatchedDog.self).changes(keyPaths: [\.name], map: { $0.map(\.name) })
    }
    let all = try feed { $0.objects(WatchedDog.self).changes(map: { $0.map(\.age) }) }
    let (named, seen) = (AsyncJournal(), AsyncJournal())
    let tasks = [
      Task { for await value in names { named.add("\(value)") } },
      Task { for await value in all { seen.add("\(value)") } },
    ]
    #expect(try await named.entries(1) == ["[\"Rex\"]"])
    #expect(try await seen.entries(1) == ["[0]"])
    try write { Self.dog($0).age = 7 }
    #expect(try await seen.entries(2).last == "[7]")
    try write { Self.dog($0).name = "Max" }
    #expect(try await named.entries(2) == ["[\"Rex\"]", "[\"Max\"]"])
    for task in tasks { task.cancel() }
  }

  @Test func sequencesOfChangesLookAtKeyPathsOnly() async throws {
    try write { realm in
      let dogs = (0..<2).map { WatchedDog(value: ["id": $0]) }
      let keeper = realm.create(WatchedKeeper.self, value: ["id": 1])
      keeper.dogMap["a"] = dogs[0]
      keeper.dogMap["b"] = dogs[1]
    }
    var dogs = try feed { $0.objects(WatchedDog.self).changes(keyPaths: [\.name]) }.makeAsyncIterator()
    var maps = try feed { Self.keeper($0).dogMap.changes(keyPaths: ["name"]) }.makeAsyncIterator()
    guard case .initial? = await dogs.next(), case .initial? = await maps.next() else {
      Issue.record("no beginning")
      return
    }
    let properties = AsyncJournal()
    let second = try feed { $0.objects(WatchedDog.self)[1].changes(keyPaths: [\.name]) }
    let task = Task {
      for await case .change(_, let changes) in second { properties.add("\(changes.map(\.name))") }
    }
    // The observation of the object begins some time after the task.
    try await eventually {
      try write { realm in
        for dog in realm.objects(WatchedDog.self) { dog.age += 1 }
        realm.objects(WatchedDog.self)[1].name = "Max"
      }
      return !properties.all.isEmpty
    }
    task.cancel()
    #expect(properties.all.allSatisfy { $0 == "[\"name\"]" })
    guard case .update(_, _, _, let modifications)? = await dogs.next(),
      case .update(_, _, _, let keys)? = await maps.next()
    else {
      Issue.record("no change")
      return
    }
    #expect(modifications == [1] && keys == ["b"])
  }

  /// In a process of its own, whose logger no other test uses.
  @Test func feedEndsAndLogsWhenTheFileCannotBeOpened() async {
    await #expect(processExitsWith: .success) {
      let file = ScratchRealm(watchedClasses)
      let lines = AsyncJournal()
      Logger.shared = Logger(level: .error) { level, message in lines.add("\(level): \(message)") }
      let feed = try onOtherThread {
        try file.open().objects(WatchedDog.self).changes(map: { $0.count })
      }
      try Data(repeating: 7, count: 100_000).write(to: file.url)
      var iterator = feed.makeAsyncIterator()
      try #require(await iterator.next() == nil)
      try #require(
        lines.all.contains {
          $0.hasPrefix("error: ") && $0.contains(file.path) && $0.contains("could not be opened")
        })
    }
  }

  @Test func unfollowableCollectionsStopTheProgram() async {
    let frozen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try ScratchRealm(opening: watchedClasses).realm
      _ = realm.objects(WatchedDog.self).freeze().changes(map: { $0.count })
    }
    expectStop(frozen, saying: "Frozen Realms do not change and do not have change notifications.")
    let inMemory = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = WatchedDog().changes(map: { $0.name })
    }
    expectStop(inMemory, saying: "Only objects which are managed by a Realm support change notifications")
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try ScratchRealm(opening: watchedClasses).realm
      _ = realm.objects(WatchedDog.self).changes(keyPaths: ["colour"], map: { $0.count })
    }
    expectStop(unknown, saying: "property 'colour' not found in object of type 'WatchedDog'")
  }
}

final class WatchedDogProjection: Projection<WatchedDog> {
  @Projected(\WatchedDog.name.localizedUppercase) var title
}
