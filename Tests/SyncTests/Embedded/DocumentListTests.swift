import Storage
import Sync
import TestSupport
import Testing

/// Lists of embedded objects between files, a real server, and SQL programs.
@Suite struct DocumentListTests {
  @Test func aRemovalBeatsALaterEdit() throws {
    let story = try DocumentStory(.list)
    try story.files[0].change { $0.shelves.removeElements(DocumentModel.items, $1, 0..<1) }
    try story.files[1].edit(0) { $0.items.setString(DocumentModel.name, $1, "late") }
    #expect(try story.exchange() == ["b 2 []", "c 3 []"])
  }

  @Test func anObjectThatIsMovedStaysTheSame() throws {
    let story = try DocumentStory(.list)
    let rows = try story.files[1].rows()
    try story.files[0].change { $0.shelves.moveElement(DocumentModel.items, $1, from: 2, to: 0) }
    try story.files[1].edit(2) { $0.items.setInteger(DocumentModel.count, $1, 7) }
    #expect(try story.exchange() == ["c 7 []", "a 1 [x y] (p)", "b 2 []"])
    #expect(try story.files[1].rows() == [rows[2], rows[0], rows[1]])
    try story.files[0].change { place, shelf in
      place.shelves.moveElement(DocumentModel.items, shelf, from: 0, to: 2)
      place.shelves.insertElement(DocumentModel.items, shelf, at: 1, place.makeItem("n", 0))
      place.shelves.removeElements(DocumentModel.items, shelf, 0..<1)
    }
    #expect(try story.exchange() == ["n 0 []", "b 2 []", "c 7 []"])
    #expect(try story.files[1].rows().suffix(2) == [rows[1], rows[2]])
  }

