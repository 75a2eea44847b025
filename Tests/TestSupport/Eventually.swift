public import Dispatch
import Glibc

/// Something did not happen.
public struct TimedOut: Error, CustomStringConvertible {
  /// What was waited for.
  public let description: String
}

/// How long something may take that never takes long, on a machine that has other things to do.
public let longTime = Duration.seconds(600)

/// Waits until a condition holds.
///
/// - Throws: `TimedOut` when it does not.
public func eventually(
  within limit: Duration = longTime, isolation: isolated (any Actor)? = #isolation, file: String = #fileID,
  line: Int = #line, _ condition: () async throws -> Bool
) async throws {
  let start = ContinuousClock.now
  while try await !condition() {
    if ContinuousClock.now - start > limit { throw TimedOut(description: "\(file):\(line): not in \(limit)") }
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
