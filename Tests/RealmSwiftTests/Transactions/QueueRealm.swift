import Foundation
import RealmSwift
import TestSupport

class AsyncNote: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
}

/// A realm on a serial queue of its own, in a file of its own unless it shares another one's.
final class QueueRealm: @unchecked Sendable {
  let queue = DispatchQueue(label: "queue realm")
  let file: ScratchRealm
  /// Only used on the queue.
  private var kept: Realm?

  init(_ file: ScratchRealm = ScratchRealm([AsyncNote.self])) {
    self.file = file
    queue.sync { kept = try! Realm(configuration: file.configuration, queue: queue) }
  }

  /// Runs a block on the queue, with the realm, and waits for it.
  func sync<Result>(_ body: (Realm) throws -> Result) rethrows -> Result {
    try queue.sync { try body(kept!) }
  }

  /// The same without a realm being kept.
  func forget() { queue.sync { kept = nil } }

  /// Starts something on the queue, and waits until it calls what it was given.
  func wait(_ body: @escaping @Sendable (Realm, _ done: @escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in
      queue.async { [self] in body(kept!) { continuation.resume() } }
    }
  }

  /// Waits until what has been scheduled on the queue so far has run, and what that scheduled, until a condition
  /// holds.
  func wait(until condition: (Realm) -> Bool) async throws {
    try await eventually { sync(condition) }
  }
}

/// What happened, in order.
final class AsyncJournal: Sendable {
  private let entries = Mutex<[String]>([])
  var all: [String] { entries.withLock { $0 } }
  func add(_ entry: String) { entries.withLock { $0.append(entry) } }

  /// The entries once there are that many.
  func wait(for count: Int) throws -> [String] {
    try waitUntil { all.count >= count }
    return all
  }

  /// The same for tasks, whose threads are few: others need them meanwhile.
  func entries(_ count: Int) async throws -> [String] {
    try await eventually { all.count >= count }
    return all
  }
}
