import Storage
import Sync
import TestSupport
import Testing

/// Lists between two files, a real server, and SQL programs.
@Suite struct ListTests {
  private typealias Model = ListedModel

  /// A server, and two files with one person, whose notes are a, b, c.
  private func two() throws -> (server: ListedServer, first: ListedFile, second: ListedFile) {
    let server = try ListedServer()
    let (first, second) = (try ListedFile(server), try ListedFile(server))
    try first.edit { _ in first.create(notes: ["a", "b", "c"]) }
    try first.transfer()
    try second.transfer()
    return (server, first, second)
  }

  private func transfer(_ files: ListedFile...) throws {
    for _ in 0..<2 {
      for file in files { try file.transfer() }
    }
    for file in files { #expect(try !file.client.push()) }
  }

  @Test func valuesOfAllKindsArriveInTheirOrder() throws {
    let (server, first, second) = try two()
    #expect(try server.list("notes") == ["a", "b", "c"] && second.list(Model.notes) == ["a", "b", "c"])
    try first.edit { people in
      let row = first.row()
      people.insertElements(Model.numbers, row, at: 0, [.int(7), .null, .int(-1 << 60), .int(7)])
      people.insertElements(Model.dates, row, at: 0, [.date(0.123_456_7), .date(-5)])
      for name in ["Rex", "Ada", "Rex"] { people.appendElement(Model.dogs, row, first.link(name)) }
    }
    try transfer(first, second)
    #expect(try server.list("dogs") == ["Rex", "Ada", "Rex"])
    for file in [first, second] {
      #expect(try file.list(Model.numbers) == ["7", "-", "\(-1 << 60)", "7"])
      #expect(try file.list(Model.dogs) == ["Rex", "Ada", "Rex"])
      #expect(try file.list(Model.dates) == ["0.123457", "-5.0"])
    }
    #expect(
      try server.rows("select collection || ' ' || type from realm.property where name = 'notes'") == [
        "list text"
      ])
  }

  @Test func anAuditSeesWhatWentRoundTheTriggers() throws {
    let (server, first, _) = try two()
    #expect(try first.client.audit()?.differences == 0)
    try server.rows(
      "set session_replication_role = replica; delete from app.\"Person.notes\" where value = 'a'; "
        + "reset session_replication_role")
    #expect(try first.client.audit()?.differences == 1)
    #expect(try first.list(Model.notes) == ["b", "c"])
    try first.edit { $0.appendElement(Model.notes, first.row(), .string("waits")) }
    #expect(try first.client.audit()?.differences == 0)
    #expect(try first.list(Model.notes) == ["b", "c", "waits"])
  }

  @Test func editsOfTwoFilesMergeElementByElement() throws {
    let (server, first, second) = try two()
    try first.edit { people in
      people.insertElement(Model.notes, first.row(), at: 1, .string("x"))
      people.insertElement(Model.notes, first.row(), at: 2, .string("y"))
      people.moveElement(Model.notes, first.row(), from: 4, to: 0)
    }
    try second.edit { people in
      people.insertElement(Model.notes, second.row(), at: 1, .string("u"))
      people.insertElement(Model.notes, second.row(), at: 2, .string("v"))
      people.replaceElement(Model.notes, second.row(), at: 3, .string("b!"))
    }
    try transfer(first, second)
    let notes = try server.list("notes")
    #expect(try first.list(Model.notes) == notes && second.list(Model.notes) == notes)
    // Runs do not interleave, the moved element is there once, and the changed one has its new value.
    #expect([["c", "a", "x", "y", "u", "v", "b!"], ["c", "a", "u", "v", "x", "y", "b!"]].contains(notes))
  }

  @Test func aRemovalBeatsAConcurrentWrite() throws {
    let (server, first, second) = try two()
    try first.edit { $0.removeElements(Model.notes, first.row(), 1..<2) }
    try second.edit { $0.replaceElement(Model.notes, second.row(), at: 1, .string("later")) }
    try transfer(first, second)
    #expect(try server.list("notes") == ["a", "c"])
    #expect(try first.list(Model.notes) == ["a", "c"] && second.list(Model.notes) == ["a", "c"])
  }

