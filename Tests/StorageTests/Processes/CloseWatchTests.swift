import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite struct CloseWatchTests {
  private static func openAndClose(_ path: String, _ mode: Int32) {
    let descriptor = open(path, mode)
    #expect(descriptor >= 0)
    close(descriptor)
  }

  @Test func toldOfThoseWhoCouldWrite() throws {
    let path = TemporaryFile.path()
    let other = TemporaryFile.path()
    defer { for path in [path, other] { TemporaryFile.delete(path) } }
    for path in [path, other] { Self.openAndClose(path, O_RDWR | O_CREAT) }
    let calls = Calls()
    let otherCalls = Calls()
    let watch = try #require(CloseWatch(path: path) { calls.note() })
    let second = try #require(CloseWatch(path: path) { calls.note() })
    let otherWatch = try #require(CloseWatch(path: other) { otherCalls.note() })
    Self.openAndClose(path, O_RDWR)
    calls.wait(for: 2)
    // Who can only read tells nobody of anything.
    Self.openAndClose(path, O_RDONLY)
    Self.openAndClose(path, O_WRONLY)
    calls.wait(for: 4)
    Self.openAndClose(other, O_RDWR)
    otherCalls.wait(for: 1)
    #expect(calls.count == 4)
    withExtendedLifetime((watch, second, otherWatch)) {}
  }

  @Test func nothingIsWatchedThatIsNotThere() {
    #expect(CloseWatch(path: TemporaryFile.path()) {} == nil)
  }

  /// The thread ends with the last watch; in a process of its own, where nobody else watches anything.
  @Test func endsWithTheLastWatch() async {
    await #expect(processExitsWith: .success) {
      let path = TemporaryFile.path()
      defer { TemporaryFile.delete(path) }
      CloseWatchTests.openAndClose(path, O_RDWR | O_CREAT)
      #expect(!CloseWatch.isRunning)
      #expect(CloseWatch(path: path + "x") {} == nil)
      #expect(!CloseWatch.isRunning)
      for _ in 0..<3 {
        let calls = Calls()
        var first = CloseWatch(path: path) { calls.note() }
        var second = CloseWatch(path: path) { calls.note() }
        #expect(CloseWatch.isRunning)
        first = nil
        CloseWatchTests.openAndClose(path, O_RDWR)
        calls.wait(for: 1)
        #expect(CloseWatch.isRunning)
        second = nil
        try waitUntil { !CloseWatch.isRunning }
        _ = (first, second)
      }
      // A file that is gone is not watched any more.
      let watch = CloseWatch(path: path) {}
      unlink(path)
      try waitUntil { !CloseWatch.isRunning }
      withExtendedLifetime(watch) {}
    }
  }

  @Test func manyFilesOnManyThreads() throws {
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let path = TemporaryFile.path()
      defer { TemporaryFile.delete(path) }
      Self.openAndClose(path, O_RDWR | O_CREAT)
      for _ in 0..<50 {
        let calls = Calls()
        let watch = CloseWatch(path: path) { calls.note() }
        #expect(watch != nil)
        Self.openAndClose(path, O_RDWR)
        calls.wait(for: 1)
        // Each watch is notified of its own file, once.
        #expect(calls.count == 1)
        withExtendedLifetime(watch) {}
      }
    }
  }
}
