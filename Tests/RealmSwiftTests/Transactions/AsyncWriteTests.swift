import Foundation
import RealmSwift
import Testing

/// Asynchronous writes with callbacks.
@Suite struct AsyncWriteTests {
  let realm = QueueRealm()

  @Test func writeAsyncCommits() async throws {
    let journal = AsyncJournal()
    await realm.wait { realm, done in
      realm.writeAsync {
        journal.add("block \(realm.isInWriteTransaction)")
        realm.add(AsyncNote(value: [1, "one"]))
      } onComplete: { error in
        journal.add("complete \(error == nil) \(realm.isInWriteTransaction)")
        done()
      }
      journal.add("asked \(realm.isInWriteTransaction)")
    }
    #expect(journal.all == ["asked false", "block true", "complete true false"])
    let other = try Realm(configuration: realm.file.configuration, queue: nil)
    #expect(other.objects(AsyncNote.self).map(\.text) == ["one"])
  }

  @Test func blocksRunInOrder() async {
    let journal = AsyncJournal()
    await realm.wait { realm, done in
      for number in 0..<100 {
        let id = realm.beginAsyncWrite {
          journal.add("\(number)")
          realm.add(AsyncNote(value: [number, ""]))
          realm.commitAsyncWrite(allowGrouping: number % 3 != 0) { error in
            journal.add("done \(number)")
            if number == 99 { done() }
          }
        }
        #expect(id > 0)
      }
    }
    #expect(journal.all.filter { !$0.hasPrefix("done") } == (0..<100).map { "\($0)" })
    #expect(journal.all.filter { $0.hasPrefix("done") } == (0..<100).map { "done \($0)" })
    #expect(realm.sync { $0.objects(AsyncNote.self).count } == 100)
  }

  @Test func nestedWritesComeLater() async {
    let journal = AsyncJournal()
    await realm.wait { realm, done in
      realm.writeAsync {
        journal.add("outer")
        realm.writeAsync {
          journal.add("inner")
        } onComplete: { _ in
          journal.add("inner done")
          done()
        }
        #expect(realm.isInWriteTransaction)
        realm.add(AsyncNote(value: [1, ""]))
        journal.add("outer end")
      } onComplete: { _ in
        journal.add("outer done")
      }
    }
    #expect(journal.all.filter { !$0.hasSuffix("done") } == ["outer", "outer end", "inner"])
    #expect(journal.all.filter { $0.hasSuffix("done") } == ["outer done", "inner done"])
  }

  @Test func synchronousWritesRunFirst() async throws {
    let journal = AsyncJournal()
    await realm.wait { realm, done in
      realm.writeAsync {
        journal.add("async 1")
      } onComplete: { _ in
      }
      realm.writeAsync {
        journal.add("async 2")
        #expect(realm.objects(AsyncNote.self).count == 1)
      } onComplete: { _ in
        done()
      }
      // The first block has not run yet, though it may have the right to.
      try! realm.write {
        journal.add("sync")
        realm.add(AsyncNote(value: [1, ""]))
      }
    }
    #expect(journal.all == ["sync", "async 1", "async 2"])
  }

  @Test func askingWithinASynchronousWrite() async {
    let journal = AsyncJournal()
    await realm.wait { realm, done in
      realm.beginWrite()
      realm.writeAsync {
        journal.add("async")
      } onComplete: { _ in
        done()
      }
      realm.add(AsyncNote(value: [1, ""]))
      journal.add("sync")
      try! realm.commitWrite()
    }
    #expect(journal.all == ["sync", "async"])
  }

  @Test func whatIsNotCommittedIsRolledBack() async {
    await realm.wait { realm, done in
      realm.beginAsyncWrite { realm.add(AsyncNote(value: [1, ""])) }
      realm.beginAsyncWrite {
        #expect(realm.isEmpty)
        realm.add(AsyncNote(value: [2, ""]))
        realm.cancelWrite()
      }
      realm.beginAsyncWrite {
        #expect(realm.isEmpty)
        realm.add(AsyncNote(value: [3, ""]))
        try! realm.commitWrite()
      }
      realm.writeAsync {
        realm.add(AsyncNote(value: [4, ""]))
        realm.cancelWrite()
      } onComplete: { error in
        #expect(error == nil)
        done()
      }
    }
    #expect(realm.sync { $0.objects(AsyncNote.self).map(\.id) } == [3])
  }

  @Test func commitOfASynchronousWrite() async {
    let journal = AsyncJournal()
    await realm.wait { realm, done in
      realm.beginWrite()
      realm.add(AsyncNote(value: [1, ""]))
      realm.commitAsyncWrite { error in
        journal.add("complete \(error == nil)")
        done()
      }
      journal.add("visible \(realm.objects(AsyncNote.self).count) \(realm.isInWriteTransaction)")
      #expect(realm.isPerformingAsynchronousWriteOperations)
    }
    #expect(journal.all == ["visible 1 false", "complete true"])
  }

