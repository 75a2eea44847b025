import Storage
import Sync
import Testing

@Suite struct SyncClockTests {
  @Test func stampsHoldMillisecondsAboveACounterOf16Bits() {
    let stamp = Stamp(milliseconds: 1_700_000_000_123)
    #expect(stamp.rawValue == 1_700_000_000_123 << 16)
    #expect(stamp.milliseconds == 1_700_000_000_123)
    #expect(stamp.predecessor < stamp)
  }

  @Test func stampsAscendWhenTheMachinesClockGoesBack() {
    var clock = SyncClock()
    let first = clock.next(1000)
    #expect(first == 1000 << 16)
    #expect(clock.next(400) == first + 1)
    #expect(clock.next(1001) == 1001 << 16)
  }

  @Test func aStampIsGreaterThanAllThatWereSeen() {
    var clock = SyncClock()
    let seen = Stamp(milliseconds: 9_000)
    clock.observe(seen)
    #expect(Int64(clock.next(1000)) > seen.rawValue)
  }

  @Test func theOffsetIsAddedBeforeAStampIsMade() {
    var clock = SyncClock(offset: -500)
    #expect(clock.next(1000) == 500 << 16)
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
