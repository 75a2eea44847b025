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
final class ShelvedServer {
  let settings: PostgresSettings
  private let outsider: PostgresConnection

  init() throws {
    let server = try PostgresServer.shared()
    settings = try PostgresSettings(server.connectionString(database: server.makeDatabase()))
    outsider = try PostgresConnection(settings)
    try outsider.runScript("set client_min_messages = warning")
    try outsider.runScript(ServerSchema(ShelvedModel.make()).initialSQL().joined(separator: ";\n"))
  }

  /// Returns the first column of a query's rows as texts.
  @discardableResult
  func texts(_ sql: String) throws -> [String] {
    try outsider.runScript(sql).map { $0.text(0) ?? "-" }
  }

  /// The elements of a collection of a book: of lists in their order, of others ascending.
  func elements(_ name: String, of key: Int64 = 1) throws -> [String] {
    let (value, order) =
      switch name {
      case "pages", "authors": ("value", "_key, _el")
      case "prices": ("key || ' ' || value", "key")
      default: ("value", "value")
      }
    return try texts("select \(value) from app.\"Book.\(name)\" where owner = \(key) order by \(order)")
  }
}

/// A file with the classes, whose program synchronises all of them or only some.
final class ShelvedFile {
  private let server: ShelvedServer
  private let folder = ScratchFolder()
  private var file: DatabaseFile!
  private(set) var writer: Snapshot!
  private(set) var client: SyncClient!

  init(_ server: ShelvedServer) throws {
    self.server = server
    let snapshot = try Snapshot(file: DatabaseFile.open(path: folder.path("file.realm")))
    try snapshot.beginWrite()
    snapshot.setCatalogue(ShelvedModel.catalogue)
    try snapshot.commitWrite(durability: .deferred)
    try open(nil)
  }

  private func open(_ classes: [String]?) throws {
    file = try DatabaseFile.open(path: folder.path("file.realm"))
    let model = try ShelvedModel.make(classes)
    try SyncClient.prepare(file, model, time: SyncClock.systemMilliseconds())
    writer = try Snapshot(file: file)
    client = try SyncClient(
      file, model, schema: "app", time: { SyncClock.systemMilliseconds() }, report: { _ in })
  }

  /// Ends the client, and starts another one from the file.
  ///
  /// - Parameter classes: The classes that are synchronised from now on; nil for all.
  func reopen(_ classes: [String]? = nil) throws {
    client.disconnect()
    client = nil
    writer = nil
    file = nil
    try open(classes)
  }

  func connect(_ cut: CuttingConnection.Cut? = nil) throws {
    if client.connection != nil { return }
    let connection = try PostgresConnection(server.settings)
    client.connection = cut.map { CuttingConnection(connection, cut: $0) { $0 } } ?? connection
    try client.contact()
  }

  /// Sends and receives until nothing is left.
  func transfer() throws {
    for _ in 0..<2 {
      try connect()
      while try client.push() {}
      try client.pull()
    }
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
  func write(_ body: (Table) throws -> Void) throws {
    try writer.beginWrite()
    try body(writer.table(ShelvedModel.book))
    try writer.commitWrite(durability: .deferred)
  }

  func row(_ key: Int64 = 1) -> Int {
    writer.firstRow(table: ShelvedModel.book, column: 0, equalTo: IndexKey(.int(key)))!
  }

  /// Creates a book, in the write transaction that is open.
  @discardableResult
  func create(_ key: Int64 = 1, pages: [String] = []) -> Int {
    let books = writer.table(ShelvedModel.book)
    let row = books.insertRow()
    books.setInteger(0, row, key)
    books.insertElements(ShelvedModel.pages, row, at: 0, pages.map { .string($0) })
    return row
  }

  /// Creates an author unless it is there, in the write transaction that is open, and returns a link to it.
  @discardableResult
  func author(_ name: String) -> Value {
    let authors = writer.table(ShelvedModel.author)
    if let row = writer.firstRow(table: ShelvedModel.author, column: 0, equalTo: IndexKey(.string(name))) {
      return .link(table: ShelvedModel.author, row: row)
    }
    let row = authors.insertRow()
    authors.setString(0, row, name)
    return .link(table: ShelvedModel.author, row: row)
  }

  func deleteAuthor(_ name: String) {
    guard case .link(let table, let row) = author(name) else { return }
    writer.table(table).deleteRow(row)
  }

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
