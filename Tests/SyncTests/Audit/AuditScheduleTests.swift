import Sync
import TestSupport
import Testing

@Suite struct AuditScheduleTests {
  @Test func theFirstAuditIsSoonAfterTheFirstPull() {
    var schedule = AuditSchedule(interval: 86_400)
    #expect(schedule.wait(atMost: 1000) == 1000)
    schedule.notePull(nil, now: 0)
    #expect(schedule.wait(atMost: 1000) <= 60)
  }

  @Test func theNextAuditIsAtARandomTimeOfADay() {
    var schedule = AuditSchedule(interval: 86_400)
    schedule.note(AuditFindings(time: 0, objects: 1, differences: 0))
    let wait = schedule.wait(atMost: .infinity)
    #expect(wait > 60_000 && wait < 110_000)
    // Pulls after it change nothing.
    schedule.notePull(nil, now: 0)
    #expect(schedule.wait(atMost: .infinity) > 60_000)
  }

  @Test func anAuditOfAnEarlierSessionCounts() {
    var schedule = AuditSchedule(interval: 86_400)
    schedule.notePull(AuditFindings(time: 0, objects: 1, differences: 0), now: 3_600_000)
    #expect(schedule.wait(atMost: .infinity) > 50_000)
  }

  @Test func anAuditThatFailsIsNotDueAtOnce() {
    var schedule = AuditSchedule(interval: 86_400)
    schedule.notePull(nil, now: 0)
    schedule.noteAttempt()
    #expect(!schedule.isDue(isBusy: false) && schedule.wait(atMost: 1000) > 59)
  }

  @Test func anAuditThatIsDueWaitsWhileTheSessionIsBusy() {
    var schedule = AuditSchedule(interval: 86_400, soon: 0)
    schedule.notePull(nil, now: 0)
    #expect(schedule.isDue(isBusy: false) && !schedule.isDue(isBusy: true))
    #expect(schedule.wait(atMost: 1000) == 1)
  }

  @Test func aBusySessionIsAuditedInTheEnd() throws {
    var schedule = AuditSchedule(interval: 0.001)
    schedule.notePull(nil, now: 0)
    try waitUntil { schedule.isDue(isBusy: true) }
  }

  @Test func differencesAreLookedAtAgainSoon() {
    var schedule = AuditSchedule(interval: 86_400)
    schedule.note(AuditFindings(time: 0, objects: 1, differences: 2))
    #expect(schedule.wait(atMost: .infinity) <= 60)
  }

  @Test func anInfiniteIntervalMeansNone() {
    var schedule = AuditSchedule(interval: .infinity)
    schedule.notePull(nil, now: 0)
    #expect(!schedule.isDue(isBusy: false) && schedule.wait(atMost: 7) == 7)
  }

  @Test func lagsAreThoseOfTheLastHundred() {
    var samples = LagSamples()
    #expect(samples.isEmpty)
    samples.add(1_000_000)
    for sample in 1...100 { samples.add(Int64(sample)) }
    #expect(samples.maximum == 100 && samples.median == 51)
  }

  @Test func aRecordIsReadAsItWasWritten() {
    var record = SessionRecord()
    #expect(SessionRecord(record.encoded) == record)
    record.policyEpoch = 3
    record.audit = AuditFindings(time: 1, objects: 2, differences: 3)
    record.lastPull = 5
    record.address = "host=x"
    #expect(SessionRecord(record.encoded) == record)
    #expect(SessionRecord([1, 2, 3]) == nil)
  }
}
