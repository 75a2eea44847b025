import Storage
import Sync
import TestSupport
import Testing

/// Objects that move into the subscriptions and the sight of a file, and out of them.
@Suite struct SubscribedClientTests {
  private let server: SubscribedServer
  private let outsider: PostgresConnection

  init() throws {
    server = try SubscribedServer()
    outsider = server.outsider
  }

  private func makeFile(
    _ subscriptions: [SampleSubscription]? = nil, of name: String? = nil
  ) throws -> SubscribedFile {
    try SubscribedFile(server.settings(of: name), subscriptions)
  }

  private func insert(_ rows: String) throws {
    try outsider.runScript("insert into app.\"Dog\" (id, color, owner) values \(rows)")
  }

  @Test func onlySubscribedObjectsComeAndTheyFollowTheirColour() throws {
    try insert("(1, 'red', 'a'), (2, 'blue', 'a')")
    let file = try makeFile([.color("red")])
    try file.synchronise()
    #expect(try file.keys() == [1])
    try outsider.runScript("update app.\"Dog\" set color = 'red' where id = 2")
    try file.synchronise()
    #expect(try file.keys() == [1, 2])
    try outsider.runScript("update app.\"Dog\" set color = 'blue' where id = 1")
    try file.synchronise()
    #expect(try file.keys() == [2])
    try outsider.runScript("delete from app.\"Dog\" where id = 2")
    try file.synchronise()
    #expect(try file.keys() == [])
  }

  @Test func anObjectThatMovesOutStaysUntilItsChangesAreSent() throws {
    try insert("(1, 'red', 'a')")
    let file = try makeFile([.color("red")])
    try file.synchronise()
    try file.put(1, name: "Rex")
    try outsider.runScript("update app.\"Dog\" set color = 'blue' where id = 1")
    try file.client.pull()
    #expect(try file.keys() == [1])
    try file.synchronise()
    #expect(try file.keys() == [])
    #expect(try outsider.runScript("select color || name from app.\"Dog\"")[0].text(0) == "blueRex")
  }

  /// Lets the server forget the departures, as during a long absence of the file: the next pull is whole.
  private func forget(_ file: SubscribedFile, readsEverything: Bool) throws {
    try outsider.runScript("delete from app.\"Dog$gone\"; select realm.rehistory()")
    file.client.disconnect()
    if readsEverything { file.client.requestFullPull() }
  }

  @Test(arguments: [false, true]) func whatAWholePullDoesNotFindLeavesOnceItsChangesAreSent(
    readsEverything: Bool
  ) throws {
    try insert("(1, 'red', 'a'), (2, 'red', 'a'), (3, 'red', 'a')")
    let file = try makeFile([.color("red")])
    try file.synchronise()
    for key in 1...3 { try file.put(Int64(key), name: "waits") }
    try file.put(4, color: "red", name: "new")
    try outsider.runScript(
      "update app.\"Dog\" set color = 'blue' where id = 1; delete from app.\"Dog\" where id = 2")
    try forget(file, readsEverything: readsEverything)
    try file.pull()
    #expect(try file.keys() == [1, 2, 3, 4])
    try file.restart()
    try file.synchronise()
    #expect(try file.keys() == [3, 4])
    let rows = try outsider.runScript(
      "select string_agg(id || color || name, ' ' order by id) from app.\"Dog\"")
    #expect(rows[0].text(0) == "1bluewaits 3redwaits 4rednew")
  }

  @Test(arguments: [false, true]) func anObjectThatComesBackBeforeItWasRemovedStays(
    readsEverything: Bool
  ) throws {
    try insert("(1, 'red', 'a'), (2, 'red', 'a')")
    let file = try makeFile([.color("red")])
    try file.synchronise()
    try file.put(1, name: "waits")
    try outsider.runScript("update app.\"Dog\" set color = 'blue' where id = 1")
    try file.pull()
    try outsider.runScript("update app.\"Dog\" set color = 'red' where id = 1")
    try file.push()
    try forget(file, readsEverything: readsEverything)
    try file.pull()
    #expect(try file.keys() == [1, 2])
    #expect(try file.dogs()[1]?[3] == .string("waits"))
  }

  @Test func anObjectOutsideOfAllSubscriptionsIsSentAndLeaves() throws {
    let file = try makeFile([.color("red")])
    try file.put(1, color: "red")
    try file.put(2, color: "blue")
    try file.synchronise()
    #expect(try file.keys() == [1])
    // Its own write moves it out.
    try file.put(1, color: "green")
    try file.synchronise()
    #expect(try file.keys() == [])
    #expect(try outsider.runScript("select count(*)::text from app.\"Dog\"")[0].text(0) == "2")
  }

  @Test(arguments: [[SampleSubscription.color("blue")], nil])
  func anObjectThatWasSentLeavesAlsoWhenItWasSubscribedForAWhile(meanwhile: [SampleSubscription]?) throws {
    let file = try makeFile([.color("red")])
    try file.synchronise()
    try file.put(2, color: "blue")
    try file.subscribe(meanwhile)
    try file.push()
    try file.subscribe([.color("red")])
    try file.pull()
    #expect(try file.keys() == [])
    try file.subscribe(meanwhile)
    try file.pull()
    #expect(try file.keys() == [2])
  }

