import CSwiftRuntime
import Foundation
import Observation
import Testing

@testable import SwiftRuntime

/// What is known of threads: their numbers, where they keep what is tracked, their run loops.
@Suite struct ThreadTests {
  private static func onOtherThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
    nonisolated(unsafe) var result: Result?
    let done = DispatchSemaphore(value: 0)
    Thread {
      result = body()
      done.signal()
    }.start()
    done.wait()
    return result!
  }

  /// On every processor, the way of unknown ones, too.
  @Test func numbers() {
    for number in [{ currentThread() }, { currentThreadByCall() }] as [@Sendable () -> UInt] {
      let here = number()
      #expect(number() == here)
      #expect(Self.onOtherThread(number) != here)
    }
  }

  @Test func theScopeIsSeenOnEveryThread() throws {
    try #require(TrackingScope.offset != 0)
    let states = { @Sendable in
      let offset = TrackingScope.offset
      return [
        TrackingScope.isOpen(offset: offset),
        withObservationTracking {
          TrackingScope.isOpen(offset: offset)
        } onChange: {
        },
        TrackingScope.isOpen(offset: offset),
      ]
    }
    #expect(states() == [false, true, false])
    #expect(Self.onOtherThread(states) == [false, true, false])
  }

  @Test func whereTheScopeIsNotKnownItMayBeOpen() {
    #expect(TrackingScope.isOpen(offset: 0))
  }

  @Test func runLoops() throws {
    try #require(RunLoopLookup.isKnown)
    let found = Self.onOtherThread {
      let before = RunLoopLookup.currentThreadMayHaveOne
      _ = RunLoop.current
      return [before, RunLoopLookup.currentThreadMayHaveOne]
    }
    #expect(found == [false, true])
  }
}
