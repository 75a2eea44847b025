import Synchronization

/// A function that is called before the library ends the process, so that a program in another language can report why.
package enum FatalHandler {
  private final class Box: Sendable {
    let handler: @Sendable (String) -> Void
    init(_ handler: @escaping @Sendable (String) -> Void) { self.handler = handler }
  }

  private nonisolated(unsafe) static let current = Atomic<UnsafeMutableRawPointer?>(nil)

  /// Sets the handler of the process; nil removes it.
  ///
  /// The handler is called on the thread that found the fault, and at most once: a fault that it causes itself ends the
  /// process. A replaced handler is released: a thread that calls one has taken it out of `current` before.
  package static func set(_ handler: (@Sendable (_ message: String) -> Void)?) {
    let place = handler.map { Unmanaged.passRetained(Box($0)).toOpaque() }
    guard let replaced = current.exchange(place, ordering: .sequentiallyConsistent) else { return }
    Unmanaged<Box>.fromOpaque(replaced).release()
  }

  /// Takes no lock, because the thread that holds it may be missing in a child of fork().
  fileprivate static func call(_ message: String) {
    guard let place = current.exchange(nil, ordering: .sequentiallyConsistent) else { return }
    Unmanaged<Box>.fromOpaque(place).takeUnretainedValue().handler(message)
  }
}

/// Calls the fatal handler, and ends the process with the message.
package func endProcess(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  FatalHandler.call(message)
  fatalError(message, file: file, line: line)
}

/// Ends the program because a file is damaged. The one place for it.
func stopDamaged(path: String, _ fault: String) -> Never {
  endProcess(StorageError.damageMessage(path: path, fault))
}

/// Stops the program because of damage, for code that has only a transaction.
func stopDamaged(_ transaction: EntryTransaction?, _ fault: String) -> Never {
  stopDamaged(path: transaction?.entries.path ?? "?", fault)
}
