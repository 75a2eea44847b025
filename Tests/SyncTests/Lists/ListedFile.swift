import Storage
import Sync
import TestSupport

/// A class with lists of values and of links.
enum ListedModel {
  static let catalogue = Catalogue(
    tables: [
      TableDescription(
        name: "Person",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true),
          Column(name: "notes", type: .string, collection: .list),
          Column(name: "dogs", type: .link, collection: .list, target: 1),
          Column(name: "numbers", type: .int, collection: .list, isNullable: true),
          Column(name: "dates", type: .date, collection: .list),
        ]),
      TableDescription(name: "Dog", columns: [Column(name: "name", type: .string, isPrimaryKey: true)]),
    ])
  static let (person, dog) = (0, 1)
  static let (notes, dogs, numbers, dates) = (1, 2, 3, 4)

  static func make() throws -> SyncModel { try SyncModel.read(catalogue) }
}

/// A database for the classes.
final class ListedServer {
  let settings: PostgresSettings
  private let outsider: PostgresConnection

  init() throws {
    let server = try PostgresServer.shared()
    settings = try PostgresSettings(server.connectionString(database: server.makeDatabase()))
    outsider = try PostgresConnection(settings)
    try outsider.runScript("set client_min_messages = warning")
    try outsider.runScript(ServerSchema(ListedModel.make()).initialSQL().joined(separator: ";\n"))
  }

  /// Returns the first column of a query's rows as texts.
  @discardableResult
  func texts(_ sql: String) throws -> [String] {
    try outsider.runScript(sql).map { $0.text(0) ?? "-" }
  }

  /// The values of a list, in their order.
  func list(_ name: String, of key: Int64 = 1) throws -> [String] {
    try texts("select value::text from app.\"Person.\(name)\" where owner = \(key) order by _key, _el")
  }
}

/// A file with the classes, and its client.
final class ListedFile {
  private let server: ListedServer
  private let folder = ScratchFolder()
  private var file: DatabaseFile!
  private(set) var writer: Snapshot!
  private(set) var client: SyncClient!
  private(set) var rejected: [RejectedObject] = []

  /// - Parameter prepare: Writes before the file is synchronised.
  init(_ server: ListedServer, prepare: (Snapshot) -> Void = { _ in }) throws {
    self.server = server
    let snapshot = try Snapshot(file: DatabaseFile.open(path: folder.path("file.realm")))
    try snapshot.beginWrite()
    snapshot.setCatalogue(ListedModel.catalogue)
    prepare(snapshot)
    try snapshot.commitWrite(durability: .deferred)
    try open()
  }

  private func open() throws {
    file = try DatabaseFile.open(path: folder.path("file.realm"))
    let model = try ListedModel.make()
    try SyncClient.prepare(file, model, time: SyncClock.systemMilliseconds())
    writer = try Snapshot(file: file)
    client = try SyncClient(
      file, model, schema: "app", time: { SyncClock.systemMilliseconds() },
      report: { [unowned self] event in
        if case .rejected(let objects) = event { rejected += objects }
      })
  }

  /// Ends the client, as a killed process does, and starts another one from the file.
  func restart() throws {
    client.disconnect()
    client = nil
    writer = nil
    file = nil
    try open()
  }

  func connect() throws {
    if client.connection != nil { return }
    client.connection = try PostgresConnection(server.settings)
    try client.contact()
  }

  func push() throws {
    try connect()
    while try client.push() {}
  }

  @discardableResult
  func pull() throws -> Bool {
    try connect()
    return try client.pull()
  }

  func transfer() throws {
    try push()
    try pull()
  }

  func write(_ body: (Table) throws -> Void) throws {
    try writer.beginWrite()
    try body(writer.table(ListedModel.person))
    try writer.commitWrite(durability: .deferred)
  }

  func row(_ key: Int64 = 1) -> Int {
    writer.firstRow(table: ListedModel.person, column: 0, equalTo: IndexKey(.int(key)))!
  }

  func dog(_ name: String) -> Int? {
    writer.firstRow(table: ListedModel.dog, column: 0, equalTo: IndexKey(.string(name)))
  }

  /// Creates a dog unless it is there, in the write transaction that is open, and returns a link to it.
  func link(_ name: String) -> Value {
    if let row = dog(name) { return .link(table: ListedModel.dog, row: row) }
    let row = writer.table(ListedModel.dog).insertRow()
    writer.table(ListedModel.dog).setString(0, row, name)
    return .link(table: ListedModel.dog, row: row)
  }

  /// Creates a person with notes, in the write transaction that is open.
  @discardableResult
  func create(_ key: Int64 = 1, notes: [String] = []) -> Int {
    let table = writer.table(ListedModel.person)
    let row = table.insertRow()
    table.setInteger(0, row, key)
    table.insertElements(ListedModel.notes, row, at: 0, notes.map { .string($0) })
    return row
  }

  /// The values of a list, in their order; of links, the names of the dogs.
  func list(_ column: Int, of key: Int64 = 1) throws -> [String] {
    try writer.advance()
    return writer.table(ListedModel.person).elements(column, row(key)).map { value in
      switch value {
      case .string(let text): text
      case .int(let number): String(number)
      case .date(let seconds): String(seconds)
      case .link(let table, let row): writer.table(table).string(0, row)
      default: "-"
      }
    }
  }
}
