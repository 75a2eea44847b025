import Sync
import Testing

@Suite struct HybridClockTests {
  @Test func stampsHoldMillisecondsAboveACounterOf16Bits() {
    let stamp = Stamp(milliseconds: 1_700_000_000_123)
    #expect(stamp.rawValue == 1_700_000_000_123 << 16)
    #expect(stamp.milliseconds == 1_700_000_000_123)
    #expect(stamp.predecessor < stamp)
  }

  @Test func stampsAscendWhenTheMachinesClockGoesBack() {
    var clock = HybridClock()
    let first = clock.next(at: 1000)
    #expect(first == Stamp(milliseconds: 1000))
    #expect(clock.next(at: 400).rawValue == first.rawValue + 1)
    #expect(clock.next(at: 1001) == Stamp(milliseconds: 1001))
  }

  @Test func aStampIsGreaterThanAllThatWereSeen() {
    var clock = HybridClock()
    let seen = Stamp(milliseconds: 9_000)
    clock.observe(seen)
    #expect(clock.next(at: 1000) > seen)
  }

  @Test func theOffsetIsAddedBeforeAStampIsMade() {
    var clock = HybridClock(offset: -500)
    #expect(clock.next(at: 1000) == Stamp(milliseconds: 500))
  }

  @Test func theOffsetIsMeasuredInTheMiddleBetweenQuestionAndAnswer() {
    #expect(HybridClock.offset(server: Stamp(milliseconds: 5_000), asked: 1_000, answered: 1_200) == 3_900)
  }
}
