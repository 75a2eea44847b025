import Storage
import Sync
import TestSupport
import Testing

/// Maps of embedded objects between files, a real server, and SQL programs.
@Suite struct DocumentMapTests {
  @Test func entriesAreAddedReplacedAndRemoved() throws {
    let story = try DocumentStory(.map)
    let rows = try story.files[1].rows()
    try story.files[0].change { tables, shelf in
      tables.put(["d"], on: shelf, in: .map)
      tables.shelves.setMapValue(DocumentModel.items, shelf, key: "c", tables.makeItem("C", 9))
      tables.shelves.removeElements(DocumentModel.items, shelf, 1..<2)
    }
    #expect(try story.exchangeEntries() == ["a: a 1 [x y] (p)", "c: C 9 []", "d: d 1 []"])
    #expect(try story.files[1].rows().prefix(2) == [rows[0], rows[2]])
    #expect(
      try story.rows("select key, value #>> '{v,name,v}' from app.\"Shelf.items\" order by key")
        == ["a a", "c C", "d d"])
    try story.files[1].change { $0.shelves.removeAllElements(DocumentModel.items, $1) }
    #expect(try story.exchange() == [])
    for file in story.files { #expect(file.writer.liveCount(table: DocumentModel.item) == 0) }
    try story.files[0].change { $0.put(["a"], on: $1, in: .map) }
    #expect(try story.exchangeEntries() == ["a: a 1 []"])
    try story.files[0].change { $0.shelves.deleteRow($1) }
    #expect(try story.exchange() == ["no shelf"])
    #expect(try story.rows("select count(*) from app.\"Shelf.items\"") == ["0"])
  }

  @Test func anEntryWithoutAnObjectIsNull() throws {
    let story = try DocumentStory(.map)
    let row = try story.files[1].rows()[0]
    // The object that is deleted leaves null, as it does in a local realm.
    try story.files[0].edit(1) { $0.items.deleteRow($1) }
    try story.files[0].change { $0.shelves.setMapValue(DocumentModel.items, $1, key: "c", .null) }
    #expect(try story.exchangeEntries() == ["a: a 1 [x y] (p)", "b: null", "c: null"])
    #expect(try story.rows("select key from app.\"Shelf.items\" where value is null") == ["b", "c"])
    try story.files[1].change { tables, shelf in
      tables.shelves.setMapValue(DocumentModel.items, shelf, key: "b", tables.makeItem("B", 5))
    }
    #expect(try story.exchangeEntries() == ["a: a 1 [x y] (p)", "b: B 5 []", "c: null"])
    #expect(try story.files[1].rows()[0] == row)
    for file in story.files {
      #expect(file.writer.liveCount(table: DocumentModel.item) == 2)
      #expect(try file.client.audit()?.differences == 0)
    }
  }

  @Test func ofAnEditAndARemovalTheLaterWins() throws {
    let story = try DocumentStory(.map)
    let (first, second) = (story.files[0], story.files[1])
    try first.edit(0) { $0.items.setString(DocumentModel.name, $1, "early") }
    try second.change { $0.shelves.removeElements(DocumentModel.items, $1, 0..<1) }
    try second.change { $0.shelves.removeElements(DocumentModel.items, $1, 1..<2) }
    try first.edit(2) { $0.items.setString(DocumentModel.name, $1, "late") }
    #expect(try story.exchangeEntries() == ["b: b 2 []", "c: late 3 []"])
  }

  @Test func editsOfSeveralEntriesAreMerged() throws {
    let story = try DocumentStory(.map)
    let rows = try story.files.map { try $0.rows() }
    try story.files[0].edit(0) { $0.items.setString(DocumentModel.name, $1, "A") }
    try story.files[1].edit(1) { $0.items.appendElement(DocumentModel.tags, $1, .string("z")) }
    try story.files[1].edit(2) { $0.items.setInteger(DocumentModel.count, $1, 8) }
    #expect(try story.exchange() == ["A 1 [x y] (p)", "b 2 [z]", "c 8 []"])
    #expect(try story.files.map { try $0.rows() } == rows)
  }

  @Test func entriesOfANewObjectAreSentWithTheirEdits() throws {
    let story = try DocumentStory(.map)
    let first = story.files[0]
    try first.change { $0.shelves.deleteRow($1) }
    try first.write { snapshot in
      DocumentTables(snapshot).put(["n", "o"], on: first.create(DocumentModel.shelf, .int(1)), in: .map)
    }
    try first.edit(1) { $0.items.setInteger(DocumentModel.count, $1, 6) }
    try first.restart()
    #expect(try story.exchangeEntries() == ["n: n 1 []", "o: o 6 []"])
  }

  @Test func editsAreKeptWhenTheProgramEndsBeforeTheyAreSent() throws {
    let story = try DocumentStory(.map)
    try story.files[0].edit(0) { $0.items.setString(DocumentModel.name, $1, "A") }
    try story.files[0].restart()
    try story.files[0].edit(0) { tables, row in
      tables.parts.setString(0, tables.items.link(DocumentModel.part, row)!, "q")
    }
    #expect(try story.exchange() == ["A 1 [x y] (q)", "b 2 []", "c 3 []"])
  }

  @Test func documentsOfSQLProgramsAreReadIfTheyFit() throws {
    let story = try DocumentStory(.map)
    func value(_ name: String) -> String { "{\"t\": \"dictionary\", \"v\": {\"name\": \(name)}}" }
    let text = "{\"t\": \"string\", \"v\": \"sql\"}"
    let rows = try story.files[0].rows()
    // Properties that are missing are zero, others that the class does not have are left out.
    try story.rows(
      """
      update app."Shelf.items" set value = '{"t": "dictionary", "v": {"name": \(text), "more": null}}'
        where key = 'b';
      insert into app."Shelf.items" (owner, key, value) values (1, 'd', '\(value(text))'), (1, 'e', null)
      """)
    #expect(
      try story.exchangeEntries() == [
        "a: a 1 [x y] (p)", "b: sql 0 []", "c: c 3 []", "d: sql 0 []", "e: null",
      ])
    #expect(try story.files[0].rows().prefix(3) == rows[...])
    // What does not fit stays unseen, or leaves what is there.
    try story.rows(
      """
      update app."Shelf.items" set value = '5' where key = 'c';
      insert into app."Shelf.items" (owner, key, value) values (1, 'f', '\(value("{\"t\": \"int\", \"v\": 1}"))');
      delete from app."Shelf.items" where key in ('d', 'e')
      """)
    #expect(try story.exchangeEntries() == ["a: a 1 [x y] (p)", "b: sql 0 []", "c: c 3 []"])
    for file in story.files {
      #expect(file.unreadable.map(\.property) == ["items", "items"])
      #expect(try file.client.audit()?.differences == 0)
    }
    // An edit of a realm replaces what could not be read.
    try story.files[0].edit(2) { $0.items.setInteger(DocumentModel.count, $1, 4) }
    try story.rows("update app.\"Shelf.items\" set value = '\(value(text))' where key = 'f'")
    #expect(
      try story.exchangeEntries() == ["a: a 1 [x y] (p)", "b: sql 0 []", "c: c 4 []", "f: sql 0 []"])
  }
}
