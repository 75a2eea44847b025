import Dispatch
import RealmSwift
import Storage

extension StudioSession {
  /// Runs a body that writes on the queue of the realm, at its newest version, with the writer lock for its transaction.
  ///
  /// The queue does not wait for the lock: other requests are answered while another program writes.
  ///
  /// - Throws: `StudioFault` with status 503 when another program does not release the lock soon.
  func runWriting<Result: Sendable>(
    _ body: @escaping @Sendable (StudioFile, WriteRequest) throws -> Result
  ) async throws -> Result {
    let number = lastWrite.add(1, ordering: .relaxed).newValue
    let isGranted = try await isGranted(enqueue) { [self] in try opened().requestWriting(number, $0) }
    return try await withCheckedThrowingContinuation { continuation in
      enqueue { [self] in
        continuation.resume(
          with: Swift.Result {
            let file = try opened()
            guard let lock = file.removeRequest(number) else {
              throw StudioFault(503, "The file was closed to be compacted. Nothing was written: try again.")
            }
            // Has no effect on a lock that was taken.
            defer { lock.cancel() }
            if !isGranted { throw Self.busy }
            try file.refresh()
            return try body(file, lock)
          })
      }
    }
  }

  /// Runs a body that tries a transaction and cancels it, beside the queue, with the writer lock.
  ///
  /// - Throws: `StudioFault` with status 503 when another program does not release the lock soon.
  func runTrial<Result: Sendable>(
    _ body: @escaping @Sendable (NumberedRealm, WriteRequest) throws -> Result
  ) async throws -> Result {
    let trial = StudioTrial()
    let enqueue = { (body: @escaping @Sendable () -> Void) in trial.queue.async(execute: body) }
    let isGranted = try await isGranted(enqueue) { [path, key] in
      try trial.open(path: path, key: key, $0)
    }
    return try await withCheckedThrowingContinuation { continuation in
      trial.queue.async {
        continuation.resume(
          with: Swift.Result {
            defer { trial.close() }
            if !isGranted { throw Self.busy }
            return try trial.run(body)
          })
      }
    }
  }

  /// Requests the writer lock on a queue. Returns whether it is granted before the limit.
  ///
  /// - Parameter request: Is given what notifies that the lock is granted.
  private func isGranted(
    _ enqueue: (@escaping @Sendable () -> Void) -> Void,
    _ request: @escaping @Sendable (@escaping @Sendable () -> Void) throws -> Void
  ) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      let answer = FirstAnswer<Bool>(continuation)
      enqueue {
        do {
          try request { _ = answer.give(.success(true)) }
        } catch {
          _ = answer.give(.failure(error))
        }
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + writerLimit) {
        _ = answer.give(.success(false))
      }
    }
  }

  private static let busy = StudioFault(
    503,
    "Another program is in a write transaction and does not end it. Nothing was written: try again later.")
}
