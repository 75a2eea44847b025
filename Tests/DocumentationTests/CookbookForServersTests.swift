import Foundation
import RealmSwift
import Synchronization
import TestSupport
import Testing

struct HutSummary: Codable, Sendable, Equatable {
  let id: ObjectId
  let name: String
  let beds: Int

  init(_ hut: Hut) {
    id = hut.id
    name = hut.name
    beds = hut.beds
  }
}

struct TrailSummary: Codable, Sendable, Equatable {
  let name: String
  let length: Double
}

struct NewHutRequest: Codable, Sendable {
  let name: String
  let beds: Int
}

struct HutService: Sendable {
  let configuration: Realm.Configuration

  func hut(_ id: ObjectId) throws -> HutSummary? {
    let realm = try Realm(configuration: configuration)
    return realm.object(ofType: Hut.self, forPrimaryKey: id).map(HutSummary.init)
  }
}

actor HutReader {
  private var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func huts(withBeds beds: Int) async -> [HutSummary] {
    await realm.asyncRefresh()
    return realm.objects(Hut.self).where { $0.beds >= beds }.map(HutSummary.init)
  }
}

final class HutPool: Sendable {
  private let readers: [HutReader]
  private let turn = Atomic(0)

  init(_ configuration: Realm.Configuration, count: Int) async throws {
    var readers: [HutReader] = []
    for _ in 0..<count { readers.append(try await HutReader(configuration)) }
    self.readers = readers
  }

  /// The next reader in turn.
  var reader: HutReader {
    let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
    return readers[turn % readers.count]
  }
}

actor HutWriter {
  private var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func add(_ huts: [NewHutRequest]) async throws {
    try await realm.asyncWrite {
      for hut in huts { realm.create(Hut.self, value: ["name": hut.name, "beds": hut.beds]) }
    }
  }
}

extension HutWriter {
  func largest(_ count: Int) -> ChangeSequence<[HutSummary]> {
    realm.objects(Hut.self).sorted(by: \.beds, ascending: false).changes(map: { huts in
      huts.prefix(count).map(HutSummary.init)
    })
  }
}

extension HutWriter {
  func importHuts(_ huts: some AsyncSequence<NewHutRequest, any Error>, batch: Int = 10_000) async throws {
    var waiting: [NewHutRequest] = []
    for try await hut in huts {
      waiting.append(hut)
      if waiting.count == batch {
        try await add(waiting)
        waiting = []
      }
    }
    try await add(waiting)
  }
}

final class HutQueue: Sendable {
  private let requests: AsyncStream<NewHutRequest>.Continuation
  private let writes: Task<Void, any Error>

  init(_ writer: HutWriter, limit: Int) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: NewHutRequest.self, bufferingPolicy: .bufferingOldest(limit))
    requests = continuation
    writes = Task {
      for await request in stream { try await writer.add([request]) }
    }
  }

  /// Returns whether the request was accepted. If not, answer with status 503.
  func enqueue(_ request: NewHutRequest) -> Bool {
    if case .enqueued = requests.yield(request) { true } else { false }
  }

  /// Accepts no more requests, and returns when the accepted ones are durable.
  func close() async throws {
    requests.finish()
    try await writes.value
  }
}

/// A stand-in for the module of swift-log.
enum Logging {
  struct Logger: Sendable {
    enum Level: Sendable {
      case trace, debug, info, notice, warning, error, critical
    }

    let lines = SharedLines()

    func log(level: Level, _ message: String) { lines.add("\(level): \(message)") }
  }

  final class SharedLines: Sendable {
    private let lines = TestSupport.Mutex([String]())

    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }
}

extension Logging.Logger.Level {
  init(_ level: LogLevel) {
    self =
      switch level {
      case .off, .fatal: .critical
      case .error: .error
      case .warn: .warning
      case .info: .info
      case .detail, .debug: .debug
      case .trace, .all: .trace
      }
  }
}

private struct NotFound: Error {}

