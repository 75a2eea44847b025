import Storage
import Sync
import TestSupport
import Testing

/// Lists of embedded objects between files, a real server, and SQL programs.
@Suite struct DocumentListTests {
  @Test func objectsArriveWithAllThatTheyHold() throws {
    let story = try DocumentStory()
    #expect(try story.exchange() == ["a 1 [x y] (p)", "b 2 []", "c 3 []"])
    let found = try story.rows(
      """
      select value #>> '{v,name,v}', value #>> '{v,tags,v,1,v}', value #>> '{v,part,v,name,v}'
        from app."Shelf.items" order by _key, _el
      """)
    #expect(found == ["a y p", "b - -", "c - -"])
    for file in story.files { #expect(try file.client.audit()?.differences == 0) }
  }

  @Test func whatIsChangedAnywhereInAnObjectArrivesInPlace() throws {
    let story = try DocumentStory()
    let (first, second) = (story.files[0], story.files[1])
    let rows = try second.rows()
    try first.edit(0) { $0.items.setString(DocumentModel.name, $1, "A") }
    #expect(try story.exchange() == ["A 1 [x y] (p)", "b 2 []", "c 3 []"])
    try first.edit(0) { $0.items.removeElements(DocumentModel.tags, $1, 0..<1) }
    #expect(try story.exchange()[0] == "A 1 [y] (p)")
    try first.edit(0) { place, row in
      place.parts.setString(0, place.items.link(DocumentModel.part, row)!, "q")
    }
    #expect(try story.exchange()[0] == "A 1 [y] (q)")
    try first.edit(0) { $0.items.setLink(DocumentModel.part, $1, nil) }
    #expect(try story.exchange()[0] == "A 1 [y]")
    try first.edit(1) { place, row in
      let part = place.parts.insertRow()
      place.parts.setString(0, part, "new")
      place.items.setLink(DocumentModel.part, row, part)
    }
    #expect(try story.exchange()[1] == "b 2 [] (new)")
    #expect(try second.rows() == rows)
  }

  @Test func ofTwoEditsOfAnElementTheLaterWinsAsAWhole() throws {
    let story = try DocumentStory()
    let (first, second) = (story.files[0], story.files[1])
    try first.edit(0) { $0.items.setString(DocumentModel.name, $1, "A") }
    try first.edit(1) { $0.items.setString(DocumentModel.name, $1, "B") }
    try second.edit(0) { $0.items.setInteger(DocumentModel.count, $1, 9) }
    // Later, of another element: it makes the edits before no later.
    try first.edit(2) { $0.items.setString(DocumentModel.name, $1, "C") }
    #expect(try story.exchange() == ["a 9 [x y] (p)", "B 2 []", "C 3 []"])
  }

  @Test func aRemovalBeatsALaterEdit() throws {
    let story = try DocumentStory()
    try story.files[0].change { $0.shelves.removeElements(DocumentModel.items, $1, 0..<1) }
    try story.files[1].edit(0) { $0.items.setString(DocumentModel.name, $1, "late") }
    #expect(try story.exchange() == ["b 2 []", "c 3 []"])
  }

  @Test func anObjectThatIsMovedStaysTheSame() throws {
    let story = try DocumentStory()
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

  @Test func anObjectThatIsDeletedLeavesTheList() throws {
    let story = try DocumentStory()
    try story.files[0].edit(1) { $0.items.deleteRow($1) }
    #expect(try story.exchange() == ["a 1 [x y] (p)", "c 3 []"])
    #expect(try story.rows("select count(*) from app.\"Shelf.items\"") == ["2"])
  }

  @Test func wholeListsAreReplacedAndDeletedWithTheirOwner() throws {
    let story = try DocumentStory()
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
    let story = try DocumentStory()
    try story.files[0].edit(0) { $0.items.setString(DocumentModel.name, $1, "A") }
    try story.files[0].restart()
    try story.files[0].change { $0.shelves.swapElements(DocumentModel.items, $1, 1, 2) }
    #expect(try story.exchange() == ["A 1 [x y] (p)", "c 3 []", "b 2 []"])
  }

  @Test func documentsOfSQLProgramsAreReadIfTheyFit() throws {
    let story = try DocumentStory()
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
    for file in story.files {
      #expect(file.unreadable.map(\.property) == ["items", "items"])
      #expect(try file.client.audit()?.differences == 0)
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

  @Test func anAuditComparesTheContents() throws {
    let story = try DocumentStory()
    try story.files[0].write { snapshot in
      snapshot.writing!.origin = .sync
      snapshot.table(DocumentModel.item).setString(DocumentModel.name, story.files[0].item(1), "wrong")
    }
    #expect(try story.files[0].client.audit()?.differences == 1)
    #expect(try story.exchange() == ["a 1 [x y] (p)", "b 2 []", "c 3 []"])
  }
}

enum DocumentModel {
  static let (shelf, item, part) = (0, 1, 3)
  static let items = 1
  static let (name, count, tags) = (0, 1, 2)
  static let partTable = 2
  static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Shelf",
      columns: [
        Column(name: "id", type: .int, isPrimaryKey: true),
        Column(name: "items", type: .link, collection: .list, target: 1),
      ]),
    TableDescription(
      name: "Item", isEmbedded: true,
      columns: [
        Column(name: "name", type: .string), Column(name: "count", type: .int),
        Column(name: "tags", type: .string, collection: .list),
        Column(name: "part", type: .link, isNullable: true, target: 2),
      ]),
    TableDescription(name: "Part", isEmbedded: true, columns: [Column(name: "name", type: .string)]),
  ])
}

/// The tables of a shelf and its items in a write transaction.
struct DocumentTables {
  let shelves: Table
  let items: Table
  let parts: Table

