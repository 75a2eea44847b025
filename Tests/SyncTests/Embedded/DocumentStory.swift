import Storage
import Sync
import TestSupport
import Testing

enum DocumentModel {
  static let (shelf, item, part) = (0, 1, 3)
  static let items = 1
  static let (name, count, tags) = (0, 1, 2)
  static let partTable = 2

  /// Returns the tables of shelves with lists or maps of items.
  static func catalogue(_ kind: CollectionType) -> Catalogue {
    Catalogue(tables: [
      TableDescription(
        name: "Shelf",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true),
          Column(name: "items", type: .link, collection: kind, isNullable: kind == .map, target: 1),
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

  /// Returns the values of an item.
  func text(_ item: Value) -> String {
    guard case .link(_, let row) = item else { return "null" }
    let tags = items.elements(DocumentModel.tags, row).map { tag in
      if case .string(let text) = tag { text } else { "?" }
    }
    let part = items.link(DocumentModel.part, row).map { " (\(parts.string(0, $0)))" } ?? ""
    return
      "\(items.string(DocumentModel.name, row)) \(items.integer(DocumentModel.count, row)) "
      + "[\(tags.joined(separator: " "))]\(part)"
  }

  /// Puts items on a shelf, at the end of a list or under their names in a map.
  func put(_ names: [String], on shelf: Int, in kind: CollectionType) {
    for (index, name) in names.enumerated() {
      let item = makeItem(name, Int64(index + 1))
      if kind == .map {
        shelves.setMapValue(DocumentModel.items, shelf, key: name, item)
      } else {
        shelves.appendElement(DocumentModel.items, shelf, item)
      }
    }
  }
}

/// A file with a shelf.
final class DocumentFile: ClientFile {
  init(_ kind: CollectionType, _ settings: PostgresSettings, _ clock: StoryClock) throws {
    let catalogue = DocumentModel.catalogue(kind)
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

  /// The items of the shelf, in their order.
  func texts() throws -> [String] {
    try writer.advance()
    guard let shelf else { return ["no shelf"] }
    let tables = DocumentTables(writer)
    return tables.shelves.elements(DocumentModel.items, shelf).map(tables.text)
  }

  /// The keys of the map.
  func keys() throws -> [String] {
    try writer.advance()
    guard let shelf else { return [] }
    let shelves = writer.table(DocumentModel.shelf)
    return (0..<shelves.count(DocumentModel.items, shelf)).map {
      shelves.key(DocumentModel.items, shelf, at: $0)
    }
  }
}

/// A server and two files, whose transactions have stamps in the order in which a test writes them. Both have a shelf with three items.
final class DocumentStory: ModelServer {
  static let kinds: [CollectionType] = [.list, .map]

  let kind: CollectionType
  private let clock = StoryClock()
  private(set) var files: [DocumentFile] = []

  init(_ kind: CollectionType) throws {
    self.kind = kind
    try super.init(SyncModel.read(DocumentModel.catalogue(kind)))
    files = [try DocumentFile(kind, settings, clock), try DocumentFile(kind, settings, clock)]
    try files[0].write { snapshot in
      let (tables, shelf) = (DocumentTables(snapshot), files[0].create(DocumentModel.shelf, .int(1)))
      tables.put(["a", "b", "c"], on: shelf, in: kind)
      guard case .link(_, let item) = tables.shelves.element(DocumentModel.items, shelf, at: 0) else {
        return
      }
      tables.items.insertElements(DocumentModel.tags, item, at: 0, [.string("x"), .string("y")])
      let part = tables.parts.insertRow()
      tables.parts.setString(0, part, "p")
      tables.items.setLink(DocumentModel.part, item, part)
    }
    try exchange()
  }

  /// Lets everything arrive, and returns the items that both files have then.
  @discardableResult
  func exchange() throws -> [String] {
    for _ in 0..<2 {
      for file in files { try file.transfer() }
    }
    for file in files { #expect(try !file.client.push()) }
    let (first, second) = (try files[0].texts(), try files[1].texts())
    if kind == .map { #expect(try files[0].keys() == files[1].keys()) }
    return first == second ? first : first + ["but the other has"] + second
  }

  /// Lets everything arrive, and returns the entries of the map that both files have then.
  func exchangeEntries() throws -> [String] {
    let items = try exchange()
    return try zip(files[0].keys(), items).map { "\($0): \($1)" }
  }
}