  /// The file that has inserted the element keeps its insertion for a day, for a restored server. A move does not repeat it.
  @Test func aMoveDoesNotBringBackAnElementWhoseRemovalIsForgotten() throws {
    let (server, first, second) = try two()
    try second.edit { $0.removeElements(Model.notes, second.row(), 1..<2) }
    try second.transfer()
    try first.edit { $0.moveElement(Model.notes, first.row(), from: 1, to: 0) }
    try server.rows("select realm.collect('0 days')")
    try server.rows("delete from app.\"Person.notes$gone\"")
    for file in [first, second] { file.client.requestFullPull() }
    try transfer(first, second)
    #expect(try server.list("notes") == ["a", "c"])
    #expect(try first.list(Model.notes) == ["a", "c"] && second.list(Model.notes) == ["a", "c"])
  }

  /// An element whose removal the server has refused comes back. What is done to it afterwards does not remove it.
  @Test func anElementWhoseRemovalWasRefusedCanBeMovedAndWritten() throws {
    let (server, first, second) = try two()
    try server.rows("alter table app.\"Person.notes\" add check (value <> 'bad')")
    try first.edit { people in
      people.removeElements(Model.notes, first.row(), 0..<2)
      people.appendElement(Model.notes, first.row(), .string("bad"))
    }
    try first.transfer()
    #expect(try first.list(Model.notes) == ["a", "b", "c"])
    try first.edit { people in
      people.moveElement(Model.notes, first.row(), from: 0, to: 2)
      people.replaceElement(Model.notes, first.row(), at: 0, .string("B"))
    }
    try transfer(first, second)
    #expect(try server.list("notes") == ["B", "c", "a"])
    #expect(try first.list(Model.notes) == ["B", "c", "a"] && second.list(Model.notes) == ["B", "c", "a"])
  }

  @Test func aMoveSendsOneRegister() throws {
    let (server, first, _) = try two()
    let before = try server.rows("select _el || ' ' || _vs from app.\"Person.notes\" order by 1")
    try first.edit { people in
      // The whole list is assigned again.
      people.removeAllElements(Model.notes, first.row())
      people.insertElements(Model.notes, first.row(), at: 0, ["c", "a", "b"].map { .string($0) })
    }
    try first.transfer()
    #expect(try server.list("notes") == ["c", "a", "b"])
    #expect(try server.rows("select _el || ' ' || _vs from app.\"Person.notes\" order by 1") == before)
    #expect(try server.rows("select count(*) from app.\"Person.notes\" where _ks > _vs") == ["1"])
  }

  @Test func whatSQLProgramsDoArrives() throws {
    let (server, first, second) = try two()
    try server.rows("insert into app.\"Person.notes\" (owner, value) values (1, 'd'), (1, 'e')")
    try server.rows("delete from app.\"Person.notes\" where value = 'b'")
    try server.rows("update app.\"Person.notes\" set value = 'A' where value = 'a'")
    try transfer(first, second)
    for file in [first, second] { #expect(try file.list(Model.notes) == ["A", "c", "d", "e"]) }
    // Insertions between elements with equal keys give one of them another.
    try server.rows("update app.\"Person.notes\" set _key = '\\x808080' where value in ('d', 'e')")
    try transfer(first, second)
    let notes = try first.list(Model.notes)
    let place = try #require(notes.firstIndex(of: "d"))
    try first.edit { $0.insertElement(Model.notes, first.row(), at: place + 1, .string("between")) }
    try transfer(first, second)
    #expect(
      try second.list(Model.notes) == notes.prefix(place + 1) + ["between"] + notes.dropFirst(place + 1))
  }

  @Test func listsThatWereThereBeforeAreSent() throws {
    let server = try ListedServer()
    let first = try ListedFile(server) { snapshot in
      let row = snapshot.table(0).insertRow()
      snapshot.table(0).setInteger(0, row, 1)
      snapshot.table(0).insertElements(Model.notes, row, at: 0, [.string("old"), .string("older")])
    }
    try first.edit { $0.appendElement(Model.notes, first.row(), .string("new")) }
    try first.restart()
    try first.transfer()
    #expect(try server.list("notes") == ["old", "older", "new"])
    // Objects that are created again under their key have other lists.
    try first.edit { people in
      people.deleteRow(first.row())
      first.create(notes: ["fresh"])
    }
    let second = try ListedFile(server)
    try transfer(first, second)
    #expect(try server.list("notes") == ["fresh"] && second.list(Model.notes) == ["fresh"])
  }

