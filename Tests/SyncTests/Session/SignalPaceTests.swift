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
    var hasSignal = false
    /// When the pull began that is going on.
    var began: Double?
  }

  /// Returns the number of pulls of clients that all are notified of each push.
  ///
  /// - Parameters:
  ///   - interval: Number of milliseconds between two pushes.
  ///   - duration: Number of milliseconds that a pull takes.
  private static func pulls(clients count: Int, pushes: Int, interval: Int, duration: Int) -> Int {
    let random = Mutex(SeededGenerator(printing: 42))
    let choose: @Sendable (Double) -> Double = { limit in
      random.withLock { .random(in: 0...limit, using: &$0) }
    }
    var clients = (0..<count).map { _ in Client(pace: SignalPace(choose: choose)) }
    var pushed = 0
    // A second after the last push, all have answered it.
    for millisecond in 0..<pushes * interval + 1100 + 2 * duration {
      let now = Double(millisecond) / 1000
      let isPush = pushed < pushes && millisecond % interval == 0
      if isPush { pushed += 1 }
      for index in clients.indices {
        if isPush { clients[index].hasSignal = true }
        if let began = clients[index].began {
          if now < began + Double(duration) / 1000 { continue }
          clients[index].pace.notePull(began: began, now: now)
          clients[index].began = nil
        }
        if clients[index].hasSignal {
          clients[index].pace.noteSignal(now: now)
          clients[index].hasSignal = false
        }
        guard clients[index].pace.wait(now: now) == 0 else { continue }
        clients[index].seen = pushed
        clients[index].pulls += 1
        clients[index].began = now
      }
    }
    #expect(clients.allSatisfy { $0.seen == pushes })
    return clients.reduce(0) { $0 + $1.pulls }
  }

  /// A server that is so busy that each pull takes as long as a push comes after another would have 100,000 pulls in ten seconds.
  @Test func aStreamOfPushesMakesFewPulls() {
    #expect(Self.pulls(clients: 200, pushes: 500, interval: 20, duration: 20) < 10_000)
    #expect(Self.pulls(clients: 200, pushes: 100, interval: 100, duration: 100) < 10_000)
  }

  @Test func theDelayGrowsWithoutPausesAndShrinksWithThem() {
    var pace = SignalPace { $0 }
    var now = 0.0
    func delay(after pause: Double) -> Double {
      now += pause
      pace.noteSignal(now: now)
      let delay = pace.wait(now: now)
      now += delay + 0.1
      pace.notePull(began: now - 0.1, now: now)
      return (delay * 1000).rounded()
    }
    #expect([0.5, 0, 0, 0, 0].map { delay(after: $0) } == [0, 10, 20, 40, 80])
    #expect([0.1, 0.1, 0, 0.1, 0.1, 0.1, 0.1].map { delay(after: $0) } == [40, 20, 40, 20, 10, 5, 0])
    #expect([0, 0, 2, 0].map { delay(after: $0) } == [10, 20, 0, 10])
  }

  /// Two clients that answer each other see each other's changes at once.
  @Test func afterAPauseASignalIsAnsweredAtOnce() {
    #expect(Self.pulls(clients: 2, pushes: 1000, interval: 5, duration: 2) == 2000)
    #expect(Self.pulls(clients: 20, pushes: 20, interval: 300, duration: 100) == 400)
  }
}
