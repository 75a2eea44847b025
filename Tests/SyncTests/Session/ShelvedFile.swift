import Storage
import Sync
import TestSupport
import Testing

/// Two classes with lists, one of which is left out of synchronisation at times.
enum ShelvedModel {
  static let catalogue = Catalogue(
    tables: [
      TableDescription(
        name: "Book",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "title", type: .string),
          Column(name: "pages", type: .string, collection: .list),
          Column(name: "authors", type: .link, collection: .list, target: 1),
          Column(name: "tags", type: .string, collection: .set),
          Column(name: "prices", type: .int, collection: .map), Column(name: "sales", type: .int),
        ]),
      TableDescription(
        name: "Author",
        columns: [
          Column(name: "name", type: .string, isPrimaryKey: true),
          Column(name: "aliases", type: .string, collection: .list),
        ]),
    ])
  static let (book, author) = (0, 1)
  static let (title, pages, authors, tags, prices, sales) = (1, 2, 3, 4, 5, 6)

  static func make(_ classes: [String]? = nil) throws -> SyncModel {
    try SyncModel.read(catalogue, classes: classes, counters: [PropertyName("Book", "sales")])
  }
}

/// A database for the classes.
final class ShelvedServer: ModelServer {
  init() throws { try super.init(ShelvedModel.make()) }

  /// The elements of a collection of a book: of lists in their order, of others ascending.
  func elements(_ name: String, of key: Int64 = 1) throws -> [String] {
    let (value, order) =
      switch name {
      case "pages", "authors": ("value", "_key, _el")
      case "prices": ("key || ' ' || value", "key")
      default: ("value", "value")
      }
    return try rows("select \(value) from app.\"Book.\(name)\" where owner = \(key) order by \(order)")
  }
}

/// A file with the classes, whose program synchronises all of them or only some.
final class ShelvedFile: ClientFile {
  init(_ server: ShelvedServer) throws {
    try super.init(ShelvedModel.catalogue, ShelvedModel.make(), settings: server.settings)
  }

  /// Ends the client, and starts another one from the file.
  ///
  /// - Parameter classes: The classes that are synchronised from now on; nil for all.
  func reopen(_ classes: [String]? = nil) throws {
    model = try ShelvedModel.make(classes)
    try restart()
  }

  /// Connects the client with a connection that ends at a statement.
  func connect(_ cut: CuttingConnection.Cut) throws {
    client.connection = try CuttingConnection(PostgresConnection(settings!), cut: cut) { $0 }
    try client.contact()
  }

  /// Sends and receives until nothing is left.
  override func transfer() throws {
    for _ in 0..<2 { try super.transfer() }
  }

  /// Lets the log be trimmed up to what the server has, as a day later.
  func trimLog() throws {
    try writer.advance()
    let version = writer.version
    try write { _ in author("trim") }
    client.state.marks = []
    try transfer()
    try client.write { _ in }
    for number in 0..<40 {
      try write { _ in author("trim \(number)") }
      try client.refresh()
    }
    try writer.advance()
    #expect(throws: StorageError.self, "the log was trimmed") { try writer.syncEntries(after: version - 1) }
  }

  // MARK: Work

  /// Runs a transaction of the user, with the table of books.
  func edit(_ body: (Table) throws -> Void) throws { try write { try body($0.table(ShelvedModel.book)) } }

  func row(_ key: Int64 = 1) -> Int { row(ShelvedModel.book, .int(key))! }

  /// Creates a book, in the write transaction that is open.
  @discardableResult
  func create(_ key: Int64 = 1, pages: [String] = []) -> Int {
    let row = create(ShelvedModel.book, .int(key))
    writer.table(ShelvedModel.book).insertElements(
      ShelvedModel.pages, row, at: 0, pages.map { .string($0) })
    return row
  }

  /// Creates an author unless it is there, in the write transaction that is open, and returns a link to it.
  @discardableResult
  func author(_ name: String) -> Value {
    let row = row(ShelvedModel.author, .string(name))
    return .link(
      table: ShelvedModel.author, row: row ?? create(ShelvedModel.author, .string(name)))
  }

  func deleteAuthor(_ name: String) { delete(ShelvedModel.author, .string(name)) }

  /// Replaces the elements of a list, in the write transaction that is open.
  func assign(_ pages: [String], of key: Int64 = 1) {
    let books = writer.table(ShelvedModel.book)
    books.removeAllElements(ShelvedModel.pages, row(key))
    books.insertElements(ShelvedModel.pages, row(key), at: 0, pages.map { .string($0) })
  }

  func removeTag(_ tag: String) {
    let books = writer.table(ShelvedModel.book)
    let place = books.position(ShelvedModel.tags, row(), ofElement: .string(tag))
    books.removeElements(ShelvedModel.tags, row(), place.position..<place.position + 1)
  }

  func removePrice(_ key: String) {
    let books = writer.table(ShelvedModel.book)
    let place = books.position(ShelvedModel.prices, row(), ofKey: key)
    books.removeElements(ShelvedModel.prices, row(), place.position..<place.position + 1)
  }

  // MARK: Reading

  /// The elements of a collection of a book as `ShelvedServer.elements` returns them.
  func elements(_ column: Int, of key: Int64 = 1) throws -> [String] {
    try writer.advance()
    let books = writer.table(ShelvedModel.book)
    let row = row(key)
    return (0..<books.count(column, row)).map { position in
      switch books.element(column, row, at: position) {
      case .string(let text): text
      case .int(let number): "\(books.key(column, row, at: position)) \(number)"
      case .link(let table, let row): writer.table(table).string(0, row)
      default: "-"
      }
    }
  }

  func sales(of key: Int64 = 1) throws -> Int64 {
    try writer.advance()
    return writer.table(ShelvedModel.book).integer(ShelvedModel.sales, row(key))
  }
}
