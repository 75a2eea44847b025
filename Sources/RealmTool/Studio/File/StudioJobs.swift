import Dispatch
import Storage
import Synchronization

/// Work on the whole file, of which clients follow the progress by events. One piece of work runs at a time.
final class StudioJobs: Sendable {
  private struct State {
    var last = 0
    var isRunning = false
  }

  /// Result of a piece of work.
  struct Outcome: Sendable {
    let isSound: Bool
    let text: String
  }

  /// Minimum interval of the events of progress, in seconds.
  private static let interval = 0.1

  private let state = Mutex(State())

  /// Starts work beside the request, and sends its progress and its end to clients. Returns its number.
  ///
  /// - Parameter body: Is given what takes the progress, to be bound to `WorkProgress.update` on the thread that works.
  /// - Throws: `StudioFault` with status 409 while other work runs.
  func start(
    _ clients: StudioClients, _ body: @escaping @Sendable (WorkProgress.Update) async throws -> Outcome
  ) throws(StudioFault) -> Int {
    let number = state.withLock { state -> Int? in
      if state.isRunning { return nil }
      state.isRunning = true
      state.last += 1
      return state.last
    }
    guard let number else {
      throw StudioFault(409, "The file is being verified or compacted already: wait until that is done.")
    }
    let update = Self.update(number, clients)
    Task.detached(executorPreference: StudioExecutor.shared) {
      let outcome: Outcome
      do {
        outcome = try await body(update)
      } catch {
        outcome = Outcome(isSound: false, text: StudioFault(error).message)
      }
      self.state.withLock { $0.isRunning = false }
      var bytes = Array("{\"job\":\(number),\"ok\":\(outcome.isSound),\"text\":".utf8)
      bytes.appendJSON(outcome.text)
      bytes.append("}")
      clients.send("done", bytes)
    }
    return number
  }

  /// Returns what sends the progress of a piece of work, not too often.
  private static func update(_ number: Int, _ clients: StudioClients) -> WorkProgress.Update {
    let last = LastTime()
    return WorkProgress.Update { done, total in
      if last.isOver(interval) {
        clients.send(
          "progress", Array("{\"job\":\(number),\"done\":\(done),\"total\":\(max(done, total))}".utf8))
      }
    }
  }

  private final class LastTime: Sendable {
    private let seconds = Mutex(-Double.infinity)

    /// Whether an interval has passed since the last time that this was true.
    func isOver(_ interval: Double) -> Bool {
      let now = Clock.seconds
      return seconds.withLock { last in
        if now - last < interval { return false }
        last = now
        return true
      }
    }
  }
}