/// What a web framework has for the body of an answer that does not end.
private protocol EventSink {
  func send(_ event: Data) async throws
}

/// A client that goes away after some events.
private actor Client: EventSink {
  private struct Gone: Error {}

  private(set) var events: [[HutSummary]] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func send(_ event: Data) throws {
    events.append(try JSONDecoder().decode([HutSummary].self, from: event))
    if events.count == limit { throw Gone() }
  }
}

struct CookbookForServersTests {
  private let folder = ScratchFolder()

  private var configuration: Realm.Configuration {
    Realm.Configuration(
      fileURL: folder.file("server.realm"),
      objectTypes: [Hut.self, Trail.self, Warden.self, Place.self, Visit.self])
  }

  @Test func requests() async throws {
    func handle(_ id: ObjectId, with service: HutService) async throws -> Data {
      guard let row = try service.hut(id) else { throw NotFound() }
      return try JSONEncoder().encode(row)
    }
    let service = HutService(configuration: configuration)
    let id = try Self.add("Eyrie", 12, configuration)
    #expect(try JSONDecoder().decode(HutSummary.self, from: await handle(id, with: service)).name == "Eyrie")
    // Each request shows the newest version, whichever thread serves it.
    for beds in 1...20 {
      try Self.change(id, beds: beds, configuration)
      #expect(try JSONDecoder().decode(HutSummary.self, from: await handle(id, with: service)).beds == beds)
    }
    await #expect(throws: NotFound.self) { try await handle(ObjectId.generate(), with: service) }
  }

  private static func add(
    _ name: String, _ beds: Int, _ configuration: Realm.Configuration
  ) throws -> ObjectId {
    let realm = try Realm(configuration: configuration)
    return try realm.write { realm.create(Hut.self, value: ["name": name, "beds": beds]).id }
  }

