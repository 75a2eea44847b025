import Synchronization

/// The streams of events that are open, for what concerns all clients.
final class StudioClients: Sendable {
  /// Work of which all clients are notified.
  let jobs = StudioJobs()
  private let streams = Mutex<[(client: String, events: StudioEvents)]>([])

  /// Makes a stream for a client, which may have several.
  func add(_ client: String) -> StudioEvents {
    let events = StudioEvents()
    streams.withLock { streams in
      streams.removeAll { $0.events.isClosed }
      streams.append((client, events))
    }
    return events
  }

  /// Sends an event to all clients.
  func send(_ name: String, _ json: [UInt8]) {
    for (_, events) in streams.withLock({ $0 }) { events.send(name, json) }
  }

  /// The number of streams that are open.
  var count: Int { streams.withLock { streams in streams.count { !$0.events.isClosed } } }
}
