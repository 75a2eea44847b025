import Storage
import Sync
import Testing

@Suite struct SyncClockTests {
  @Test func stampsHoldMillisecondsAboveANumberOf16Bits() {
    let stamp = Stamp(milliseconds: 1_700_000_000_123)
    #expect(stamp.rawValue == 1_700_000_000_123 << 16)
    #expect(stamp.milliseconds == 1_700_000_000_123)
    #expect(stamp.predecessor < stamp)
  }

  @Test func stampsAscendWhenTheMachinesClockGoesBack() {
    var clock = SyncClock()
    let first = clock.next(1000)
    #expect(first >> 16 == 1000)
    #expect(clock.next(400) > first)
    #expect(clock.next(400) >> 16 == 1000)
    #expect(clock.next(1001) >> 16 == 1001)
  }

  @Test func aStampIsGreaterThanAllThatWereSeen() {
    var clock = SyncClock()
    let seen = Stamp(milliseconds: 9_000)
    clock.observe(seen)
    #expect(Int64(clock.next(1000)) > seen.rawValue)
  }

  @Test func theOffsetIsAddedBeforeAStampIsMade() {
    var clock = SyncClock(offset: -500)
    #expect(clock.next(1000) >> 16 == 500)
  }

  /// Copies of a file begin with the same clock, which may be ahead of the time.
  @Test(arguments: [1000, 2000] as [Int64]) func twoFilesRarelyGetTheSameStamp(time: Int64) {
    let clock = SyncClock(greatest: 1500 << 16)
    var equal = 0
    for _ in 0..<1000 {
      var (first, second) = (clock, clock)
      if first.next(time) == second.next(time) { equal += 1 }
    }
    // One in 4096.
    #expect(equal < 10)
  }

  @Test func theOffsetIsMeasuredInTheMiddleBetweenQuestionAndAnswer() {
    let server = Stamp(milliseconds: 5_000)
    #expect(SyncClock().offset(server: server, asked: 1_000, answered: 1_200) == 3_900)
  }

  @Test func aKnownOffsetStaysUnlessTheAnswerContradictsIt() {
    let server = Stamp(milliseconds: 5_000)
    // The answer was under way for two seconds: the server's clock may be what it was, or not.
    for known: Int64 in [-1_000, -400, 0, 1_000] {
      #expect(SyncClock(offset: known).offset(server: server, asked: 4_000, answered: 6_000) == known)
    }
    #expect(SyncClock(offset: 1_051).offset(server: server, asked: 4_000, answered: 6_000) == 0)
    #expect(SyncClock(offset: -1_051).offset(server: server, asked: 4_000, answered: 6_000) == 0)
    // Less than a clock may be wrong.
    #expect(SyncClock(offset: 40).offset(server: server, asked: 5_000, answered: 5_000) == 40)
    // The machine's clock was set back between question and answer.
    #expect(SyncClock(offset: 500).offset(server: server, asked: 5_000, answered: 4_000) == 500)
  }
}