  init(_ snapshot: Snapshot) {
    shelves = snapshot.table(DocumentModel.shelf)
    items = snapshot.table(DocumentModel.item)
    parts = snapshot.table(DocumentModel.partTable)
  }

  /// Returns a link to a new item.
  func makeItem(_ name: String, _ count: Int64) -> Value {
    let row = items.insertRow()
    items.setString(DocumentModel.name, row, name)
    items.setInteger(DocumentModel.count, row, count)
    items.setLink(DocumentModel.part, row, nil)
    return .link(table: DocumentModel.item, row: row)
  }
}

/// A file with a shelf.
final class DocumentFile: ClientFile {
  init(_ settings: PostgresSettings, _ clock: StoryClock) throws {
    let catalogue = DocumentModel.catalogue
    try super.init(catalogue, SyncModel.read(catalogue), settings: settings, clock: clock.next)
    try connect()
  }

  override func restart() throws {
    try super.restart()
    try connect()
  }

  private var shelf: Int? { row(DocumentModel.shelf, .int(1)) }

  /// Changes the shelf.
  func change(_ body: (DocumentTables, _ shelf: Int) throws -> Void) throws {
    try write { try body(DocumentTables($0), shelf!) }
  }

  /// Changes an item of the shelf.
  func edit(_ position: Int, _ body: (DocumentTables, _ item: Int) throws -> Void) throws {
    try change { tables, _ in try body(tables, item(position)) }
  }

  /// The rows of the items.
  func rows() throws -> [Int] {
    try writer.advance()
    return writer.table(DocumentModel.shelf).elements(DocumentModel.items, shelf!).compactMap {
      if case .link(_, let row) = $0 { row } else { nil }
    }
  }

  func item(_ position: Int) -> Int {
    let link = writer.table(DocumentModel.shelf).element(DocumentModel.items, shelf!, at: position)
    guard case .link(_, let row) = link else { return -1 }
    return row
  }

  /// What the shelf holds.
  func texts() throws -> [String] {
    try writer.advance()
    guard shelf != nil else { return ["no shelf"] }
    let tables = DocumentTables(writer)
    return try rows().map { row in
      let tags = tables.items.elements(DocumentModel.tags, row).map { tag in
        if case .string(let text) = tag { text } else { "?" }
      }
      let part = tables.items.link(DocumentModel.part, row).map { " (\(tables.parts.string(0, $0)))" } ?? ""
      return
        "\(tables.items.string(DocumentModel.name, row)) \(tables.items.integer(DocumentModel.count, row)) "
        + "[\(tags.joined(separator: " "))]\(part)"
    }
  }
}

/// A server and two files, whose transactions have stamps in the order in which a test writes them. Both have a shelf with three items.
final class DocumentStory: ModelServer {
  private let clock = StoryClock()
  private(set) var files: [DocumentFile] = []

  init() throws {
    try super.init(SyncModel.read(DocumentModel.catalogue))
    files = [try DocumentFile(settings, clock), try DocumentFile(settings, clock)]
    try files[0].write { snapshot in
      let (tables, shelf) = (DocumentTables(snapshot), files[0].create(DocumentModel.shelf, .int(1)))
      let links = [tables.makeItem("a", 1), tables.makeItem("b", 2), tables.makeItem("c", 3)]
      tables.shelves.insertElements(DocumentModel.items, shelf, at: 0, links)
      guard case .link(_, let item) = links[0] else { return }
      tables.items.insertElements(DocumentModel.tags, item, at: 0, [.string("x"), .string("y")])
      let part = tables.parts.insertRow()
      tables.parts.setString(0, part, "p")
      tables.items.setLink(DocumentModel.part, item, part)
    }
    try exchange()
  }

  /// Lets everything arrive, and returns what both files have then.
  @discardableResult
  func exchange() throws -> [String] {
    for _ in 0..<2 {
      for file in files { try file.transfer() }
    }
    for file in files { #expect(try !file.client.push()) }
    let (first, second) = (try files[0].texts(), try files[1].texts())
    return first == second ? first : first + ["but the other has"] + second
  }
}
