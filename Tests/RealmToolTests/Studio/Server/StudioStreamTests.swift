import Foundation
import LibC
import TestSupport
import Testing

import struct Synchronization.Atomic

@testable import RealmTool

/// Answers that are made while they are sent.
struct StudioStreamTests {
  private static func quick() -> StudioServer.Limits {
    var limits = StudioServer.Limits()
    limits.check = 0.02
    return limits
  }

  /// Makes parts of a document, the number of which is counted.
  private final class Parts: Sendable {
    let made = Atomic(0)
    let size: Int
    let count: Int

    init(count: Int, size: Int) { (self.count, self.size) = (count, size) }

    func next() -> [UInt8]? {
      let number = made.wrappingAdd(1, ordering: .relaxed).oldValue
      // Parts without content do not end the stream.
      if number % 5 == 4 { return [] }
      return number < count ? [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size) : nil
    }
  }

  @Test func aStreamArrivesWhole() throws {
    let parts = Parts(count: 100, size: 100_003)
    let route = StudioRoute(.get, "stream") { _, _ in
      .stream(type: "text/csv", fileName: "Dog.csv", producer: { parts.next() })
    }
    let running = try RunningStudio(routes: [route])
    let answer = try #require(try running.answer("GET", "/api/stream"))
    #expect(answer.headers["content-disposition"] == "attachment; filename=\"Dog.csv\"")
    #expect(answer.headers["cache-control"] == "no-store")
    let expected = (0..<100).filter { $0 % 5 != 4 }.flatMap { [UInt8](repeating: UInt8($0), count: 100_003) }
    #expect(answer.body == expected)
  }

  @Test func aStreamThatFailsIsNotComplete() throws {
    let parts = Parts(count: 3, size: 100)
    let route = StudioRoute(.get, "stream") { _, _ in
      .stream(
        type: "text/csv", fileName: nil,
        producer: {
          guard let bytes = parts.next() else { throw ToolError("damaged") }
          return bytes
        })
    }
    let running = try RunningStudio(routes: [route])
    #expect(try running.answer("GET", "/api/stream") == nil)
    #expect(try running.answer("GET", "/api/file")?.status == 200)
  }

  /// What a producer holds is released when the client leaves, and no further parts are made.
  @Test func aClientThatLeavesEndsItsStream() async throws {
    let held = Mutex<Parts?>(Parts(count: .max, size: 1 << 20))
    weak let parts = held.withLock { $0 }
    let route = StudioRoute(.get, "stream") { _, _ in
      let parts = held.withLock { held in
        defer { held = nil }
        return held!
      }
      return .stream(type: "text/csv", fileName: nil, producer: { parts.next() })
    }
    let running = try RunningStudio(limits: Self.quick(), routes: [route])
    var client: RawClient? = try RawClient(port: running.port)
    client?.request("GET", "/api/stream", token: running.token)
    #expect(client?.head()?.status == 200)
    client?.readMore()
    #expect(parts != nil)
    client = nil
    try await eventually { parts == nil }
  }

  @Test func aClientThatLeavesCancelsItsAnswer() async throws {
    let (started, cancelled) = (Mark(), Mark())
    let route = StudioRoute(.get, "wait") { _, _ in
      started.set()
      while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
      cancelled.set()
      throw CancellationError()
    }
    let running = try RunningStudio(limits: Self.quick(), routes: [route])
    var client: RawClient? = try RawClient(port: running.port)
    client?.request("GET", "/api/wait", token: running.token)
    try await eventually { started.isSet }
    client = nil
    try await eventually { cancelled.isSet }
  }

  // MARK: Events

