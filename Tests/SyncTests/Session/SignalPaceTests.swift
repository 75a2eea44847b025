import Sync
import Synchronization
import TestSupport
import Testing

/// When sessions answer signals, on a clock of the test.
@Suite struct SignalPaceTests {
  /// A client that is notified of each push.
  private struct Client {
    var pace: SignalPace
    /// Number of pushes that its newest state has.
    var seen = 0
    var pulls = 0
  }

  /// Returns the number of pulls of clients that all are notified of each push.
  ///
  /// - Parameter interval: Number of milliseconds between two pushes.
  private static func pulls(clients count: Int, pushes: Int, interval: Int) -> Int {
    let random = Mutex(SeededGenerator(printing: 42))
    let choose: @Sendable (Double) -> Double = { limit in
      random.withLock { .random(in: 0...limit, using: &$0) }
    }
    var clients = (0..<count).map { _ in Client(pace: SignalPace(choose: choose)) }
    var pushed = 0
    // A second after the last push, all have answered it.
    for millisecond in 0..<pushes * interval + 1100 {
      let now = Double(millisecond) / 1000
      let isPush = pushed < pushes && millisecond % interval == 0
      if isPush { pushed += 1 }
      for index in clients.indices {
        if isPush { clients[index].pace.noteSignal(now: now) }
        guard clients[index].pace.wait(now: now) == 0 else { continue }
        clients[index].seen = pushed
        clients[index].pulls += 1
        clients[index].pace.notePull(now: now)
      }
    }
    #expect(clients.allSatisfy { $0.seen == pushes })
    return clients.reduce(0) { $0 + $1.pulls }
  }

  /// Answered at once, 50 pushes a second would make 100,000 pulls in ten seconds.
  @Test func aStreamOfPushesMakesFewPulls() {
    #expect(Self.pulls(clients: 200, pushes: 500, interval: 20) < 10_000)
    #expect(Self.pulls(clients: 200, pushes: 100, interval: 100) < 10_000)
  }

  @Test func afterAPauseASignalIsAnsweredAtOnce() {
    #expect(Self.pulls(clients: 20, pushes: 20, interval: 300) == 400)
    var pace = SignalPace()
    for number in 0..<100 {
      pace.noteSignal(now: Double(number))
      #expect(pace.wait(now: Double(number)) == 0)
      pace.notePull(now: Double(number))
    }
  }
}
