import CSwiftRuntime
import Dispatch
import Foundation
import LibC
import TestSupport
import Testing

@testable import RealmSwift

/// Threads whose event loop is the program's own.
@Suite struct EventLoopTests {
  /// Runs a body on a new thread, and waits until the thread has ended.
  private func onNewThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) throws -> Result {
    let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Thread {
      // Signals when the thread ends, after its event loop was closed or before: see `whenClosed`.
      let result = Swift.Result { try body() }
      outcome.withLock { $0 = result }
      done.signal()
    }.start()
    done.waitOrStop()
    return try outcome.withLock { $0! }.get()
  }

  /// Waits until the descriptor of the thread can be read.
  private static func wait(for loop: EventLoop) {
    var entry = pollfd(fd: loop.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&entry, 1, 60_000) == 1)
  }

  private static func isReadable(_ loop: EventLoop) -> Bool {
    var entry = pollfd(fd: loop.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
  }

  @Test func aThreadHasNoEventLoopUntilItMakesOne() throws {
    try onNewThread {
      #expect(EventLoop.current == nil)
      #expect(!Confinement.current.canDeliver)
      let loop = try #require(EventLoop.make())
      #expect(EventLoop.make() === loop)
      #expect(EventLoop.current === loop)
      #expect(Confinement.current.canDeliver)
      #expect(Confinement.current.surelyDelivers)
      #expect(!Self.isReadable(loop))
    }
  }

  @Test func workOfAnotherThreadIsDoneByPerform() throws {
    try onNewThread {
      let loop = try #require(EventLoop.make())
      let (here, place) = (currentThread(), Confinement.current)
      let done = Mutex<[Int]>([])
      Thread {
        for number in 0..<3 {
          place.schedule {
            #expect(currentThread() == here)
            done.withLock { $0.append(number) }
          }
        }
      }.start()
      while done.withLock(\.count) < 3 {
        Self.wait(for: loop)
        loop.perform()
      }
      #expect(done.withLock(\.self) == [0, 1, 2])
      #expect(!Self.isReadable(loop))
    }
  }

  @Test func workMayPerform() throws {
    try onNewThread {
      let loop = try #require(EventLoop.make())
      let done = Mutex<[Int]>([])
      let isPosted = loop.post {
        done.withLock { $0.append(1) }
        _ = loop.post { done.withLock { $0.append(2) } }
        loop.perform()
      }
      #expect(isPosted)
      loop.perform()
      #expect(done.withLock(\.self) == [1, 2])
    }
  }

  @Test func aClosedEventLoopTakesNothing() throws {
    let loop = try onNewThread { try #require(EventLoop.make()) }
    let dropped = Mutex(false)
    final class Dropped: Sendable {
      let note: @Sendable () -> Void
      init(_ note: @escaping @Sendable () -> Void) { self.note = note }
      deinit { note() }
    }
    loop.close()
    let isPosted = loop.post { [object = Dropped { dropped.withLock { $0 = true } }] in _ = object }
    #expect(!isPosted)
    #expect(dropped.withLock(\.self) == true)
    // A second time is harmless.
    loop.close()
  }

  @Test func aRealmFollowsOtherThreads() throws {
    let file = ScratchRealm()
    let configuration = file.configuration
    try onNewThread {
      let loop = try #require(EventLoop.make())
      let realm = try Realm(configuration: configuration)
      let counts = Mutex<[Int]>([])
      let token = realm.objects(RealmDog.self).observe { change in
        switch change {
        case .initial(let dogs): counts.withLock { $0.append(dogs.count) }
        case .update(let dogs, _, _, _): counts.withLock { $0.append(dogs.count) }
        case .error: break
        }
      }
      Self.wait(for: loop)
      loop.perform()
      Thread {
        let realm = try! Realm(configuration: configuration)
        try! realm.write { realm.add(RealmDog()) }
      }.start()
      while counts.withLock(\.count) < 2 {
        Self.wait(for: loop)
        loop.perform()
      }
      #expect(counts.withLock(\.self) == [0, 1])
      token.invalidate()
    }
    withExtendedLifetime(file) {}
  }

  @Test func whatWaitsElsewhereIsPostedAgain() {
    let mailbox = Mailbox()
    let done = Mutex(0)
    // The first place never comes to it.
    mailbox.add({ done.withLock { $0 += 1 } }, for: nil, post: { _ in true })
    mailbox.postAgain {
      $0()
      return true
    }
    #expect(done.withLock(\.self) == 1)
    mailbox.postAgain { _ in
      Issue.record("Nothing waits any more.")
      return true
    }
    #expect(mailbox.count == 0)
  }
}
