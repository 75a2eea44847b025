public import Dispatch
import LibC

/// Something did not happen.
public struct TimedOut: Error, CustomStringConvertible {
  /// What was waited for.
  public let description: String
}

/// How long something may take that never takes long, on a machine that has other things to do.
public let longTime = Duration.seconds(600)

/// Waits until a condition holds.
///
/// - Throws: `TimedOut` when it does not, for a long time and in many attempts: a task may have to wait minutes for its next
///   turn while other tests keep all threads.
public func eventually(
  isolation: isolated (any Actor)? = #isolation, file: String = #fileID, line: Int = #line,
  _ condition: () async throws -> Bool
) async throws {
  let start = ContinuousClock.now
  var attempts = 0
  while try await !condition() {
    attempts += 1
    if attempts > 1000 && ContinuousClock.now - start > longTime {
      throw TimedOut(description: "\(file):\(line): not in \(longTime)")
    }
    try await Task.sleep(for: .milliseconds(1))
  }
}

/// The same, and nothing else runs on the thread meanwhile.
public func waitUntil(
  within limit: Duration = longTime, file: String = #fileID, line: Int = #line,
  _ condition: () throws -> Bool
) throws {
  let start = ContinuousClock.now
  while try !condition() {
    if ContinuousClock.now - start > limit { throw TimedOut(description: "\(file):\(line): not in \(limit)") }
    usleep(1000)
  }
}

/// Waits for another thread to stop the program.
public func waitToBeStopped() { sleep(UInt32(longTime.components.seconds)) }

extension DispatchSemaphore {
  /// Waits for a signal. Stops the program when there is none.
  public func waitOrStop(
    within seconds: Double = 600, file: StaticString = #fileID, line: UInt = #line
  ) {
    if wait(timeout: .now() + seconds) == .timedOut {
      fatalError("no signal within \(seconds) seconds", file: file, line: line)
    }
  }
}
