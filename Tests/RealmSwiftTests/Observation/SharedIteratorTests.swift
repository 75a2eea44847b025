import RealmSwift
import TestSupport
import Testing

/// Several tasks that wait with copies of one iterator, as tasks of one actor can.
struct SharedIteratorTests {
  private let file = ScratchRealm(watchedClasses)

  private actor Follower {
    private let iterator: ChangeSequence<Int>.AsyncIterator

    init(_ feed: ChangeSequence<Int>) { iterator = feed.makeAsyncIterator() }

    func next() async -> Int? {
      var iterator = iterator
      return await iterator.next(isolation: self)
    }
  }

  private func addDog(_ id: Int) throws {
    let file = file
    try onOtherThread {
      let realm = try file.open()
      try realm.write { realm.add(WatchedDog(value: ["id": id])) }
    }
  }

  @Test func eachWaitingTaskGetsAnElementOrTheEnd() async throws {
    let file = file
    let feed = try onOtherThread {
      try file.open().objects(WatchedDog.self).changes(map: { $0.count })
    }
    let follower = Follower(feed)
    #expect(await follower.next() == 0)
    let counts = AsyncJournal()
    let tasks = (0..<3).map { _ in
      Task { counts.add("\(await follower.next().map(String.init) ?? "end")") }
    }
    var id = 0
    // Each commit resumes one of the tasks.
    for waiting in 1...2 {
      try await eventually {
        if counts.all.count >= waiting { return true }
        id += 1
        try addDog(id)
        return false
      }
    }
    // Cancelling one ends the sequence for all.
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    #expect(counts.all.count == 3)
    #expect(counts.all.prefix(2).allSatisfy { Int($0) != nil })
  }
}
