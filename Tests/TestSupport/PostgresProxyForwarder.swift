import LibC

/// Forwards the bytes of a proxy's connections. Belongs to one thread.
///
/// The behaviour is asked for after bytes have been read: what is sent after a test has changed it is treated accordingly.
final class Forwarder {
  private struct Pair {
    let client: Int32
    let server: Int32
  }

  private let listener: Int32
  private let target: String
  private var pairs: [Pair] = []
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  private let current: () -> PostgresProxy.Behaviour
  private let change: (PostgresProxy.Behaviour, PostgresProxy.Behaviour) -> Void

  /// - Parameters:
  ///   - current: Returns the behaviour; waits while it is to stall.
  ///   - change: Replaces a behaviour by the one that it leads to.
  init(
    listener: Int32, target: String, current: @escaping () -> PostgresProxy.Behaviour,
    change: @escaping (PostgresProxy.Behaviour, PostgresProxy.Behaviour) -> Void
  ) {
    (self.listener, self.target, self.current, self.change) = (listener, target, current, change)
  }

  /// Closes all connections and the listening socket.
  func closeAll() {
    closePairs()
    close(listener)
  }

  private func closePairs() {
    for pair in pairs {
      close(pair.client)
      close(pair.server)
    }
    pairs = []
  }

  /// Waits for bytes for at most 10 ms and forwards them.
  func step() {
    if current() == .cut { closePairs() }
    var polled = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
    for pair in pairs {
      polled.append(pollfd(fd: pair.client, events: Int16(POLLIN), revents: 0))
      polled.append(pollfd(fd: pair.server, events: Int16(POLLIN), revents: 0))
    }
    guard poll(&polled, nfds_t(polled.count), 10) > 0 else { return }
    for (index, pair) in pairs.enumerated() {
      // A pair whose request has failed is closed: its descriptors may be another's.
      let isOpen = polled[2 * index + 1].revents == 0 || forwardRequest(of: pair)
      if isOpen && polled[2 * index + 2].revents != 0 { forwardAnswer(of: pair) }
    }
    if polled[0].revents != 0 { accept() }
  }

  private func accept() {
    let client = LibC.accept(listener, nil, nil)
    guard client >= 0 else { return }
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: target.utf8) }
    let failure = withUnsafePointer(to: address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard failure == 0, current() != .cut else {
      close(client)
      close(server)
      return
    }
    pairs.append(Pair(client: client, server: server))
  }

  /// Forwards what the client has sent. Returns whether the connection is open.
  private func forwardRequest(of pair: Pair) -> Bool {
    var count = read(pair.client, &buffer, buffer.count)
    let behaviour = current()
    guard count > 0, behaviour != .cut else {
      end(pair)
      return false
    }
    switch behaviour {
    case .cutAfter(let limit):
      change(behaviour, count >= limit ? .cut : .cutAfter(limit - count))
      count = min(count, limit)
    case .swallowAnswersAfter(let text):
      let sent = String(decoding: buffer[..<count], as: UTF8.self).lowercased()
      if sent.contains(text.lowercased()) { change(behaviour, .swallowAnswers) }
    case .forward, .stall, .swallowAnswers, .cut: break
    }
    send(count, to: pair.server)
    return true
  }

  private func forwardAnswer(of pair: Pair) {
    let count = read(pair.server, &buffer, buffer.count)
    let behaviour = current()
    if behaviour == .swallowAnswers {
      // The end of a connection is an answer, too. It is reported at each step, hence the pause.
      if count <= 0 { usleep(1000) }
      return
    }
    guard count > 0, behaviour != .cut else { return end(pair) }
    send(count, to: pair.client)
  }

  private func end(_ pair: Pair) {
    close(pair.client)
    close(pair.server)
    pairs.removeAll { $0.client == pair.client }
  }

  private func send(_ count: Int, to descriptor: Int32) {
    var start = 0
    while start < count {
      let written = buffer.withUnsafeBytes {
        LibC.send(descriptor, $0.baseAddress! + start, count - start, Int32(MSG_NOSIGNAL))
      }
      guard written > 0 else { return }
      start += written
    }
  }
}
