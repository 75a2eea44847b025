import CMicrohttpd
import Dispatch
import LibC
import Synchronization

/// The HTTP server of `realm studio`: one thread that serves all connections of a listening socket.
///
/// Answers are computed on other threads; while one is computed, its connection is suspended. Invariants of the pointers:
/// - `daemon` is used by `stop` only, once; the daemon's callbacks get the server unretained and end before `stop` returns.
/// - A connection's address is a key of `connections` from the daemon's notification of its beginning to that of its end, both
///   on the daemon's thread; its socket stays open meanwhile.
/// - An exchange is retained for the daemon from `begin` to `end`, and is in `exchanges` as long.
final class StudioServer: @unchecked Sendable {
  struct Limits: Sendable {
    var connections: UInt32 = 32
    /// Time without any traffic after which a connection is closed, in seconds.
    var idle: UInt32 = 30
    /// Maximum time in which the head of a request has to be complete, counted from the end of the request before, in seconds.
    var head = 60.0
    /// Maximum time in which a body has to be complete, in seconds.
    var body = 120.0
    /// Interval of the comments that keep a stream of events alive, in seconds.
    var comment = 15.0
    /// Interval at which clients that have left are noticed, in seconds.
    var check = 0.5
    /// Maximum size of a request's line with its headers, in bytes.
    var headSize = 64 << 10
    /// Maximum size of a body that is read only to be dropped, in bytes.
    var dropped = 32 << 20
  }

  let router: StudioRouter
  let limits: Limits
  private var daemon: OpaquePointer?
  private let timer: any DispatchSourceTimer

  private struct State {
    var isStopping = false
    var exchanges: [ObjectIdentifier: StudioExchange] = [:]
    var connections: [UInt: Connection] = [:]
  }

  private struct Connection {
    let socket: Int32
    /// When the head of the next request could begin to come; nil while a request is served.
    var waitsSince: Double?
  }

  private let state = Mutex(State())

  /// Starts to serve.
  ///
  /// - Parameter listener: A listening socket, which the server closes.
  init(_ router: StudioRouter, listener: Int32, limits: Limits = Limits()) throws {
    self.router = router
    self.limits = limits
    timer = DispatchSource.makeTimerSource(queue: .global())
    let daemon = studio_start(
      listener, limits.connections, limits.idle, limits.headSize, Unmanaged.passUnretained(self).toOpaque(),
      { StudioServer.from($0).begin(String(cString: $1), $2) },
      { _, connection, _, method, _, data, size, context in
        StudioExchange.from(context!.pointee!).receive(connection!, method!, data, size!)
      },
      { server, connection, context, _ in StudioServer.from(server).end(connection!, context!) },
      { server, connection, _, event in
        StudioServer.from(server).notice(connection!, isNew: event == .started)
      })
    guard let daemon else {
      close(listener)
      throw ToolError("Failed to start the server: \(String(cString: strerror(errno)))")
    }
    self.daemon = daemon
    timer.schedule(deadline: .now() + limits.check, repeating: limits.check)
    timer.setEventHandler { [weak self] in self?.checkClients() }
    timer.activate()
  }

  /// Ends all answers and connections, and returns when nothing of the server runs any more.
  func stop() {
    timer.cancel()
    let exchanges = state.withLock { state in
      state.isStopping = true
      return Array(state.exchanges.values)
    }
    guard let daemon else { return }
    self.daemon = nil
    let listener = MHD_quiesce_daemon(daemon)
    for exchange in exchanges { exchange.abandon() }
    MHD_stop_daemon(daemon)
    if listener >= 0 { close(listener) }
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> StudioServer {
    Unmanaged<StudioServer>.fromOpaque(context!).takeUnretainedValue()
  }

  // MARK: On the daemon's thread

  private func notice(_ connection: OpaquePointer, isNew: Bool) {
    let entry = isNew ? Connection(socket: studio_socket(connection), waitsSince: Clock.seconds) : nil
    let key = UInt(bitPattern: connection)
    state.withLock { $0.connections[key] = entry }
  }

  private func begin(_ target: String, _ connection: OpaquePointer) -> UnsafeMutableRawPointer {
    let exchange = StudioExchange(self, target, connection)
    state.withLock { state in
      state.exchanges[ObjectIdentifier(exchange)] = exchange
    }
    return Unmanaged.passRetained(exchange).toOpaque()
  }

  private func end(_ connection: OpaquePointer, _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>) {
    guard let pointer = context.pointee else { return }
    context.pointee = nil
    let exchange = Unmanaged<StudioExchange>.fromOpaque(pointer).takeRetainedValue()
    exchange.end()
    let key = UInt(bitPattern: connection)
    state.withLock { state in
      state.exchanges[ObjectIdentifier(exchange)] = nil
      state.connections[key]?.waitsSince = Clock.seconds
    }
  }

  /// Notes that the head of a request is complete.
  func noteHead(_ connection: OpaquePointer) {
    let key = UInt(bitPattern: connection)
    state.withLock { $0.connections[key]?.waitsSince = nil }
  }

  /// Runs a body that suspends a connection, unless the server is being stopped. Returns whether it did.
  func suspending(_ body: () -> Void) -> Bool {
    state.withLock { state in
      if state.isStopping { return false }
      body()
      return true
    }
  }

  // MARK: On the timer's thread

  /// Ends what belongs to clients that have left or are too slow.
  private func checkClients() {
    let now = Clock.seconds
    let exchanges = state.withLock { state in
      for connection in state.connections.values {
        // The daemon notices that the socket ends, and closes it.
        if let since = connection.waitsSince, now - since > limits.head {
          shutdown(connection.socket, Int32(SHUT_RDWR))
        }
      }
      return Array(state.exchanges.values)
    }
    for exchange in exchanges { exchange.check(now) }
  }
}
