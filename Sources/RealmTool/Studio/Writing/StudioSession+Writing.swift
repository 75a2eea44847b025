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
    _ body: @escaping @Sendable (StudioPlace, WriteRequest) throws -> Result
  ) async throws -> Result {
    let number = lastWrite.add(1, ordering: .relaxed).newValue
    let isGranted = try await withCheckedThrowingContinuation { continuation in
      let answer = FirstAnswer<Bool>(continuation)
      enqueue { [self] in
        do {
          try opened().requestWriting(number) { _ = answer.give(.success(true)) }
        } catch {
          _ = answer.give(.failure(error))
        }
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + writerLimit) {
        _ = answer.give(.success(false))
      }
    }
    return try await withCheckedThrowingContinuation { continuation in
      enqueue { [self] in
        continuation.resume(
          with: Swift.Result {
            let place = try opened()
            guard let lock = place.removeRequest(number) else {
              throw StudioFault(503, "The file was closed to be compacted. Nothing was written: try again.")
            }
            // Has no effect on a lock that was taken.
            defer { lock.cancel() }
            if !isGranted { throw StudioFault(503, Self.busy) }
            try place.refresh()
            return try body(place, lock)
          })
      }
    }
  }

  private static let busy =
    "Another program is in a write transaction and does not end it. Nothing was written: try again later."
}
