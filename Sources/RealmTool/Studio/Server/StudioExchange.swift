import CMicrohttpd
import LibC
import Synchronization

/// One request and its answer.
///
/// Invariants:
/// - `connection` is valid until `end`. `receive`, `end` and `StudioContent.read` run on the daemon's thread, one at a time;
///   only they touch the properties outside the lock.
/// - `isSuspended` is true exactly from the suspension of the connection to its resumption. The daemon does not end the request
///   meanwhile, so that a thread that finds it true under the lock can use the connection.
final class StudioExchange: @unchecked Sendable {
  private enum Phase {
    case head
    /// The body comes, to be held for a call or to be dropped.
    case body(StudioRouter.StudioCall)
    case dropping(StudioAnswer)
    case computing
    case answered
  }

  private struct State {
    var isSuspended = false
    /// Whether the answer is no longer needed: the client has left, or the server stops.
    var isAbandoned = false
    var answer: StudioAnswer?
    var task: Task<Void, Never>?
    var content: StudioContent?
    /// When the body has to be complete; nil when none is waited for.
    var bodyDeadline: Double?
  }

  private unowned let server: StudioServer
  private let target: String
  private let connection: OpaquePointer
  private let socket: Int32
  private var phase = Phase.head
  private var body: [UInt8] = []
  private var droppedSize = 0
  private let state = Mutex(State())

  init(_ server: StudioServer, _ target: String, _ connection: OpaquePointer) {
    self.server = server
    self.target = target
    self.connection = connection
    socket = studio_socket(connection)
  }

