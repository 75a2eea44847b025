import Storage
import Sync
import Testing

@Suite struct SessionStateTests {
  private var filled: SessionState {
    var state = SessionState()
    state.client = 7
    state.acknowledged = 12
    state.scanned = 15
    state.cursor = "100:105:101,103"
    state.history = "history"
    state.baseline = 3
    state.baselineStamp = Stamp(milliseconds: 5)
    state.baselineRows = ["Dog": 4, "Caf\u{65}\u{301}": 1]
    state.again = [
      .init("Dog", .int(-3)), .init("Dog", .string("it's")),
      .init("Dog", .objectId(.init(high: .max, low: 7))),
      .init("Dog", .uuid(.init(high: 1, low: .max))),
    ]
    state.evictions = [.init("Person", .int(.min))]
    state.needsFullPull = false
    state.shift = -86_400_000
    state.shiftedBefore = 9
    state.marks = [.init(time: 1, version: 2)]
    state.synced = ["Dog": ["age", "id"], "Toy": []]
    state.lateClasses = [
      .init(name: "Toy", version: 20, stamp: Stamp(milliseconds: 6), rowLimit: 3, since: 11),
      .init(name: "Ball", version: 21, stamp: .never, rowLimit: 0),
    ]
    state.leftClasses = ["Bone": 13]
    state.token = "token"
    state.place = "8:15"
    state.nonce = "nonce"
    state.copiedAt = 8
    state.copiedShift = 17
    state.copiedClasses = ["Bone"]
    return state
  }

  @Test func whatIsStoredIsRead() {
    #expect(SessionState(filled.encoded) == filled)
    #expect(SessionState(SessionState().encoded) == SessionState())
  }

  @Test func bytesThatEndTooSoonAreRefused() {
    let bytes = filled.encoded
    for count in 0..<bytes.count { #expect(SessionState(Array(bytes.prefix(count))) == nil) }
    #expect(SessionState(bytes + [0]) == nil)
  }

  @Test func theLogIsKeptForADayAfterItsAcknowledgement() {
    let hour: Int64 = 3_600_000
    var state = SessionState()
    for number in 1...100 { state.acknowledge(UInt64(number), at: Int64(number) * hour) }
    #expect(state.acknowledged == 100)
    #expect(state.logBound == 76)
    #expect(state.marks.count < 30)
  }

  @Test func whatARestoredServerLacksIsPendingAgain() {
    var state = SessionState()
    state.acknowledge(10, at: 0)
    state.acknowledge(20, at: 5_000_000)
    state.noteNothingPending(at: 25, time: 9_000_000)
    #expect(state.startOfPending == 25)
    state.regress(to: 10)
    #expect(state.startOfPending == 10)
    #expect(state.logBound <= 10)
  }

  @Test func aClockThatWasAheadDoesNotKeepTheLog() {
    let day: Int64 = 86_400_000
    var state = SessionState()
    state.acknowledge(10, at: 1000 * day)
    for number in 0..<40 { state.acknowledge(UInt64(11 + number), at: Int64(number) * day / 8) }
    #expect(state.logBound >= 40)
    #expect(state.marks.count < 30)
  }

  @Test func aClassThatCameLaterIsPendingAgainAfterARestore() {
    var state = SessionState()
    state.acknowledge(10, at: 0)
    state.lateClasses = [.init(name: "Toy", version: 20, stamp: .never, rowLimit: 3)]
    state.acknowledge(30, at: 1000)
    #expect(state.startOfPending == 30)
    state.regress(to: 15)
    #expect(state.lateClasses.map(\.name) == ["Toy"] && state.startOfPending < 20)
    // A day later no server is restored to the time before it came.
    for hour in 1..<60 { state.acknowledge(UInt64(30 + hour), at: Int64(hour) * 3_600_000) }
    #expect(state.lateClasses.isEmpty)
  }

  @Test func theLogIsKeptUntilWhatAClassWasLackingIsSent() {
    var state = SessionState()
    state.acknowledge(30, at: 0)
    state.marks = []
    state.lateClasses = [.init(name: "Toy", version: 40, stamp: .never, rowLimit: 3, since: 12)]
    #expect(state.logBound == 12)
    state.acknowledge(40, at: 1000)
    #expect(state.logBound == 40)
  }

  @Test func theLogIsKeptForAServerThatLosesWhatAClassWasLacking() {
    var state = SessionState()
    state.acknowledge(30, at: 0)
    state.lateClasses = [.init(name: "Toy", version: 40, stamp: .never, rowLimit: 3, since: 12)]
    state.acknowledge(40, at: 7_200_000)
    #expect(state.logBound == 12 && state.startOfPending == 40)
    state.regress(to: 30)
    #expect(state.logBound == 12 && state.lateClasses.map(\.since) == [12])
    state.acknowledge(40, at: 7_200_000)
    state.acknowledge(50, at: 7_200_000 + 86_400_000)
    #expect(state.logBound == 40 && state.lateClasses.isEmpty)
  }

  @Test(arguments: [
    (Value.int(-5), ServerType.bigint), (.string("it's \\ \u{301}"), .text),
    (.objectId(.init(high: 0x0102_0304_0506_0708, low: 0xFFFE_FDFC)), .objectId),
    (.uuid(.init(high: 0x0102_0304_0506_0708, low: 0xFFFE_FDFC_0000_0001)), .uuid),
  ]) func keysSurviveTheirTexts(key: Value, type: ServerType) {
    #expect(KeyText.key(KeyText.text(of: key), type) == key)
  }

  @Test func textsThatAreNoKeysAreRefused() {
    #expect(KeyText.key("x", .bigint) == nil)
    #expect(KeyText.key("01", .objectId) == nil)
    #expect(KeyText.key("zz", .uuid) == nil)
    #expect(KeyText.key("1", .double) == nil)
  }

  @Test func outcomesAreReadFromTheirTexts() {
    #expect(Outcome.Reason("lost") == .lost)
    #expect(Outcome.Reason("gone") == .gone)
    #expect(Outcome.Reason("denied") == .denied)
    #expect(
      Outcome.Reason("rejected 23514 violates check \"a b\"")
        == .rejected(sqlState: "23514", message: "violates check \"a b\""))
  }
}