  @Test func elementsWhoseTargetsAreMissingKeepTheirPlace() throws {
    let (server, first, second) = try two()
    try first.edit { people in
      for name in ["Rex", "Ada", "Bob"] { people.appendElement(Model.dogs, first.row(), first.link(name)) }
    }
    try transfer(first, second)
    // The target is deleted by one file, and the other one inserts where its element was.
    try first.edit { _ in first.writer.table(Model.dog).deleteRow(first.dog("Ada")!) }
    try second.edit { $0.insertElement(Model.dogs, second.row(), at: 2, second.link("Zoe")) }
    try transfer(first, second)
    #expect(try server.list("dogs") == ["Rex", "Ada", "Zoe", "Bob"])
    for file in [first, second] { #expect(try file.list(Model.dogs) == ["Rex", "Zoe", "Bob"]) }
    try second.restart()
    try second.edit { $0.moveElement(Model.dogs, second.row(), from: 2, to: 0) }
    try first.edit { _ in _ = first.link("Ada") }
    try transfer(first, second)
    for file in [first, second] { #expect(try file.list(Model.dogs) == ["Bob", "Rex", "Ada", "Zoe"]) }
    // Targets that arrive later than the elements.
    try server.rows("insert into app.\"Person.dogs\" (owner, value) values (1, 'Max')")
    try transfer(first, second)
    #expect(try first.list(Model.dogs) == ["Bob", "Rex", "Ada", "Zoe"])
    try server.rows("insert into app.\"Dog\" (name) values ('Max')")
    try transfer(first, second)
    for file in [first, second] { #expect(try file.list(Model.dogs) == ["Bob", "Rex", "Ada", "Zoe", "Max"]) }
    #expect(try server.list("dogs").count == 5)
  }

  @Test func elementsThatPostgreSQLCannotStoreAreRejected() throws {
    let (server, first, _) = try two()
    try first.edit { $0.appendElement(Model.notes, first.row(), .string("a\0b")) }
    try first.transfer()
    try first.transfer()
    #expect(try server.list("notes") == ["a", "b", "c"] && first.list(Model.notes) == ["a", "b", "c"])
    #expect(first.rejected.map(\.key) == [.int(1)])
    #expect(try !first.client.push())
  }

  /// What the program has removed while the element was changed elsewhere does not come back, and a resync changes nothing.
  @Test func readingEverythingAgainKeepsWhatWaits() throws {
    let (server, first, second) = try two()
    try first.edit { people in
      people.removeElements(Model.notes, first.row(), 0..<1)
      people.appendElement(Model.notes, first.row(), .string("waits"))
      people.replaceElement(Model.notes, first.row(), at: 0, .string("B"))
    }
    try server.rows("delete from app.\"Person.notes\" where value = 'c'")
    first.client.requestFullPull()
    try first.pull()
    #expect(try first.list(Model.notes) == ["B", "waits"])
    try transfer(first, second)
    #expect(try server.list("notes") == ["B", "waits"] && second.list(Model.notes) == ["B", "waits"])
    for file in [first, second] {
      file.client.requestFullPull()
      #expect(try !file.pull())
    }
  }

  /// The server has the former object until the deletion is sent. Its elements are not those of the new object with its key.
  @Test(arguments: [false, true]) func anObjectThatIsMadeAgainDoesNotGetTheElementsOfTheFormerOne(
    isAudit: Bool
  ) throws {
    let (server, first, second) = try two()
    try first.edit { people in
      first.delete(Model.person, .int(1))
      first.create(notes: ["new"])
    }
    try server.rows("update app.\"Person.notes\" set value = 'A' where value = 'a'")
    if isAudit {
      #expect(try first.client.audit()?.differences == 0)
    } else {
      try first.pull()
    }
    #expect(try first.list(Model.notes) == ["new"])
    try transfer(first, second)
    #expect(try server.list("notes") == ["new"])
    for file in [first, second] { #expect(try file.list(Model.notes) == ["new"]) }
  }
}
