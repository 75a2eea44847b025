import CMicrohttpd
import Dispatch
import LibC
import Synchronization

/// The content of an answer that is made while it is sent: a document that a producer makes part by part, or events.
///
/// Invariants: `read` is called on the daemon's thread, never twice at a time, between `response` and the release of the
/// response, which retains the content. While a producer runs, `isProducing` is true and no other call of it begins.
final class StudioContent: @unchecked Sendable {
  enum Source: Sendable {
    case producer(@Sendable () throws -> [UInt8]?)
    case events(StudioEvents)
  }

  private struct State {
    /// Nil once the answer is over: what a producer holds is released.
    var source: Source?
    /// What has been made and not sent.
    var bytes: ArraySlice<UInt8> = []
    var isProducing = false
    var isComplete = false
    var hasFailed = false
    /// Whether there may be something to read that came after the last look.
    var wasWoken = false
    var lastRead = Clock.seconds
  }

  private weak var exchange: StudioExchange?
  private let state: Mutex<State>

  init(_ exchange: StudioExchange, _ source: Source) {
    self.exchange = exchange
    var state = State(source: source)
    // The headers are sent with the first bytes.
    if case .events = source { state.bytes = Array(":\n\n".utf8)[...] }
    self.state = Mutex(state)
  }

  /// Makes the daemon's response, which retains the content until it is destroyed.
  func response() -> OpaquePointer? {
    MHD_create_response_from_callback(
      UInt64.max, 1 << 16,
      { context, _, buffer, size in
        Unmanaged<StudioContent>.fromOpaque(context!).takeUnretainedValue()
          .read(UnsafeMutableRawBufferPointer(start: buffer, count: size))
      }, Unmanaged.passRetained(self).toOpaque(),
      { Unmanaged<StudioContent>.fromOpaque($0!).release() })
  }

  private static let end = -1
  private static let failure = -2

  /// Copies what there is to send. Returns its size, 0 with the connection suspended when nothing is there yet.
  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let exchange, !exchange.isAbandoned else { return Self.failure }
    while true {
      let (size, source) = next(buffer)
      if let size { return size }
      switch source {
      case .producer(let producer):
        guard exchange.suspend() else { return Self.failure }
        // Only now, so that it cannot wake a connection that is not suspended yet.
        DispatchQueue.global().async { self.produce(producer) }
        return 0
      case .events(let events):
        let bytes = events.take { [weak self] in self?.wake() }
        let isOver = events.isClosed
        state.withLock { state in
          state.bytes += bytes
          state.isComplete = isOver && bytes.isEmpty
        }
        if !bytes.isEmpty || isOver { continue }
        guard exchange.suspend() else { return Self.failure }
        // Something may have come before the suspension.
        if state.withLock({ $0.wasWoken }) { exchange.wake() }
        return 0
      case nil: return Self.failure
      }
    }
  }

  /// Returns what `read` returns, or the source to ask for more.
  private func next(_ buffer: UnsafeMutableRawBufferPointer) -> (Int?, Source?) {
    state.withLock { state in
      state.wasWoken = false
      if !state.bytes.isEmpty {
        let part = state.bytes.prefix(buffer.count)
        buffer.copyBytes(from: part)
        state.bytes = state.bytes.dropFirst(part.count)
        state.lastRead = Clock.seconds
        return (part.count, nil)
      }
      if state.hasFailed { return (Self.failure, nil) }
      if state.isComplete { return (Self.end, nil) }
      return (nil, state.source)
    }
  }

  /// Makes the next part that is not empty.
  private func produce(_ producer: @Sendable () throws -> [UInt8]?) {
    let made = Result<[UInt8]?, any Error> {
      while let bytes = try producer() {
        if !bytes.isEmpty { return bytes }
        if exchange?.isAbandoned != false { return nil }
      }
      return nil
    }
    state.withLock { state in
      switch made {
      case .success(let bytes?): state.bytes = bytes[...]
      case .success(nil): state.isComplete = true
      case .failure: state.hasFailed = true
      }
    }
    exchange?.wake()
  }

  private func wake() {
    state.withLock { $0.wasWoken = true }
    exchange?.wake()
  }

  /// Sends a comment when events have been silent for long: the client learns that the stream is alive, and the server that
  /// the client is.
  func check(_ now: Double, interval: Double) {
    let isDue = state.withLock { state in
      guard case .events? = state.source, now - state.lastRead > interval else { return false }
      state.bytes += ":\n\n".utf8
      state.lastRead = now
      return true
    }
    if isDue { wake() }
  }

  /// Releases the source.
  func end() {
    let source = state.withLock { state in
      defer { state.source = nil }
      return state.source
    }
    if case .events(let events)? = source { events.close() }
  }
}