  private static func change(_ id: ObjectId, beds: Int, _ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.object(ofType: Hut.self, forPrimaryKey: id)?.beds = beds }
  }

  @Test func pool() async throws {
    let writer = try await HutWriter(configuration)
    let pool = try await HutPool(configuration, count: 3)
    for count in 1...9 {
      try await writer.add([NewHutRequest(name: "Hut", beds: 10)])
      #expect(await pool.reader.huts(withBeds: 10).count == count)
    }
    #expect(pool.reader !== pool.reader)
    #expect(await pool.reader.huts(withBeds: 11).isEmpty)
  }

  @Test func feed() async throws {
    func stream(_ feed: ChangeSequence<[HutSummary]>, to client: some EventSink) async throws {
      for await rows in feed {
        try await client.send(JSONEncoder().encode(rows))
      }
    }
    let writer = try await HutWriter(configuration)
    try await writer.add([NewHutRequest(name: "Larch", beds: 45), NewHutRequest(name: "Summit", beds: 6)])
    let client = Client(limit: 2)
    let feed = await writer.largest(2)
    let streaming = Task { try await stream(feed, to: client) }
    try await eventually { await client.events.count == 1 }
    try await writer.add([NewHutRequest(name: "Blackrock", beds: 80)])
    await #expect(throws: (any Error).self) { try await streaming.value }
    #expect(await client.events.map { $0.map(\.name) } == [["Larch", "Summit"], ["Blackrock", "Larch"]])
    let patient = Client(limit: 100)
    let cancelled = Task { try await stream(feed, to: patient) }
    cancelled.cancel()
    try await cancelled.value
  }

  @Test func pages() throws {
    func page(_ number: Int, size: Int, in realm: Realm) -> [HutSummary] {
      let huts = realm.objects(Hut.self).sorted(by: \.name)
      return huts.dropFirst(number * size).prefix(size).map(HutSummary.init)
    }
    func trails(after last: TrailSummary?, size: Int, in realm: Realm) -> [TrailSummary] {
      var trails = realm.objects(Trail.self)
      if let last {
        trails = trails.where { trail in
          trail.length > last.length || (trail.length == last.length && trail.name > last.name)
        }
      }
      let order = [SortDescriptor(keyPath: \Trail.length), SortDescriptor(keyPath: \Trail.name)]
      return trails.sorted(by: order).prefix(size).map { TrailSummary(name: $0.name, length: $0.length) }
    }
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for number in 0..<7 {
        realm.create(Hut.self, value: ["name": "Hut \(number)"])
        realm.create(Trail.self, value: ["name": "Trail \(number)", "length": Double(number / 3)])
      }
    }
    let names = (0..<4).map { page($0, size: 3, in: realm).map(\.name) }
    #expect(
      names == [["Hut 0", "Hut 1", "Hut 2"], ["Hut 3", "Hut 4", "Hut 5"], ["Hut 6"], []])
    var seen: [String] = []
    var last: TrailSummary?
    while true {
      let next = trails(after: last, size: 2, in: realm)
      if next.isEmpty { break }
      seen += next.map(\.name)
      last = next.last
    }
    #expect(seen == (0..<7).map { "Trail \($0)" })
  }

  @Test func imports() async throws {
    let writer = try await HutWriter(configuration)
    let requests = AsyncThrowingStream<NewHutRequest, any Error> { continuation in
      for number in 0..<25 { continuation.yield(NewHutRequest(name: "Hut \(number)", beds: number)) }
      continuation.finish()
    }
    try await writer.importHuts(requests, batch: 10)
    let reader = try await HutReader(configuration)
    #expect(await reader.huts(withBeds: 0).count == 25)
    // What fails leaves complete batches.
    let failing = AsyncThrowingStream<NewHutRequest, any Error> { continuation in
      for number in 0..<15 { continuation.yield(NewHutRequest(name: "Hut \(number)", beds: 100)) }
      continuation.finish(throwing: NotFound())
    }
    await #expect(throws: NotFound.self) { try await writer.importHuts(failing, batch: 10) }
    #expect(await reader.huts(withBeds: 100).count == 10)
  }

  @Test func queue() async throws {
    let writer = try await HutWriter(configuration)
    let queue = HutQueue(writer, limit: 5)
    var accepted = 0
    for number in 0..<2_000 where queue.enqueue(NewHutRequest(name: "Hut", beds: number)) { accepted += 1 }
    try await queue.close()
    #expect(!queue.enqueue(NewHutRequest(name: "late", beds: 1)))
    // More arrives than can be stored.
    #expect(accepted >= 5)
    let reader = try await HutReader(configuration)
    #expect(await reader.huts(withBeds: 0).count == accepted)
  }

  /// While another thread writes, the queue takes what fits into it, and the request that waits to be written.
  @Test func fullQueueRefuses() async throws {
    let queue = HutQueue(try await HutWriter(configuration), limit: 5)
    func enqueueDuringAWrite() throws -> Int {
      let realm = try Realm(configuration: configuration)
      return try realm.write {
        (0..<100).count { queue.enqueue(NewHutRequest(name: "Hut", beds: $0)) }
      }
    }
    let accepted = try enqueueDuringAWrite()
    #expect(5...6 ~= accepted)
    try await queue.close()
    let reader = try await HutReader(configuration)
    #expect(await reader.huts(withBeds: 0).count == accepted)
  }

  /// In a process of its own: other tests set the shared logger, too.
  @Test func swiftLog() async {
    await #expect(processExitsWith: .success) {
      func logRealms(to log: Logging.Logger) {
        RealmSwift.Logger.shared = RealmSwift.Logger(level: .info) { level, message in
          log.log(level: Logging.Logger.Level(level), "\(message)")
        }
      }
      let log = Logging.Logger()
      logRealms(to: log)
      RealmSwift.Logger.shared.level = .detail
      let folder = ScratchFolder()
      _ = try Realm(configuration: .init(fileURL: folder.file("log.realm"), objectTypes: [Warden.self]))
      try #require(log.lines.all.contains { $0.hasPrefix("debug: DB: ") && $0.contains("log.realm") })
      try #require(Logging.Logger.Level(.warn) == .warning)
    }
  }
}
