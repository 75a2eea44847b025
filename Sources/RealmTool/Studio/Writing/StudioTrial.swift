import Dispatch
import RealmSwift
import Storage

/// A realm and a queue of their own for a write transaction that is cancelled.
///
/// The session answers requests that read meanwhile. Only transactions wait, for the writer lock.
final class StudioTrial: Sendable {
  let queue = DispatchQueue(label: "studio.trial")
  /// Used on `queue` only, as is `lock`; nil before `open` and after `close`.
  nonisolated(unsafe) private var numbered: NumberedRealm?
  nonisolated(unsafe) private var lock: WriteRequest?

  /// Opens the file and requests the writer lock. `granted` is called on any thread.
  func open(path: String, key: [UInt8]?, _ granted: @escaping @Sendable () -> Void) throws {
    let numbered = try StudioFile.realm(path: path, key: key, queue)
    self.numbered = numbered
    lock = try numbered.requestWriting(granted)
  }

  /// Runs a body with the realm at its newest version.
  func run<Result>(_ body: (NumberedRealm, WriteRequest) throws -> Result) throws -> Result {
    guard let numbered, let lock else { preconditionFailure("The trial was not opened.") }
    _ = try numbered.refresh()
    return try StudioSession.checking(numbered) { try body(numbered, lock) }
  }

  /// Releases the lock and the file.
  func close() {
    // Has no effect on a lock that was taken.
    lock?.cancel()
    (numbered, lock) = (nil, nil)
  }
}
