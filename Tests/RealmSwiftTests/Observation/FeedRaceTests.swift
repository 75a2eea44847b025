import Foundation
import RealmSwift
import TestSupport
import Testing

/// Feeds of values between actors, tasks and writing threads at once.
struct FeedRaceTests {
  private struct Pack: Sendable, Equatable {
    let dogs: Int
    let age: Int
  }

  /// Owns a realm, writes in it, and hands out what it has as values.
  private actor Kennel {
    private var realm: Realm!

    init(_ configuration: Realm.Configuration) async throws {
      realm = try await Realm(configuration: configuration, actor: self)
    }

    func pack() -> ChangeSequence<Pack> {
      realm.objects(WatchedDog.self).changes(map: { dogs in
        Pack(dogs: dogs.count, age: dogs.sum(of: \.age))
      })
    }

    /// In each version all dogs are two years old.
    func add(_ id: Int) async throws {
      try await realm.asyncWrite {
        realm.create(WatchedDog.self, value: ["id": id, "age": 2])
      }
    }
  }

  private actor Reader {
    private(set) var packs: [Pack] = []

    func follow(_ feed: ChangeSequence<Pack>, until count: Int) async {
      for await pack in feed {
        packs.append(pack)
        if pack.dogs == count { break }
      }
    }
  }

  /// Every value is of one version, none comes twice or out of order, and the last one arrives.
  @Test func readersSeeVersionsInOrder() async throws {
    let file = ScratchRealm(watchedClasses)
    let count = TestLength.count(60, long: 600)
    let kennel = try await Kennel(file.configuration)
    let readers = (0..<4).map { _ in Reader() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in readers {
        group.addTask { await reader.follow(await kennel.pack(), until: count) }
      }
      group.addTask { for id in 0..<count / 2 { try await kennel.add(id) } }
      group.addTask {
        try onOtherThread {
          let realm = try file.open()
          for id in count / 2..<count {
            try realm.write { realm.add(WatchedDog(value: ["id": id, "age": 2])) }
          }
        }
      }
      try await group.waitForAll()
    }
    for reader in readers {
      let packs = await reader.packs
      #expect(packs.allSatisfy { $0.age == 2 * $0.dogs })
      #expect(zip(packs, packs.dropFirst()).allSatisfy { $0.dogs < $1.dogs })
      #expect(packs.last?.dogs == count)
    }
  }

  @Test func feedOutlivesItsActor() async throws {
    let file = ScratchRealm(watchedClasses)
    var kennel: Kennel? = try await Kennel(file.configuration)
    let feed = await kennel!.pack()
    weak let former = kennel
    kennel = nil
    try await eventually { former == nil }
    var iterator = feed.makeAsyncIterator()
    #expect(await iterator.next() == Pack(dogs: 0, age: 0))
    try onOtherThread {
      let realm = try file.open()
      try realm.write { realm.add(WatchedDog(value: ["id": 1, "age": 2])) }
    }
    #expect(await iterator.next() == Pack(dogs: 1, age: 2))
  }

  /// Tasks that are cancelled before, while or after they wait all come to an end, and release the file.
  @Test func cancellationEndsFeedsAtAnyTime() async throws {
    let file = ScratchRealm(watchedClasses)
    try await { () async throws in
      let kennel = try await Kennel(file.configuration)
      let writer = Task {
        var id = 0
        while !Task.isCancelled {
          try await kennel.add(id)
          id += 1
          await Task.yield()
        }
      }
      var tasks: [Task<Bool, Never>] = []
      for _ in 0..<TestLength.count(40, long: 400) {
        let feed = await kennel.pack()
        let task = Task {
          var last = -1
          for await pack in feed {
            if pack.dogs < last { return false }
            last = pack.dogs
          }
          return true
        }
        tasks.append(task)
        if tasks.count.isMultiple(of: 2) { await Task.yield() }
        tasks[tasks.count / 2].cancel()
      }
      for task in tasks { task.cancel() }
      for task in tasks { #expect(await task.value) }
      writer.cancel()
      // Cancelled while it waits for the writer lock, it throws.
      _ = await writer.result
    }()
    try await eventually { (try? Realm.deleteFiles(for: file.configuration)) == true }
  }

  /// A feed that nobody asks for values keeps no version of the file.
  @Test func idleFeedKeepsNoOldVersion() async throws {
    let file = ScratchRealm(watchedClasses)
    let kennel = try await Kennel(file.configuration)
    var iterator = await kennel.pack().makeAsyncIterator()
    #expect(await iterator.next()?.dogs == 0)
    for id in 0..<10 { try await kennel.add(id) }
    try await eventually {
      try onOtherThread {
        try file.open().diagnostics.activeVersionCount == 1
      }
    }
    #expect(await iterator.next()?.dogs == 10)
  }
}
