import Foundation
import RealmSwift
import TestSupport
import Testing

/// Realms that follow the writes of others.
@Suite struct FollowingTests {
  let writer = QueueRealm()

  private func write(_ id: Int) {
    writer.sync { realm in try! realm.write { realm.add(AsyncNote(value: [id, ""])) } }
  }

  @Test func queues() async throws {
    let reader = QueueRealm(writer.file)
    for id in 0..<20 {
      write(id)
      try await reader.wait(until: { $0.objects(AsyncNote.self).count == id + 1 })
    }
  }

  @Test @MainActor func main() async throws {
    let realm = try Realm(configuration: writer.file.configuration, queue: nil)
    for id in 0..<20 {
      write(id)
      try await eventually { realm.objects(AsyncNote.self).count == id + 1 }
    }
  }

  @Test func threadsWithARunLoop() async throws {
    let thread = RunLoopThread()
    defer { thread.stop() }
    let configuration = writer.file.configuration
    nonisolated(unsafe) var kept: Realm?
    try thread.run { kept = try Realm(configuration: configuration, queue: nil) }
    for id in 0..<20 {
      write(id)
      try await eventually { try thread.run { kept!.objects(AsyncNote.self).count } == id + 1 }
    }
    try thread.run { kept = nil }
  }

  @Test func notWhenItIsSwitchedOff() async throws {
    let reader = QueueRealm(writer.file)
    let follower = QueueRealm(writer.file)
    reader.sync { $0.autorefresh = false }
    for id in 0..<20 {
      write(id)
      try await follower.wait(until: { $0.objects(AsyncNote.self).count == id + 1 })
      #expect(reader.sync { $0.isEmpty })
    }
    reader.sync { realm in
      #expect(realm.refresh())
      #expect(realm.objects(AsyncNote.self).count == 20)
    }
  }
}
