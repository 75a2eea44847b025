import Dispatch
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

/// Clients that were offline and send at the same moment.
@Suite struct ReconnectionTests {
  /// Where two threads wait for each other.
  private final class Meeting: Sendable {
    private let arrivals = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]

    func wait(_ number: Int) {
      arrivals[1 - number].signal()
      arrivals[number].waitOrStop()
    }
  }

  /// Appends to the same list in each round, and begins each push when the other client does.
  private static func work(_ number: Int, rounds: Int, _ server: SharedServer, _ meeting: Meeting) throws {
    let file = try ListedFile(server.server)
    try file.transfer()
    for round in 0..<rounds {
      try file.edit { $0.appendElement(ListedModel.notes, file.row(), .string("\(number) \(round)")) }
      file.client.disconnect()
      var hasMet = false
      file.client.connection = CuttingConnection(try PostgresConnection(server.server.settings), cut: nil) {
        sql in
        if sql == "begin", !hasMet {
          hasMet = true
          meeting.wait(number)
        }
        return sql
      }
      try file.client.contact()
      try send(file.client)
      try file.client.pull()
    }
    meeting.wait(number)
    try file.transfer()
    #expect(try !file.client.push())
    let notes = try server.list()
    #expect(try file.list(ListedModel.notes) == notes)
    #expect(notes.filter { $0.hasPrefix("\(number) ") } == (0..<rounds).map { "\(number) \($0)" })
    #expect(notes.count == 2 * rounds)
  }

  /// Sends everything; what the other client prevents is repeated.
  private static func send(_ client: SyncClient) throws {
    while true {
      do {
        if try !client.push() { return }
      } catch let error as PostgresError where error.kind == .retry && !error.isConnectionLost {}
    }
  }

  /// A server that the threads share, with a connection that one at a time uses.
  private final class SharedServer: @unchecked Sendable {
    let server: ListedServer
    private let lock = Mutex(())

    init() throws {
      server = try ListedServer()
      let file = try ListedFile(server)
      try file.edit { _ in file.create() }
      try file.transfer()
    }

    func list() throws -> [String] { try lock.withLock { _ in try server.list("notes") } }
  }

  @Test func twoClientsThatAppendAndReconnectAtOnceBothFinish() throws {
    let server = try SharedServer()
    let meeting = Meeting()
    let rounds = TestLength.count(100, long: 1000)
    DispatchQueue.concurrentPerform(iterations: 2) { number in
      do {
        try Self.work(number, rounds: rounds, server, meeting)
      } catch {
        fatalError("client \(number): \(error)")
      }
    }
  }
}
