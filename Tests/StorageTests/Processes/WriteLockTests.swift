import Foundation
import Pages
import TestSupport
import Testing

@testable import Storage

@Suite struct WriteLockTests {
  private let descriptor: Int32
  private let path = TemporaryFile.path()
  /// Nobody overtakes, however slow the machine is.
  private let lock: WriteLock

  init() {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    lock = WriteLock(OwnedDescriptor(descriptor), path: path, courtesy: .never)
    unlink(path)
  }

  private final class Journal: Sendable {
    private let entries = Mutex<[String]>([])
    var all: [String] { entries.withLock { $0 } }
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
  }

  @Test func aFreeLockIsGrantedAtOnce() {
    let journal = Journal()
    let request = lock.request { journal.add("granted") }
    #expect(journal.all == ["granted"])
    #expect(!lock.tryAcquire())
    #expect(request.tryTake())
    #expect(!request.tryTake())
    lock.release()
    #expect(lock.tryAcquire())
    lock.release()
  }

  @Test func thoseWhoAskAreServedInOrder() throws {
    let journal = Journal()
    lock.acquire()
    let requests = (0..<100).map { number in lock.request { journal.add("\(number)") } }
    // One that waits on its thread, between those that are called.
    let isWaiting = DispatchSemaphore(value: 0)
    let isDone = DispatchSemaphore(value: 0)
    let last = lock.request()
    Thread.detachNewThread {
      isWaiting.signal()
      last.take()
      journal.add("waited")
      self.lock.release()
      isDone.signal()
    }
    isWaiting.waitOrStop()
    let after = lock.request { journal.add("after") }
    lock.release()
    for (number, request) in requests.enumerated() {
      #expect(journal.all == (0...number).map { "\($0)" })
      try #require(request.tryTake())
      lock.release()
    }
    isDone.waitOrStop()
    #expect(journal.all.suffix(2) == ["waited", "after"])
    #expect(after.tryTake())
    lock.release()
  }

  /// The right was granted to somebody who waits for a thread to run on, and all threads wait for the right.
  @Test func threadsOvertakeThoseThatWaitForOne() throws {
    let lock = WriteLock(OwnedDescriptor(dup(descriptor)), path: path)
    let journal = Journal()
    lock.acquire()
    let slow = lock.request { journal.add("granted") }
    let isDone = DispatchSemaphore(value: 0)
    for number in 0..<3 {
      Thread.detachNewThread {
        lock.acquire()
        journal.add("thread \(number)")
        lock.release()
        isDone.signal()
      }
    }
    lock.release()
    for _ in 0..<3 { isDone.waitOrStop() }
    #expect(journal.all.first == "granted" && journal.all.count == 4)
    #expect(slow.tryTake())

    // It learns when the right is there again.
    let second = lock.request { journal.add("second granted") }
    lock.release()
    lock.acquire()
    let isTaken = second.tryTake(orLater: { journal.add("second granted again") })
    #expect(!isTaken)
    #expect(!journal.all.contains("second granted again"))
    lock.release()
    #expect(journal.all.last == "second granted again")
    #expect(second.tryTake())
    lock.release()
  }

  @Test func placesThatAreGivenUp() {
    let journal = Journal()
    lock.acquire()
    let first = lock.request { journal.add("first") }
    let second = lock.request { journal.add("second") }
    first.cancel()
    lock.release()
    #expect(journal.all == ["second"])
    // Granted, but not taken.
    second.cancel()
    #expect(!second.tryTake())
    #expect(lock.tryAcquire())
    second.cancel()
    #expect(!lock.tryAcquire())
    lock.release()
  }

  @Test func whatNobodyTakesIsReleased() {
    var request: WriteRequest? = lock.request {}
    #expect(!lock.tryAcquire())
    _ = request
    request = nil
    #expect(lock.tryAcquire())
    lock.release()
  }

  /// Another open file is as strange to the lock as another process.
  @Test func otherProcessesAreWaitedFor() {
    let other = open("/proc/self/fd/\(descriptor)", O_RDWR | O_CLOEXEC)
    #expect(flock(other, LOCK_EX) == 0)
    let granted = DispatchSemaphore(value: 0)
    let request = lock.request { granted.signal() }
    #expect(!request.tryTake())
    #expect(!lock.tryAcquire())
    close(other)
    granted.waitOrStop()
    #expect(request.tryTake())
    lock.release()
  }

  /// A closed descriptor stands for a file system that cannot lock.
  @Test func failuresAreToldOf() throws {
    let path = TemporaryFile.path()
    let broken = WriteLock(OwnedDescriptor(-1), path: path)
    let message = "Failed to lock Realm file at path '\(path)': Bad file descriptor"
    func expectFailure(sourceLocation: SourceLocation = #_sourceLocation) {
      let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) {
        try broken.checkHeld()
      }
      #expect(error?.kind == .access && error?.message == message, sourceLocation: sourceLocation)
    }
    #expect(!broken.tryAcquire())
    broken.acquire()
    expectFailure()
    let journal = Journal()
    let waiting = broken.request { journal.add("waiting") }
    #expect(journal.all.isEmpty)
    broken.release()
    #expect(journal.all == ["waiting"])
    #expect(waiting.tryTake())
    expectFailure()
    broken.release()
    let request = broken.request { journal.add("granted") }
    #expect(journal.all == ["waiting", "granted"])
    request.take()
    expectFailure()
    broken.release()
  }

  @Test func manyThreads() {
    final class Counter: @unchecked Sendable { var value = 0 }
    let counter = Counter()
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      for step in 0..<200 {
        switch (number + step) % 3 {
        case 0:
          lock.acquire()
          counter.value += 1
          lock.release()
        case 1:
          let request = lock.request()
          request.take()
          counter.value += 1
          lock.release()
        default:
          let granted = DispatchSemaphore(value: 0)
          let request = lock.request { granted.signal() }
          granted.waitOrStop()
          #expect(request.tryTake())
          counter.value += 1
          lock.release()
        }
      }
    }
    #expect(counter.value == 1600)
  }
}
