import Dispatch
import Sync
import Synchronization
import TestSupport
import Testing

/// Pushes that wait for an SQL program which deletes what they write, and makes it again: nothing of that is a refusal.
@Suite struct RecreationTests {
  /// A stamp that is later than all of the server, although it is cut.
  private static let latest = 1 << 60

  private static func recreation(_ table: String, _ columns: String, _ values: String) -> String {
    "delete from app.\"\(table)\"; insert into app.\"\(table)\" (\(columns)) values (\(values))"
  }

  private static let dog = recreation("Dog", "id, name", "1, 'again'")
  private static let person = recreation("Person", "id, name", "1, 'again'")

  /// Returns the outcome of a push, while an SQL program holds what it writes: the program commits when the push waits for it.
  private func outcome(
    of push: (Kennel) throws -> [String], during script: String, _ kennel: Kennel
  ) throws -> [String] {
    let settings = kennel.settings
    let hasBegun = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)
    let isPushed = Atomic(false)
    let hasWaited = Atomic(false)
    DispatchQueue.global().async {
      defer {
        hasBegun.signal()
        hasEnded.signal()
      }
      do {
        let program = try PostgresConnection(settings)
        try program.runScript("begin; \(script)")
        hasBegun.signal()
        while !hasWaited.load(ordering: .relaxed) && !isPushed.load(ordering: .relaxed) {
          let waiting = try program.runScript(
            "select 1 from pg_locks where not granted and transactionid = pg_current_xact_id()::xid")
          hasWaited.store(!waiting.isEmpty, ordering: .relaxed)
        }
        try program.commit()
      } catch {
        Issue.record(error)
      }
    }
    hasBegun.wait()
    defer {
      isPushed.store(true, ordering: .relaxed)
      hasEnded.wait()
      let waited = hasWaited.load(ordering: .relaxed)
      #expect(waited)
    }
    return try push(kennel)
  }

  @Test func anEditOfAnObjectThatIsMadeAgainIsGone() throws {
    let kennel = try Kennel()
    try kennel.push(.created(1, at: 10, name: "a"))
    let outcome = try outcome(of: { try $0.push(.edited(1, name: ("b", 20))) }, during: Self.dog, kennel)
    #expect(outcome == ["1 gone"])
    #expect(try kennel.rows("select name from app.\"Dog\"") == ["again"])
  }

  @Test func aDeletionOfAnObjectThatIsMadeAgainIsLost() throws {
    let kennel = try Kennel()
    try kennel.push(.created(1, at: 10, name: "a"))
    let outcome = try outcome(of: { try $0.push(.deleted(1, at: Self.latest)) }, during: Self.dog, kennel)
    #expect(outcome == ["1 lost"])
    #expect(try kennel.rows("select name from app.\"Dog\"") == ["again"])
  }

  @Test(arguments: [
    ElementRow.tag("i", 1, "x", at: latest), .score("i", 1, "x", 1, at: latest),
    .note("i", 1, 1 << 41, key: 0x80, "x", position: latest, content: latest),
  ])
  func anElementOfAnOwnerThatIsMadeAgainIsGone(element: ElementRow) throws {
    let kennel = try Kennel([Kennel.person])
    try kennel.push(people: [.person(1, at: 10)])
    let outcome = try outcome(of: { try $0.push([element]) }, during: Self.person, kennel)
    #expect(outcome == ["1 gone"])
    #expect(try kennel.elements(element.collection, 1) == [])
  }

  @Test(arguments: [
    (ElementRow.tag("d", 1, "x", at: latest), recreation("Person.tags", "owner, value", "1, 'x'")),
    (.mood("d", 1, nil, at: latest), recreation("Person.moods", "owner, value", "1, null")),
    (.score("d", 1, "x", at: latest), recreation("Person.scores", "owner, key, value", "1, 'x', 2")),
  ])
  func theRemovalOfAnElementThatIsAddedAgainIsLost(removal: ElementRow, recreation: String) throws {
    let kennel = try Kennel([Kennel.person])
    try kennel.push(
      people: [.person(1, at: 10)],
      [.tag("i", 1, "x", at: 10), .mood("i", 1, nil, at: 10), .score("i", 1, "x", 1, at: 10)])
    let outcome = try outcome(of: { try $0.push([removal]) }, during: recreation, kennel)
    #expect(outcome == ["1 lost"])
    #expect(try kennel.elements(removal.collection, 1).count == 1)
  }
}
