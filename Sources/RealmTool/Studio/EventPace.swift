import Dispatch

/// Calls a body soon after it was requested, and not more often than at an interval. To be used on one queue.
final class EventPace {
  private let queue: DispatchQueue
  private let interval: Double
  private let body: () -> Void
  private var isScheduled = false
  private var next = DispatchTime.now()

  /// - Parameter interval: Minimum time between two calls, in seconds.
  init(_ queue: DispatchQueue, interval: Double, _ body: @escaping () -> Void) {
    self.queue = queue
    self.interval = interval
    self.body = body
  }

  func request() {
    if isScheduled { return }
    isScheduled = true
    nonisolated(unsafe) weak let pace = self
    queue.asyncAfter(deadline: max(next, .now())) { pace?.fire() }
  }

  private func fire() {
    isScheduled = false
    next = .now() + interval
    body()
  }
}
