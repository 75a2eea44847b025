import Dispatch
import Foundation
import TestSupport
import Testing

import struct Synchronization.Atomic

@testable import RealmSwift

/// A thread that runs its run loop and nothing else, until it is stopped.
final class RunLoopThread: Sendable {
  let confinement: Confinement
  private let state: State

  private final class State: Sendable {
    let confinement = Mutex<Confinement?>(nil)
    let isStopped = Atomic(false)
  }

  init() {
    let started = DispatchSemaphore(value: 0)
    let state = State()
    Thread {
      #expect(!Confinement.current.canDeliver)
      RunLoop.current.perform {
        #expect(Confinement.current.canDeliver)
        state.confinement.withLock { $0 = .current }
        started.signal()
      }
      // A loop without sources does not wait. (A timer that is given an interval only is due at once, and gone.)
      RunLoop.current.add(
        Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .default)
      while !state.isStopped.load(ordering: .relaxed) {
        _ = RunLoop.current.run(mode: .default, before: .distantFuture)
      }
    }.start()
    started.waitOrStop()
    self.state = state
    confinement = state.confinement.withLock { $0! }
  }

  /// Runs a body on the thread and waits for its result.
  func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
    let done = DispatchSemaphore(value: 0)
    let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
    confinement.schedule {
      let result = Swift.Result { try body() }
      outcome.withLock { $0 = result }
      done.signal()
    }
    done.waitOrStop()
    return try outcome.withLock { $0! }.get()
  }

  func stop() {
    confinement.schedule { [state] in state.isStopped.store(true, ordering: .relaxed) }
  }
}
