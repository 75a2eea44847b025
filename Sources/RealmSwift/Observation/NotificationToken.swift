import Synchronization

/// A token that keeps an observation active. The observation ends when the token is invalidated or released.
///
/// ```swift
/// let token = huts.observe { _ in print("changed") }
/// token.invalidate()
/// ```
///
/// A token can be kept, invalidated and released on any thread. After it is invalidated on the thread of its
/// block, the block is not called again. If it is invalidated on another thread, a call that has already
/// begun is finished.
public final class NotificationToken: Sendable {
  private enum State: Sendable {
    /// The observation has not begun yet, on the queue or actor that it is for.
    case pending
    case active(Registration)
    case ended
  }

  private let state: Mutex<State>

  /// Creates a token without an observation, as a placeholder.
  public init() {
    state = Mutex(.pending)
  }

  init(_ registration: Registration) {
    state = Mutex(.active(registration))
  }

  deinit {
    end()
  }

  /// Ends the observation. Returns whether it was active.
  @discardableResult
  public func invalidate() -> Bool { end() }

  @discardableResult
  private func end() -> Bool {
    let old = state.withLock { state in
      defer { state = .ended }
      return state
    }
    // Outside the lock: it may be the last reference to the realm, which runs code of others.
    switch old {
    case .active(let registration):
      registration.end()
      return true
    case .pending: return true
    case .ended: return false
    }
  }

  /// The observation; nil when there is none yet, or no more.
  var registration: Registration? {
    state.withLock { if case .active(let registration) = $0 { registration } else { nil } }
  }

  /// Whether `invalidate` has not been called.
  var isValid: Bool {
    state.withLock { if case .ended = $0 { false } else { true } }
  }

  /// Gives a pending token its observation, which ends at once when the token has been invalidated meanwhile.
  func begin(_ registration: Registration) {
    let isEnded = state.withLock { state in
      if case .ended = state { return true }
      state = .active(registration)
      return false
    }
    if isEnded { registration.end() }
  }
}
