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
    #expect(SyncClock.offset(server: Stamp(milliseconds: 5_000), asked: 1_000, answered: 1_200) == 3_900)
  }
}
