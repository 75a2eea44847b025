import Foundation
import RealmSwift
import TestSupport
import Testing

/// What stops the program.
@Suite struct AsyncWriteTrapTests {
  @Test func placesThatRunNothingLater() async {
    for work in 0..<3 {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [work = work as Int] in
        let file = ScratchRealm([AsyncNote.self])
        Thread.detachNewThread {
          let realm = try! Realm(configuration: file.configuration)
          switch work {
          case 0: realm.writeAsync {}
          case 1: realm.beginAsyncWrite {}
          default:
            realm.beginWrite()
            realm.commitAsyncWrite()
          }
        }
        waitToBeStopped()
      }
      expectStop(
        result, saying: "Cannot schedule async transaction. Make sure you are running from inside a run loop."
      )
    }
  }

  @Test func commitsWithoutAWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      QueueRealm().sync { _ = $0.commitAsyncWrite() }
    }
    expectStop(result, saying: "Can't commit a non-existing write transaction")
  }

  @Test func writesInCompletions() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await QueueRealm().wait { realm, _ in
        realm.writeAsync {
        } onComplete: { _ in
          try! realm.write {}
        }
      }
    }
    expectStop(result, saying: "Can't begin a write transaction from inside a commit completion callback.")
  }

  @Test func readOnlyRealms() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = ScratchRealm([AsyncNote.self])
      _ = try Realm(configuration: file.configuration)
      var configuration = file.configuration
      configuration.readOnly = true
      let queue = DispatchQueue(label: "reader")
      queue.sync { [configuration] in
        _ = try! Realm(configuration: configuration, queue: queue).writeAsync {}
      }
    }
    expectStop(result, saying: "Can't perform transactions on read-only Realms.")
  }

  @Test func beginningTwice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await QueueRealm().wait { realm, _ in
        realm.beginAsyncWrite { realm.beginWrite() }
      }
    }
    expectStop(result, saying: "The Realm is already in a write transaction")
  }

  @Test func tasksOnOtherRealms() async {
    for isRefresh in [false, true] {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { @MainActor [isRefresh = isRefresh as Bool] in
        let file = ScratchRealm([AsyncNote.self])
        nonisolated(unsafe) var realm: Realm?
        let queue = DispatchQueue(label: "other")
        queue.sync { realm = try! Realm(configuration: file.configuration, queue: queue) }
        if isRefresh { await realm!.asyncRefresh() } else { try await realm!.asyncWrite {} }
      }
      expectStop(
        result,
        saying:
          "\(isRefresh ? "asyncRefresh" : "asyncWrite")() can only be called on main thread or actor-isolated Realms"
      )
    }
  }

  @Test func tooManyVersions() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = ScratchRealm([AsyncNote.self])
      var configuration = file.configuration
      configuration.maximumNumberOfActiveVersions = 5
      let queue = DispatchQueue(label: "idle")
      nonisolated(unsafe) var idle: Realm?
      queue.sync { [configuration] in
        idle = try! Realm(configuration: configuration, queue: queue)
        idle!.autorefresh = false
      }
      try await Task.detached { [configuration] in
        let writer = DispatchQueue(label: "writer")
        try writer.sync {
          let realm = try Realm(configuration: configuration, queue: writer)
          for number in 0..<5 { try realm.write { realm.add(AsyncNote(value: [number, ""])) } }
          FileHandle.standardError.write(Data("five commits\n".utf8))
          try realm.write {}
        }
      }.value
      withExtendedLifetime(idle) {}
    }
    expectStop(
      result, saying: "five commits", "Number of active versions (6) in the Realm exceeded the limit of 5")
  }
}
