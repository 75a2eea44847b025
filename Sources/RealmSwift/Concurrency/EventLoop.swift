import CSwiftRuntime
import Foundation
import LibC
import Storage
import Synchronization

/// The event loop of a thread that is not Foundation's: the program watches a descriptor, and calls `perform` when it can be
/// read.
///
/// The main thread may have one, too. What would go to the main queue, which such a program does not serve, then goes to the
/// event loop.
package final class EventLoop: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var isOpen = true
  }

  /// An eventfd, which can be read while work waits.
  package let descriptor: Int32
  private let state = Mutex(State())
  /// A child of fork() shares the descriptor with its parent, and must not use it.
  private let generation = Fork.generation
  var isInherited: Bool { generation != Fork.generation }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  /// The event loop of the main thread.
  private static let main = Mutex<EventLoop?>(nil)
  static var ofMain: EventLoop? { main.withLock { $0 }.flatMap { $0.isInherited ? nil : $0 } }

  /// The event loop of the calling thread; nil when it has none.
  package static var current: EventLoop? { ThreadPlace.current.eventLoop }

  /// Returns the event loop of the calling thread, which is made when there is none; nil when the process has no descriptor
  /// left.
  package static func make() -> EventLoop? {
    let place = ThreadPlace.current
    if let known = place.eventLoop { return known }
    let descriptor = makeEventDescriptor()
    if descriptor < 0 { return nil }
    let loop = EventLoop(descriptor: descriptor)
    place.setEventLoop(loop)
    if Thread.isMainThread {
      main.withLock { $0 = loop }
      // The main queue was asked for what waits already.
      QueuePlace.main.mailbox.postAgain(loop.post)
    }
    return loop
  }

  /// Adds work for the thread, from any thread. Returns false when the thread has ended.
  func post(_ work: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard state.isOpen else { return false }
      state.waiting.append(work)
      var one: UInt64 = 1
      _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
      return true
    }
  }

  /// Does what waits, on the thread of the event loop. Never waits itself.
  package func perform() {
    let works = state.withLock { state in
      var number: UInt64 = 0
      _ = read(descriptor, &number, MemoryLayout<UInt64>.size)
      defer { state.waiting = [] }
      return state.waiting
    }
    for work in works { work() }
  }

  /// Closes the descriptor, as the thread has ended, and drops what waits.
  func close() {
    let dropped = state.withLock { state in
      defer { state = State(isOpen: false) }
      if state.isOpen { _ = LibC.close(descriptor) }
      return state.waiting
    }
    // Released outside of the lock: it may be the last to know a realm.
    withExtendedLifetime(dropped) {}
  }
}
