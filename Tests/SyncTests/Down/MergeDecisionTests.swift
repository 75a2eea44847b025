import Sync
import Testing

@Suite struct MergeDecisionTests {
  private let early = Stamp(rawValue: 10)
  private let late = Stamp(rawValue: 20)

  @Test func theLaterWriteOfAValueWins() {
    #expect(ValueDecision(pending: late, server: early, isEqual: false, isWritten: true) == .keep)
    #expect(ValueDecision(pending: early, server: late, isEqual: false, isWritten: true) == .take)
    #expect(ValueDecision(pending: nil, server: early, isEqual: false, isWritten: false) == .take)
  }

  @Test func equalStampsAreTheServers() {
    #expect(ValueDecision(pending: early, server: early, isEqual: false, isWritten: true) == .take)
  }

  @Test func equalValuesAreWrittenOnlyToCancelAPendingWrite() {
    #expect(ValueDecision(pending: early, server: late, isEqual: true, isWritten: true) == .take)
    #expect(ValueDecision(pending: early, server: late, isEqual: true, isWritten: false) == .unchanged)
    #expect(ValueDecision(pending: nil, server: late, isEqual: true, isWritten: false) == .unchanged)
    #expect(ValueDecision(pending: late, server: early, isEqual: true, isWritten: true) == .keep)
  }

  @Test func aPendingDeletionHidesObjectsThatAreNotYounger() {
    #expect(ObjectDecision(isHere: false, deletion: late, creation: early) == .skip)
    #expect(ObjectDecision(isHere: true, deletion: late, creation: late) == .skip)
    #expect(ObjectDecision(isHere: false, deletion: early, creation: late) == .insert)
    #expect(ObjectDecision(isHere: false, deletion: nil, creation: early) == .insert)
    #expect(ObjectDecision(isHere: true, deletion: nil, creation: early) == .merge)
  }

  @Test func aDeletionBeatsEverythingButALaterCreation() {
    #expect(DepartureDecision(died: late, creation: nil) == .delete)
    #expect(DepartureDecision(died: late, creation: early) == .delete)
    #expect(DepartureDecision(died: early, creation: late) == .keep)
    #expect(DepartureDecision(died: nil, creation: late) == .evict)
  }
}