  @Test func eventsArriveAsTheyAreSent() throws {
    let running = try RunningStudio()
    let clients = running.studio.session.clients
    let client = try RawClient(port: running.port)
    client.request("GET", "/api/events", token: running.token)
    let head = try #require(client.head())
    #expect(head.headers["content-type"] == "text/event-stream")
    #expect(head.headers["cache-control"] == "no-store")
    // The stream has begun before there is an event.
    #expect(client.take(through: ":\n\n") != nil)
    for number in 0..<200 {
      clients.send("change", Array("{\"n\":\(number)}".utf8))
      #expect(client.take(through: "\n\n")?.hasSuffix("event: change\ndata: {\"n\":\(number)}\n\n") == true)
    }
    // Many at once.
    for number in 0..<1000 { clients.send("change", Array("[\(number)]".utf8)) }
    for number in 0..<1000 { #expect(client.take(through: "data: [\(number)]\n\n") != nil) }
  }

  @Test func aSilentStreamHasComments() throws {
    var limits = Self.quick()
    limits.comment = 0.05
    let running = try RunningStudio(limits: limits)
    let client = try RawClient(port: running.port)
    client.request("GET", "/api/events", token: running.token)
    for _ in 0..<4 { #expect(client.take(through: ":\n\n") != nil) }
  }

  @Test func aClientThatLeavesEndsItsEvents() async throws {
    let running = try RunningStudio(limits: Self.quick())
    let clients = running.studio.session.clients
    var all = try (0..<10).map { _ in try RawClient(port: running.port) }
    for client in all {
      client.request("GET", "/api/events", token: running.token)
      #expect(client.take(through: ":\n\n") != nil)
    }
    #expect(clients.count == 10)
    all.removeFirst(7)
    try await eventually { clients.count == 3 }
    clients.send("file", Array("{}".utf8))
    for client in all { #expect(client.take(through: "event: file\ndata: {}\n\n") != nil) }
  }

  /// A client can leave when its request was routed and before its answer begins.
  @Test func anAnswerThatIsNeverSentLeavesNoStream() async throws {
    let studio = try StudioFixture()
    let clients = studio.session.clients
    for _ in 0..<100 { #expect(await studio.answer(studio.head("GET", "/api/events")).status == 200) }
    #expect(clients.count == 0)
    let answer = await studio.answer(studio.head("GET", "/api/events"))
    #expect(clients.count == 1)
    withExtendedLifetime(answer) {}
  }

  /// A client that reads nothing costs a limited amount of memory, and is notified to reload.
  @Test func whatIsNotReadIsReplacedByReload() throws {
    let running = try RunningStudio()
    let clients = running.studio.session.clients
    let client = try RawClient(port: running.port)
    client.request("GET", "/api/events", token: running.token)
    #expect(client.take(through: ":\n\n") != nil)
    let large = [UInt8](repeating: UInt8(ascii: "1"), count: 100_000)
    for _ in 0..<1000 { clients.send("change", large) }
    #expect(client.take(through: "event: reload\ndata: {}\n\n") != nil)
  }

  @Test func streamsThatTheSessionEndsAreComplete() throws {
    let events = StudioEvents()
    let route = StudioRoute(.get, "stream") { _, _ in .events(events) }
    let running = try RunningStudio(routes: [route])
    let client = try RawClient(port: running.port)
    client.request("GET", "/api/stream", token: running.token)
    let head = try #require(client.head())
    #expect(head.headers["transfer-encoding"] == "chunked")
    #expect(client.take(through: ":\n\n") != nil)
    events.send("gone", Array("{}".utf8))
    events.close()
    #expect(client.take(through: "event: gone\ndata: {}\n\n") != nil)
    #expect(client.take(through: "\r\n0\r\n\r\n") != nil)
  }

  // MARK: The end

  @Test func stoppingEndsWhatRuns() async throws {
    let parts = Parts(count: .max, size: 1 << 20)
    let (started, cancelled) = (Mark(), Mark())
    let routes = [
      StudioRoute(.get, "stream") { _, _ in .stream(type: "x/y", fileName: nil, producer: { parts.next() }) },
      StudioRoute(.get, "wait") { _, _ in
        started.set()
        while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
        cancelled.set()
        return .json([])
      },
    ]
    let running = try RunningStudio(routes: routes)
    let clients = try (0..<4).map { _ in try RawClient(port: running.port) }
    for (client, name) in zip(clients, ["stream", "wait", "events", "file"]) {
      client.request("GET", "/api/\(name)", token: running.token)
    }
    try await eventually { started.isSet }
    #expect(clients[2].take(through: ":\n\n") != nil)
    running.stop()
    for client in clients { client.waitForEnd() }
    #expect(throws: (any Error).self) { try RawClient(port: running.port) }
    try await eventually { cancelled.isSet }
  }
}
