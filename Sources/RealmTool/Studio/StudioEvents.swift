import Synchronization

/// The events for one client that have not been sent yet.
///
/// The session appends, the server takes. A client that does not read loses no memory of the server: what waits is limited,
/// and a client that exceeds the limit gets an event that makes it reload.
final class StudioEvents: Sendable {
  private struct State {
    var waiting: [[UInt8]] = []
    var size = 0
    var isClosed = false
    /// Called once when there is something to take.
    var wake: (@Sendable () -> Void)?
  }

  /// Maximum size of waiting events, in bytes.
  static let limit = 1 << 20

  private let state = Mutex(State())

  /// Appends an event with a document in JSON.
  func send(_ name: String, _ json: [UInt8]) {
    let wake = state.withLock { state -> (@Sendable () -> Void)? in
      if state.isClosed { return nil }
      if state.size + json.count > Self.limit {
        state.waiting = [Array("event: reload\ndata: {}\n\n".utf8)]
        state.size = state.waiting[0].count
      } else {
        let event = Array("event: \(name)\ndata: ".utf8) + json + Array("\n\n".utf8)
        state.waiting.append(event)
        state.size += event.count
      }
      defer { state.wake = nil }
      return state.wake
    }
    wake?()
  }

  /// Removes and returns what waits. When nothing waits, `wake` is called once as soon as something does.
  func take(_ wake: @escaping @Sendable () -> Void) -> [UInt8] {
    state.withLock { state in
      let bytes = Array(state.waiting.joined())
      state.waiting = []
      state.size = 0
      state.wake = bytes.isEmpty && !state.isClosed ? wake : nil
      return bytes
    }
  }

  /// Ends the stream; later events are dropped.
  func close() {
    let wake = state.withLock { state in
      state.isClosed = true
      defer { state.wake = nil }
      return state.wake
    }
    wake?()
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }
}
