import Synchronization

/// The streams of events that are open, for what concerns all clients.
///
/// A stream belongs to the answer that sends it, and is released with that: also when the client leaves before the answer
/// begins, so that no other than connected clients cost memory.
final class StudioClients: Sendable {
  /// Work of which all clients are notified.
  let jobs = StudioJobs()
  private let streams = Mutex<[Stream]>([])

  private struct Stream {
    weak let events: StudioEvents?

    var open: StudioEvents? { events.flatMap { $0.isClosed ? nil : $0 } }
  }

  /// Makes a stream for a client, which may have several.
  func add() -> StudioEvents {
    let events = StudioEvents()
    streams.withLock { streams in
      streams.removeAll { $0.open == nil }
      streams.append(Stream(events: events))
    }
    return events
  }

  /// Sends an event to all clients.
  func send(_ name: String, _ json: [UInt8]) {
    for events in open { events.send(name, json) }
  }

  private var open: [StudioEvents] { streams.withLock { streams in streams.compactMap(\.open) } }

  /// The number of streams that are open.
  var count: Int { open.count }
}
