import Foundation
import RealmSwift
import TestSupport
import Testing

/// Write transactions that turn their run loop, in which asynchronous writes of the same realm go on.
@Suite struct WaitingInWriteTests {
  private static func turn(until isDone: () -> Bool) {
    let end = Date(timeIntervalSinceNow: 600)
    while !isDone() && Date() < end {
      _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
    }
  }

  @Test func completionsAreCalled() throws {
    let file = ScratchRealm([AsyncNote.self])
    let configuration = file.configuration
    let thread = RunLoopThread()
    defer { thread.stop() }
    let journal = AsyncJournal()
    try thread.run {
      let realm = try Realm(configuration: configuration)
      realm.beginWrite()
      realm.create(AsyncNote.self, value: [1, ""])
      realm.commitAsyncWrite { _ in journal.add("complete") }
      try realm.write {
        Self.turn { !journal.all.isEmpty }
        realm.create(AsyncNote.self, value: [2, ""])
        journal.add("written")
      }
      #expect(realm.objects(AsyncNote.self).count == 2)
    }
    #expect(journal.all == ["complete", "written"])
  }

  @Test func writesThatWaitComeAfterIt() throws {
    let file = ScratchRealm([AsyncNote.self])
    let configuration = file.configuration
    let thread = RunLoopThread()
    defer { thread.stop() }
    let journal = AsyncJournal()
    try thread.run {
      let realm = try Realm(configuration: configuration)
      realm.writeAsync {
        journal.add("asynchronous")
        realm.create(AsyncNote.self, value: [1, ""])
      } onComplete: { _ in
        journal.add("complete")
      }
      try realm.write {
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
        realm.create(AsyncNote.self, value: [2, ""])
        journal.add("written")
      }
      Self.turn { journal.all.count == 3 }
      #expect(realm.objects(AsyncNote.self).count == 2)
    }
    #expect(journal.all == ["written", "asynchronous", "complete"])
  }
}