  @Test func anObjectThatIsMovedAndEditedStaysTheSame() throws {
    let story = try DocumentStory(.list)
    let (first, second) = (story.files[0], story.files[1])
    let rows = try second.rows()
    let numbers = try story.rows("select _el from app.\"Shelf.items\" order by _key, _el")
    try first.change { $0.shelves.moveElement(DocumentModel.items, $1, from: 2, to: 0) }
    try first.edit(0) { $0.items.setInteger(DocumentModel.count, $1, 7) }
    #expect(try story.exchange() == ["c 7 []", "a 1 [x y] (p)", "b 2 []"])
    #expect(try second.rows() == [rows[2], rows[0], rows[1]])
    // The edit comes first, and the other file edits the same object before.
    try second.edit(1) { $0.items.setString(DocumentModel.name, $1, "early") }
    try first.edit(1) { $0.items.setString(DocumentModel.name, $1, "A") }
    try first.change { $0.shelves.moveElement(DocumentModel.items, $1, from: 1, to: 2) }
    #expect(try story.exchange() == ["c 7 []", "b 2 []", "A 1 [x y] (p)"])
    #expect(try second.rows() == [rows[2], rows[1], rows[0]])
    #expect(
      try story.rows("select _el from app.\"Shelf.items\" order by _key, _el")
        == [numbers[2], numbers[1], numbers[0]])
  }

  @Test func objectsThatChangePlacesAreMoved() throws {
    let story = try DocumentStory(.list)
    let (first, second) = (story.files[0], story.files[1])
    let rows = try second.rows()
    try first.change { $0.shelves.swapElements(DocumentModel.items, $1, 0, 2) }
    try first.edit(0) { $0.items.setString(DocumentModel.name, $1, "C") }
    // Of the objects that were only moved, this edit is the only one.
    try second.edit(0) { $0.items.setString(DocumentModel.name, $1, "A") }
    #expect(try story.exchange() == ["C 3 []", "b 2 []", "A 1 [x y] (p)"])
    #expect(try second.rows() == [rows[2], rows[1], rows[0]])
  }

  @Test func anObjectThatIsMovedAndEditedIsGoneWhenItWasRemovedMeanwhile() throws {
    let story = try DocumentStory(.list)
    try story.files[1].change { $0.shelves.removeElements(DocumentModel.items, $1, 2..<3) }
    try story.files[0].change { $0.shelves.moveElement(DocumentModel.items, $1, from: 2, to: 0) }
    try story.files[0].edit(0) { $0.items.setInteger(DocumentModel.count, $1, 7) }
    #expect(try story.exchange() == ["a 1 [x y] (p)", "b 2 []"])
  }

  @Test func anObjectInThePlaceOfAnotherIsAWriteOfTheElement() throws {
    let story = try DocumentStory(.list)
    let rows = try story.files[1].rows()
    try story.files[0].change {
      $0.shelves.replaceElement(DocumentModel.items, $1, at: 1, $0.makeItem("B", 8))
    }
    try story.files[0].change { $0.shelves.moveElement(DocumentModel.items, $1, from: 0, to: 2) }
    #expect(try story.exchange() == ["B 8 []", "c 3 []", "a 1 [x y] (p)"])
    #expect(try story.files[1].rows() == [rows[1], rows[2], rows[0]])
  }

  @Test func anObjectThatIsDeletedLeavesTheList() throws {
    let story = try DocumentStory(.list)
    try story.files[0].edit(1) { $0.items.deleteRow($1) }
    #expect(try story.exchange() == ["a 1 [x y] (p)", "c 3 []"])
    #expect(try story.rows("select count(*) from app.\"Shelf.items\"") == ["2"])
  }

  @Test func wholeListsAreReplacedAndDeletedWithTheirOwner() throws {
    let story = try DocumentStory(.list)
    try story.files[0].change { place, shelf in
      place.shelves.removeAllElements(DocumentModel.items, shelf)
      place.shelves.appendElement(DocumentModel.items, shelf, place.makeItem("d", 4))
    }
    try story.files[1].edit(0) { $0.items.setString(DocumentModel.name, $1, "late") }
    try story.files[1].change { $0.shelves.appendElement(DocumentModel.items, $1, $0.makeItem("e", 5)) }
    #expect(try Set(story.exchange()) == ["d 4 []", "e 5 []"])
    try story.files[1].change { $0.shelves.removeAllElements(DocumentModel.items, $1) }
    #expect(try story.exchange() == [])
    try story.files[0].change { $0.shelves.appendElement(DocumentModel.items, $1, $0.makeItem("f", 6)) }
    #expect(try story.exchange() == ["f 6 []"])
    try story.files[0].change { $0.shelves.deleteRow($1) }
    #expect(try story.exchange() == ["no shelf"])
    #expect(try story.rows("select count(*) from app.\"Shelf.items\"") == ["0"])
  }

  @Test func editsAreKeptWhenTheProgramEndsBeforeTheyAreSent() throws {
    let story = try DocumentStory(.list)
    try story.files[0].edit(0) { $0.items.setString(DocumentModel.name, $1, "A") }
    try story.files[0].restart()
    try story.files[0].change { $0.shelves.swapElements(DocumentModel.items, $1, 1, 2) }
    #expect(try story.exchange() == ["A 1 [x y] (p)", "c 3 []", "b 2 []"])
  }

  @Test func documentsOfSQLProgramsAreReadIfTheyFit() throws {
    let story = try DocumentStory(.list)
    func value(_ name: String) -> String { "{\"t\": \"dictionary\", \"v\": {\"name\": \(name)}}" }
    let text = "{\"t\": \"string\", \"v\": \"sql\"}"
    // Properties that are missing are zero, others that the class does not have are left out.
    try story.rows(
      """
      update app."Shelf.items" set value = '{"t": "dictionary", "v": {"name": \(text), "more": null}}'
        where value #>> '{v,name,v}' = 'b';
      insert into app."Shelf.items" (owner, value) values (1, '\(value(text))')
      """)
    #expect(try story.exchange() == ["a 1 [x y] (p)", "sql 0 []", "c 3 []", "sql 0 []"])
    // What does not fit keeps its place unseen, or leaves what is there.
    try story.rows(
      """
      update app."Shelf.items" set value = '5' where value #>> '{v,name,v}' = 'c';
      insert into app."Shelf.items" (owner, value) values (1, '\(value("{\"t\": \"int\", \"v\": 1}"))')
      """)
    #expect(try story.exchange() == ["a 1 [x y] (p)", "sql 0 []", "c 3 []", "sql 0 []"])
    let odd = try story.rows(
      "select _el from app.\"Shelf.items\" where value = '5' or value #>> '{v,name,v}' = '1' order by _el")
    for file in story.files {
      for _ in 0..<2 { #expect(try file.client.audit()?.differences == 0) }
      // Each element and value is told once.
      #expect(file.unreadable.map(\.property) == ["items", "items"])
      let texts = file.unreadable.map { "\($0)" }
      for element in odd {
        #expect(
          texts.contains { $0.contains("the element with _el = \(element) of 'Shelf.items'") }, "\(texts)")
      }
      #expect(texts.allSatisfy { $0.contains("{\"t\": \"dictionary\", \"v\": {") }, "\(texts)")
    }
    try story.files[0].change { $0.shelves.appendElement(DocumentModel.items, $1, $0.makeItem("d", 4)) }
    #expect(try story.exchange().last == "d 4 []")
    #expect(try story.rows("select count(*) from app.\"Shelf.items\" where value = '5'") == ["1"])
    #expect(try story.rows("select count(*) from app.\"Shelf.items\"") == ["6"])
    try story.rows(
      "update app.\"Shelf.items\" set value = '\(value(text))' where value #>> '{v,name,v}' = '1' or value = '5'"
    )
    #expect(try story.exchange().filter { $0 == "sql 0 []" }.count == 4)
  }
}