  static func from(_ context: UnsafeMutableRawPointer) -> StudioExchange {
    Unmanaged<StudioExchange>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: On the daemon's thread

  /// Is called when the head is complete, for each part of the body, at the end of the body, and after each resumption.
  ///
  /// - Returns: `no` to close the connection.
  func receive(
    _ connection: OpaquePointer, _ method: UnsafePointer<CChar>, _ data: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    switch phase {
    case .head: return receiveHead(String(cString: method))
    case .body(let call) where size.pointee > 0:
      if body.count + size.pointee > call.route.bodyLimit {
        body = []
        phase = .dropping(StudioAnswer(StudioFault.tooLarge(limit: call.route.bodyLimit)))
        return drop(size)
      }
      body += UnsafeRawBufferPointer(start: data, count: size.pointee)
      size.pointee = 0
      return .yes
    case .body(let call): return compute(call)
    case .dropping where size.pointee > 0: return drop(size)
    case .dropping(let answer): return queue(answer)
    case .computing:
      guard let answer = state.withLock({ $0.isAbandoned ? nil : $0.answer }) else { return .no }
      return queue(answer)
    case .answered: return .no
    }
  }

  private func drop(_ size: UnsafeMutablePointer<Int>) -> MHD_Result {
    droppedSize += size.pointee
    size.pointee = 0
    return droppedSize > server.limits.dropped ? .no : .yes
  }

  private func receiveHead(_ method: String) -> MHD_Result {
    server.noteHead(connection)
    let head = StudioHead(method: method, target: target, headers: RequestHeaders.all(of: connection))
    let size = head.declaredSize
    switch server.router.receive(head) {
    case .call(let call):
      phase = .body(call)
      body.reserveCapacity(min(size ?? 0, call.route.bodyLimit))
    case .answer(let answer):
      // Answered after the body, as a client that still sends might not read the answer; and so that the daemon keeps the
      // connection. A client that asks first need not send its body.
      if size ?? 0 > server.limits.dropped || !head.values("expect").isEmpty { return queue(answer) }
      phase = .dropping(answer)
    }
    if size != 0 { state.withLock { $0.bodyDeadline = Clock.seconds + server.limits.body } }
    return .yes
  }

  /// Suspends the connection and starts to compute the answer.
  private func compute(_ call: StudioRouter.StudioCall) -> MHD_Result {
    phase = .computing
    let (body, router) = (body, server.router)
    self.body = []
    let isSuspended = server.suspending {
      state.withLock { state in
        state.bodyDeadline = nil
        state.isSuspended = true
        MHD_suspend_connection(connection)
        state.task = Task(executorPreference: StudioExecutor.shared) {
          self.finish(await router.answer(call, body: body))
        }
      }
    }
    return isSuspended ? .yes : .no
  }

  /// Hands an answer to the daemon.
  private func queue(_ answer: StudioAnswer) -> MHD_Result {
    phase = .answered
    state.withLock { state in
      state.bodyDeadline = nil
      state.task = nil
      state.answer = nil
    }
    let response: OpaquePointer?
    switch answer.content {
    case .bytes(let bytes):
      response = bytes.withUnsafeBytes { buffer in
        // Is only read, and copied.
        MHD_create_response_from_buffer(
          buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .copied)
      }
    case .stream(let producer): response = open(StudioContent(self, .producer(producer)))
    case .events(let events): response = open(StudioContent(self, .events(events)))
    }
    guard let response else { return .no }
    defer { MHD_destroy_response(response) }
    for (name, value) in answer.headers where MHD_add_response_header(response, name, value) != .yes {
      return .no
    }
    return MHD_queue_response(connection, UInt32(answer.status), response)
  }

  private func open(_ content: StudioContent) -> OpaquePointer? {
    state.withLock { $0.content = content }
    return content.response()
  }

  /// The daemon has done with the request.
  func end() {
    let (task, content) = state.withLock { state in
      state.isAbandoned = true
      state.bodyDeadline = nil
      defer { (state.task, state.content) = (nil, nil) }
      return (state.task, state.content)
    }
    task?.cancel()
    content?.end()
  }

  // MARK: On any thread

  private func finish(_ answer: StudioAnswer) {
    state.withLock { state in
      guard state.isSuspended else { return }
      state.answer = answer
      resume(&state)
    }
  }

  private func resume(_ state: inout State) {
    state.isSuspended = false
    MHD_resume_connection(connection)
  }

  /// Suspends the connection until `wake` is called, from within `StudioContent.read`. Returns false when the server stops.
  func suspend() -> Bool {
    server.suspending {
      state.withLock { state in
        state.isSuspended = true
        MHD_suspend_connection(connection)
      }
    }
  }

  /// Lets the daemon go on, if it waits. Returns whether it did.
  @discardableResult
  func wake() -> Bool {
    state.withLock { state in
      guard state.isSuspended else { return false }
      resume(&state)
      return true
    }
  }

  /// Ends the request without an answer, if the daemon waits for one.
  func abandon() {
    let (task, content) = state.withLock { state -> (Task<Void, Never>?, StudioContent?) in
      guard state.isSuspended else { return (nil, nil) }
      state.isAbandoned = true
      resume(&state)
      return (state.task, state.content)
    }
    task?.cancel()
    content?.end()
  }

  /// Abandons the request of a client that has left, and sends the comments of a stream that are due.
  func check(_ now: Double) {
    let (hasLeft, content) = state.withLock { state -> (Bool, StudioContent?) in
      if let deadline = state.bodyDeadline, now > deadline { shutdown(socket, Int32(SHUT_RDWR)) }
      return (state.isSuspended && Self.hasLeft(socket), state.content)
    }
    if hasLeft { abandon() } else { content?.check(now, interval: server.limits.comment) }
  }

  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  private static func hasLeft(_ socket: Int32) -> Bool {
    var entry = pollfd(fd: socket, events: pollPeerClosed, revents: 0)
    return poll(&entry, 1, 0) > 0
  }
}

/// The headers of a request, copied from the daemon.
private enum RequestHeaders {
  private final class Collected {
    var headers: [(name: String, value: String)] = []
  }

  static func all(of connection: OpaquePointer) -> [(name: String, value: String)] {
    let collected = Collected()
    MHD_get_connection_values_n(
      connection, .header,
      { context, _, name, nameSize, value, valueSize in
        let collected = Unmanaged<Collected>.fromOpaque(context!).takeUnretainedValue()
        collected.headers.append(
          (RequestHeaders.text(name, nameSize), RequestHeaders.text(value, valueSize)))
        return .yes
      }, Unmanaged.passUnretained(collected).toOpaque())
    return collected.headers
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ size: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size), as: UTF8.self)
  }
}
