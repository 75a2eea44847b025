import Synchronization

/// What a task waits on until it may write.
final class TaskTurn: Sendable {
  private struct State {
    var hasCome = false
    var isCancelled = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Lets the task go on, or not wait at all.
  func come() { change { $0.hasCome = true } }

  /// Lets the task go on without its turn.
  func cancel() { change { $0.isCancelled = true } }

  var isCancelled: Bool { state.withLock(\.isCancelled) }

  private func change(_ body: (inout State) -> Void) {
    let waiter = state.withLock { state in
      body(&state)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Waits until the turn comes, or will not come. Each coming is good for one return.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isNow = state.withLock { state in
        if state.hasCome || state.isCancelled {
          state.hasCome = false
          return true
        }
        state.waiter = continuation
        return false
      }
      if isNow { continuation.resume() }
    }
    state.withLock { $0.hasCome = false }
  }
}