  @Test func anObjectThatWasSentStaysWhenItIsSubscribedAndFoundEqual() throws {
    let file = try makeFile([.color("red")])
    try file.put(2, color: "blue")
    try file.push()
    try file.subscribe([.color("blue")])
    try file.pull()
    #expect(try file.keys() == [2])
  }

  @Test func anObjectThatWasSentLeavesAlsoWhenTheAnswerIsLost() throws {
    let file = try makeFile([.color("red")])
    try file.synchronise()
    try file.put(2, color: "blue")
    var losesAnswer = true
    file.client.connection = CuttingConnection(try PostgresConnection(server.settings), cut: nil) { sql in
      if sql.hasPrefix("notify"), losesAnswer {
        losesAnswer = false
        return "select 1/0"
      }
      return sql
    }
    #expect(throws: PostgresError.self) { try file.client.push() }
    #expect(!losesAnswer)
    try file.restart()
    try file.synchronise()
    #expect(try file.keys() == [])
    #expect(try outsider.runScript("select count(*)::text from app.\"Dog\"")[0].text(0) == "1")
  }

  @Test func changedSubscriptionsReadTheClassAnewAndRemovedOnesEvict() throws {
    try insert("(1, 'red', 'a'), (2, 'blue', 'a'), (9, 'blue', 'b')")
    let file = try makeFile([.color("red")])
    try file.synchronise()
    try file.put(1, name: "waits")
    try file.subscribe([.color("blue")])
    try file.client.pull()
    // What waits is sent before it leaves.
    #expect(try file.keys() == [1, 2, 9])
    try file.synchronise()
    #expect(try file.keys() == [2, 9])
    try file.subscribe([.firstKeys, .color("blue")])
    try file.synchronise()
    #expect(try file.keys() == [1, 2, 9])
    try file.subscribe([])
    try file.synchronise()
    #expect(try file.keys() == [])
    try file.subscribe(nil)
    try file.synchronise()
    #expect(try file.keys() == [1, 2, 9])
    #expect(try file.dogs()[1]?[3] == .string("waits"))
  }

  @Test func subscriptionsAreAppliedWithTheObjectsAndSurviveARestart() throws {
    try insert("(1, 'red', 'a'), (2, 'blue', 'a')")
    let file = try makeFile([.color("red")])
    #expect(try SubscriptionSelection.applied(in: Snapshot(file: file.file)) == nil)
    try file.synchronise()
    try file.restart()
    #expect(try SubscriptionSelection.applied(in: Snapshot(file: file.file))?.version == 1)
    try file.subscribe([.color("blue")])
    try file.restart()
    #expect(try SubscriptionSelection.applied(in: Snapshot(file: file.file))?.version == 1)
    try file.synchronise()
    #expect(try SubscriptionSelection.applied(in: Snapshot(file: file.file))?.version == 2)
    #expect(try file.keys() == [2])
  }

  @Test func refusedSubscriptionsLeaveTheObjectsOfTheFormerOnes() throws {
    try insert("(1, 'red', 'a'), (2, 'blue', 'a')")
    let byName = SampleSubscription(
      condition: .value(SubscribedValue("name"), .compare(.equal, .string("Rex")))
    ) { _ in false }
    let fresh = try makeFile([byName])
    try fresh.synchronise()
    #expect(try fresh.keys() == [])
    let file = try makeFile([.color("red")])
    try file.synchronise()
    try file.subscribe([byName])
    try outsider.runScript("update app.\"Dog\" set color = 'red' where id = 2")
    try file.synchronise()
    #expect(try file.keys() == [1, 2])
    let refused = try #require(file.client.facts.refusedSubscriptions)
    #expect(refused.version == 2 && refused.reason.contains("gets its routing properties when"))
    try file.subscribe([.color("blue")])
    try file.synchronise()
    #expect(try file.keys() == [] && file.client.facts.refusedSubscriptions == nil)
  }

  @Test func rowsThatARoleMayNotSeeNeverComeAndMovesOutOfSightLeave() throws {
    try insert("(1, 'red', 'a'), (2, 'red', 'b'), (3, 'red', 'c'), (4, 'blue', 'a')")
    let ada = try makeFile([.color("red")], of: "ada")
    let kim = try makeFile(of: "kim")
    try ada.synchronise()
    try kim.synchronise()
    #expect(try ada.keys() == [1, 2])
    #expect(try kim.keys() == [2, 3])
    try outsider.runScript(
      "update app.\"Dog\" set owner = 'c' where id = 1; delete from app.\"Dog\" where id = 3")
    try ada.synchronise()
    try kim.synchronise()
    #expect(try ada.keys() == [2])
    #expect(try kim.keys() == [1, 2])
  }

  @Test func deniedWritesAreReplacedByTheServersState() throws {
    try insert("(2, 'red', 'b')")
    let ada = try makeFile([.color("red")], of: "ada")
    try ada.synchronise()
    try ada.put(2, name: "changed")
    try ada.put(5, color: "red", owner: "b")
    try ada.synchronise()
    #expect(try ada.dogs() == [2: [.int(2), .string("red"), .string("b"), .string("")]])
    let denied = ada.rejected.filter { $0.reason == .denied }
    #expect(denied.map(\.key) == [.int(2)] && denied.first?.values["name"] == .string("changed"))
    let rejected = ada.rejected.filter { $0.reason != .denied }
    #expect(rejected.map(\.key) == [.int(5)])
  }
}
