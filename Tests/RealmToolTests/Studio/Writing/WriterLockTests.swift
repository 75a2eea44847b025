import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

/// Another program that stays in a write transaction delays the writes of Studio, and nothing else.
struct WriterLockTests {
  private let studio: WritableStudio
  private let other = OtherWriter()

  init() throws { studio = try WritableStudio(writerLimit: 0.3) }

  private func create(_ id: Int) async throws -> String {
    "{\"op\":\"create\",\"class\":\"Person\",\"values\":[[\(try await studio.property("id", of: "Person")),\(id)]]}"
  }

  @Test func writesFailWithoutTheLockAndReadsGoOn() async throws {
    let people = try await studio.makePeople(1)
    try other.begin(studio.path)
    let creation = try await create(7)
    let studio = studio
    async let write = studio.batch(creation)
    async let undo = studio.undo()
    async let deletion = studio.send(.get, "object/Person/\(people[0])/deletion")
    // On the same queue as the writes that wait.
    for _ in 0..<20 { #expect(try await studio.count("Person") == 1) }
    for answer in [try await write, try await undo, try await deletion] {
      #expect(answer.status == 503)
      #expect(answer.message.contains("Another program is in a write transaction"))
    }
    other.cancel()
    #expect(try await studio.count("Person") == 1)
    #expect(try await studio.batch(try await create(7)).status == 200)
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.count("Person") == 1)
  }

  @Test func compactionDoesNotWaitForOtherPrograms() async throws {
    try other.begin(studio.path)
    let events = studio.session.clients.add()
    _ = try await StudioRoute.compacting[0].answer(StudioRequest(.post), studio.session)
    var text = ""
    try await eventually {
      text += String(decoding: events.take {}, as: UTF8.self)
      return text.contains("event: done")
    }
    #expect(text.contains("Another program is in a write transaction"))
    #expect(try await studio.count("Person") == 0)
    other.cancel()
  }

  /// A lock that was requested for nothing is not kept.
  @Test func failedWritesLeaveTheLockToOthers() async throws {
    #expect(try await studio.batch("{\"op\":\"delete\",\"class\":\"Person\",\"row\":5}").status != 200)
    #expect(try await studio.send(.get, "object/Person/5/deletion").status == 404)
    #expect(try await studio.undo().status == 409)
    try other.begin(studio.path)
    other.cancel()
  }

  @Test func writesWaitForShortTransactions() async throws {
    let studio = try WritableStudio(writerLimit: 60)
    try other.begin(studio.path)
    let number = try await studio.property("id", of: "Person")
    async let write = studio.batch("{\"op\":\"create\",\"class\":\"Person\",\"values\":[[\(number),7]]}")
    #expect(try await studio.count("Person") == 0)
    other.cancel()
    #expect(try await write.status == 200)
    #expect(try await studio.count("Person") == 1)
  }
}

/// A realm of another thread, with a write transaction.
private final class OtherWriter: Sendable {
  private let queue = DispatchQueue(label: "other writer")
  nonisolated(unsafe) private var realm: Realm?

  func begin(_ path: String) throws {
    try queue.sync {
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), schema: .classes(WritableStudio.classes))
      let realm = try Realm(configuration: configuration, queue: queue)
      realm.beginWrite()
      self.realm = realm
    }
  }

  func cancel() {
    queue.sync {
      realm?.cancelWrite()
      realm = nil
    }
  }
}
