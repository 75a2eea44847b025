import Dispatch
import Foundation
import RealmSwift
import Storage
import Synchronization

/// The open file of `realm studio`: a realm on a serial queue of its own, which follows what other processes write.
///
/// The queue only does what is quick. What takes long runs on other threads, at a version that is released with the answer.
final class StudioSession: Sendable {
  let path: String
  let key: [UInt8]?
  let isWritable: Bool
  let clients = StudioClients()
  private let queue: DispatchQueue
  /// Used on `queue` only; nil while the file is closed.
  nonisolated(unsafe) private var file: StudioFile?
  /// Used on `queue` only: whether the file was closed for what the next turn does.
  nonisolated(unsafe) private var isClosing = false
  private let background = DispatchQueue(label: "studio.background", attributes: .concurrent)
  /// Maximum duration for which a write waits for the writers of other programs, in seconds.
  let writerLimit: Double
  /// Number of the last write.
  let lastWrite = Atomic(0)
  /// Number of evaluations that still run although their requests were answered.
  private let overdue = Atomic(0)

  /// Maximum duration of a query, in seconds.
  static let queryLimit = 5.0
  /// Maximum number of such evaluations; at it, requests with a limit are refused.
  static let overdueLimit = 2

  /// - Throws: `ToolError` when the file cannot be opened.
  init(path: String, key: [UInt8]?, isWritable: Bool, writerLimit: Double = 5) throws {
    self.path = path
    self.key = key
    self.isWritable = isWritable
    self.writerLimit = writerLimit
    let (queue, clients) = (DispatchQueue(label: "studio"), clients)
    self.queue = queue
    file = try queue.sync { try StudioFile(path: path, key: key, queue, clients) }
  }

  deinit {
    // What the queue uses is released there.
    nonisolated(unsafe) let last = file
    queue.async { last?.close() }
  }

  // MARK: On the queue

  /// Runs a body on the queue of the realm, at its newest version.
  func run<Result: Sendable>(
    _ body: @escaping @Sendable (NumberedRealm) throws -> Result
  ) async throws -> Result {
    try await runOnQueue { try body($0.numbered) }
  }

  /// Runs a body on the queue of the realm, with the views, at its newest version.
  func runOnQueue<Result: Sendable>(
    _ body: @escaping @Sendable (StudioFile) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      enqueue { [self] in
        continuation.resume(
          with: Swift.Result {
            let file = try opened()
            try file.refresh()
            return try Self.checking(file.numbered) { try body(file) }
          })
      }
    }
  }

  /// Runs a body on the queue, not between the two turns of `runClosed`.
  func enqueue(_ body: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      if isClosing { enqueue(body) } else { body() }
    }
  }

  func opened() throws -> StudioFile {
    if let file { return file }
    let file = try StudioFile(path: path, key: key, queue, clients)
    self.file = file
    return file
  }

  /// Runs a body while the session does not have the file open; other requests wait. All views end.
  func runClosed<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      enqueue { [self] in
        file?.close()
        file = nil
        isClosing = true
        // What a turn of the queue has used is released when it ends.
        queue.async { [self] in
          isClosing = false
          let result = Swift.Result { try body() }
          // A file that cannot be opened now can be later.
          _ = try? opened()
          clients.send("reload", Array("{}".utf8))
          continuation.resume(with: result)
        }
      }
    }
  }

  /// Runs a body that reads, and throws the damage that it has found rather than what it has made of placeholders.
  static func checking<Result>(_ numbered: NumberedRealm, _ body: () throws -> Result) throws -> Result {
    let result = Swift.Result { try body() }
    try numbered.check()
    return try result.get()
  }

  // MARK: Beside the queue

  /// Returns the newest version, for threads other than that of the queue.
  func version() async throws -> StudioVersion {
    try await run { StudioVersion(try $0.frozen()) }
  }

  /// Runs a body that takes long at the newest version, on a thread of its own. The version is released when the body ends.
  ///
  /// - Parameter limit: Maximum duration in seconds, after which the request fails with status 408. Nothing can stop an
  ///   evaluation: the body goes on to its end, and while several do, requests with a limit are refused.
  func runBeside<Result: Sendable>(
    limit: Double? = nil, _ body: @escaping @Sendable (StudioVersion) throws -> Result
  ) async throws -> Result {
    if limit != nil && overdue.load(ordering: .relaxed) >= Self.overdueLimit {
      throw StudioFault(408, "Earlier queries that take too long have not ended yet: try again later.")
    }
    let version = try await version()
    return try await withCheckedThrowingContinuation { continuation in
      let answer = FirstAnswer(continuation)
      background.async { [self] in
        let isLate = !answer.give(Swift.Result { try Self.checking(version.numbered) { try body(version) } })
        if isLate { overdue.subtract(1, ordering: .relaxed) }
      }
      guard let limit else { return }
      DispatchQueue.global().asyncAfter(deadline: .now() + limit) { [self] in
        overdue.add(1, ordering: .relaxed)
        let fault = StudioFault(408, "The query takes more than \(Int(limit)) seconds.")
        if !answer.give(.failure(fault)) { overdue.subtract(1, ordering: .relaxed) }
      }
    }
  }
}

/// A version of the file that every thread can read, until it is released.
struct StudioVersion: @unchecked Sendable {
  let numbered: NumberedRealm

  init(_ numbered: NumberedRealm) { self.numbered = numbered }

  var snapshot: Snapshot { numbered.realm.storedVersion }
}

/// Takes the first of two answers to a request.
final class FirstAnswer<Value: Sendable>: Sendable {
  private let waiting: Mutex<CheckedContinuation<Value, any Error>?>

  init(_ continuation: CheckedContinuation<Value, any Error>) { waiting = Mutex(continuation) }

  /// Returns whether it was the first one.
  func give(_ result: Result<Value, any Error>) -> Bool {
    let continuation = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    continuation?.resume(with: result)
    return continuation != nil
  }
}
