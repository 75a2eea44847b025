import Foundation
import LibC

/// A proxy on a port of 127.0.0.1 in front of a server, which fails as networks do.
///
/// One thread forwards the bytes of all connections. `behaviour` may be changed at any time, by any thread.
public final class PostgresProxy: Sendable {
  /// What happens to the bytes.
  public enum Behaviour: Equatable, Sendable {
    /// All bytes are forwarded.
    case forward
    /// No byte is read or forwarded in either direction; connections stay open.
    case stall
    /// What the client sends is forwarded; what the server answers is dropped.
    case swallowAnswers
    /// Connections are closed, and new ones at once.
    case cut
    /// As `swallowAnswers`, from the first bytes on that hold this text in any case.
    case swallowAnswersAfter(String)
    /// The connection is closed when the client has sent this number of further bytes.
    case cutAfter(Int)
  }

  /// The port that it listens on.
  public let port: Int
  private let listener: Int32
  private let target: String
  private let state = Mutex(Behaviour.forward)
  private let isStopped = Mutex(false)

  /// Starts a proxy in front of a server's Unix socket.
  public init(_ server: PostgresServer) throws {
    (listener, port) = try LoopbackPort.listen()
    target = "\(server.folder)/.s.PGSQL.\(server.port)"
    let (listener, target) = (listener, target)
    Thread.detachNewThread { [weak self] in
      let forwarder = Forwarder(listener: listener, target: target) {
        self?.next() ?? .cut
      } change: {
        self?.replace($0, by: $1)
      }
      while self?.isStopped.withLock({ $0 }) == false { forwarder.step() }
      forwarder.closeAll()
    }
  }

  /// The behaviour, as soon as it is not to stall.
  private func next() -> Behaviour {
    while behaviour == .stall {
      if isStopped.withLock({ $0 }) { return .cut }
      usleep(1000)
    }
    return behaviour
  }

  /// Changes the behaviour unless a test has changed it meanwhile.
  private func replace(_ old: Behaviour, by new: Behaviour) {
    state.withLock { if $0 == old { $0 = new } }
  }

  /// What happens to the bytes that are sent from now on, by either side.
  public var behaviour: Behaviour {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// Closes all connections and stops listening.
  public func stop() { isStopped.withLock { $0 = true } }

  /// Returns the connection string of a role and a database through the proxy.
  public func connectionString(role: String = "postgres", database: String = "postgres") -> String {
    "host=127.0.0.1 port=\(port) user='\(role)' dbname='\(database)'"
  }
}