  @Test func cancelledWrites() async throws {
    let journal = AsyncJournal()
    await realm.wait { realm, done in
      let first = realm.writeAsync { journal.add("first") }
      let second = realm.writeAsync { journal.add("second") }
      let third = realm.beginAsyncWrite { journal.add("third") }
      try! realm.cancelAsyncWrite(first)
      try! realm.cancelAsyncWrite(third)
      try! realm.cancelAsyncWrite(first)
      try! realm.cancelAsyncWrite(4711)
      #expect(Set([first, second, third]).count == 3)
      realm.beginAsyncWrite {
        realm.add(AsyncNote(value: [1, ""]))
        let commit = realm.commitAsyncWrite { _ in journal.add("never") }
        try! realm.cancelAsyncWrite(commit)
      }
      realm.writeAsync {
      } onComplete: { _ in
        done()
      }
    }
    #expect(journal.all == ["second"])
    #expect(realm.sync { $0.objects(AsyncNote.self).count } == 1)
    #expect(realm.sync { !$0.isPerformingAsynchronousWriteOperations })
  }

  @Test func theLastOneCancelledGivesTheRightBack() async throws {
    realm.sync { realm in
      let id = realm.writeAsync {}
      #expect(realm.isPerformingAsynchronousWriteOperations)
      try! realm.cancelAsyncWrite(id)
      #expect(!realm.isPerformingAsynchronousWriteOperations)
    }
    let other = try Realm(configuration: realm.file.configuration, queue: nil)
    try other.write { other.add(AsyncNote(value: [1, ""])) }
  }

  @Test func performing() async throws {
    await realm.wait { realm, done in
      #expect(!realm.isPerformingAsynchronousWriteOperations)
      realm.writeAsync {
        #expect(realm.isPerformingAsynchronousWriteOperations)
      } onComplete: { _ in
        #expect(realm.isPerformingAsynchronousWriteOperations)
        done()
      }
      #expect(realm.isPerformingAsynchronousWriteOperations)
    }
    try await realm.wait(until: { !$0.isPerformingAsynchronousWriteOperations })
  }

  @Test func theRealmStaysOpen() async throws {
    let journal = AsyncJournal()
    await realm.wait { realm, done in
      realm.writeAsync {
        journal.add("block")
      } onComplete: { _ in
        journal.add("complete")
        done()
      }
    }
    #expect(journal.all == ["block", "complete"])
    await withCheckedContinuation { continuation in
      realm.queue.async {
        // Nobody but the write refers to it.
        let configuration = realm.file.configuration
        let own = try! Realm(configuration: configuration, queue: realm.queue)
        own.writeAsync {
          own.add(AsyncNote(value: [1, ""]))
        } onComplete: { _ in
          continuation.resume()
        }
      }
      realm.forget()
    }
    let other = try Realm(configuration: realm.file.configuration, queue: nil)
    #expect(other.objects(AsyncNote.self).count == 1)
  }

  @Test func invalidatingWaitsForCommits() async {
    let journal = AsyncJournal()
    realm.sync { realm in
      realm.beginWrite()
      let note = realm.create(AsyncNote.self, value: [1, ""])
      realm.commitAsyncWrite { _ in journal.add("complete") }
      realm.invalidate()
      #expect(journal.all == ["complete"])
      #expect(note.isInvalidated)
      #expect(realm.objects(AsyncNote.self).count == 1)
    }
  }

  @Test func filesCanBeDeletedAfterTheCompletion() async throws {
    for _ in 0..<20 {
      let own = QueueRealm()
      await own.wait { realm, done in
        realm.writeAsync {
          realm.add(AsyncNote(value: [1, ""]))
        } onComplete: { _ in
          done()
        }
      }
      own.forget()
      #expect(try Realm.deleteFiles(for: own.file.configuration))
      #expect(try FileManager.default.contentsOfDirectory(atPath: own.file.folder.path).isEmpty)
    }
  }

  @Test func writersWaitForEachOther() async throws {
    // The right is held elsewhere, and comes without a thread that waits for it here.
    let other = QueueRealm(realm.file)
    let journal = AsyncJournal()
    other.sync { $0.beginWrite() }
    await realm.wait { realm, done in
      realm.writeAsync {
        journal.add("waited")
        #expect(realm.objects(AsyncNote.self).count == 1)
      } onComplete: { _ in
        done()
      }
      journal.add("asked")
      other.queue.async {
        let own = try! Realm(configuration: other.file.configuration, queue: other.queue)
        journal.add("other")
        own.add(AsyncNote(value: [1, ""]))
        try! own.commitWrite()
      }
    }
    #expect(journal.all == ["asked", "other", "waited"])
  }
}
