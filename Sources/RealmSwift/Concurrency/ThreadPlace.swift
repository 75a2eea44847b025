import CSwiftRuntime
import Foundation
import LibC
import SwiftRuntime
import Synchronization

/// A thread that realms are confined to. Every thread has its own for as long as it lives, so that a later thread
/// with the same number is not taken for it.
final class ThreadPlace: Sendable, CustomStringConvertible {
  let thread = currentThread()
  let mailbox = Mailbox()
  let kept = KeptRealms()
  /// Whether the thread was started for something that ends with it, rather than to serve queues or tasks one after the
  /// other.
  let isOwn = Thread.current.isExecuting
  /// The thread's folder in `/proc`, as "<process>/task/<thread>".
  private let folder = ThreadPlace.readLink("/proc/thread-self")
  /// The run loop, once it was seen to run.
  private let runLoop = Mutex<SharedRunLoop?>(nil)
  private let knownEventLoop = Mutex<EventLoop?>(nil)

  /// Only methods that may be called on other threads are used.
  private struct SharedRunLoop: @unchecked Sendable { let loop: RunLoop }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { known in
      let place = Unmanaged<ThreadPlace>.fromOpaque(known!).takeRetainedValue()
      place.runLoop.withLock { $0 = nil }
      place.knownEventLoop.withLock { $0 }?.close()
      place.kept.endTurn()
      place.mailbox.close()
    }
    precondition(code == 0)
    return key
  }()

  static var current: ThreadPlace {
    if let known = pthread_getspecific(key) {
      return Unmanaged<ThreadPlace>.fromOpaque(known).takeUnretainedValue()
    }
    let place = ThreadPlace()
    pthread_setspecific(key, Unmanaged.passRetained(place).toOpaque())
    return place
  }

  @inline(__always)
  var isCurrent: Bool { thread == currentThread() }

  /// The event loop of the thread, if it has one that is not Foundation's.
  var eventLoop: EventLoop? { knownEventLoop.withLock { $0 }.flatMap { $0.isInherited ? nil : $0 } }

  func setEventLoop(_ loop: EventLoop) { knownEventLoop.withLock { $0 = loop } }

  /// Whether something runs what is posted.
  var delivers: Bool { eventLoop != nil || hasRunLoop }

  var hasRunLoop: Bool {
    if isCurrent {
      // The run loop that Foundation would make for a thread that has none needs descriptors, of which there may be
      // no more: then it stops the program.
      guard RunLoopLookup.currentThreadMayHaveOne else { return false }
      let loop = RunLoop.current
      let isRunning = loop.currentMode != nil
      let shared = SharedRunLoop(loop: loop)
      if isRunning { runLoop.withLock { $0 = shared } }
      return isRunning
    }
    return runLoop.withLock { $0 != nil }
  }

  /// Has the event loop or the run loop run something; false when there is none that was seen to run, or the thread has
  /// ended.
  func post(_ work: @escaping @Sendable () -> Void) -> Bool {
    if let eventLoop { return eventLoop.post(work) }
    guard let loop = runLoop.withLock({ $0 })?.loop else { return false }
    loop.perform(inModes: [.common], block: work)
    // That alone does not wake a loop that sleeps, while a timer that is due does.
    loop.add(Timer(timeInterval: 0, repeats: false) { _ in }, forMode: .common)
    return true
  }

  private static func readLink(_ path: String) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let count = readlink(path, buffer.baseAddress!, 64)
      return String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  var description: String {
    let number = folder.split(separator: "/").last ?? "?"
    guard let name = try? String(contentsOfFile: "/proc/\(folder)/comm", encoding: .utf8) else {
      return "the ended thread \(number)"
    }
    // The name of a thread that was given none is that of the program.
    return "the thread \(number) '\(name.trimmingCharacters(in: .newlines))'"
  }
}
