import Storage
import Sync
import TestSupport

/// Classes with links to each other, with keys of every type, and a mixed value.
enum LinkedModel {
  static let catalogue = Catalogue(
    tables: [
      TableDescription(
        name: "Person",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "name", type: .string),
          Column(name: "dog", type: .link, isNullable: true, target: dog),
          Column(name: "friend", type: .link, isNullable: true, target: person),
          Column(name: "tag", type: .link, isNullable: true, target: tag),
          Column(name: "badge", type: .link, isNullable: true, target: badge),
          Column(name: "place", type: .link, isNullable: true, target: place),
          Column(name: "thing", type: .mixed, isNullable: true),
          Column(name: "collar", type: .link, isNullable: true, target: collar),
        ]),
      TableDescription(
        name: "Dog",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "age", type: .int),
          Column(name: "owner", type: .link, isNullable: true, target: person),
        ]),
      TableDescription(name: "Tag", columns: [Column(name: "name", type: .string, isPrimaryKey: true)]),
      TableDescription(name: "Badge", columns: [Column(name: "id", type: .uuid, isPrimaryKey: true)]),
      TableDescription(name: "Place", columns: [Column(name: "id", type: .objectId, isPrimaryKey: true)]),
      TableDescription(
        name: "Collar", isEmbedded: true,
        columns: [
          Column(name: "dog", type: .link, isNullable: true, target: dog),
          Column(name: "thing", type: .mixed, isNullable: true),
        ]),
    ])
  static let (person, dog, tag, badge, place, collar) = (0, 1, 2, 3, 4, 5)
  static let targets = [2: dog, 3: person, 4: tag, 5: badge, 6: place]
  /// Columns of `Person`.
  static let (name, dogLink, friend, thing, collarLink) = (1, 2, 3, 7, 8)

  static func make() throws -> SyncModel { try SyncModel.read(catalogue) }
}

/// A database for the classes.
final class LinkedServer {
  let settings: PostgresSettings
  private let database: String
  let outsider: PostgresConnection

  init() throws {
    let server = try PostgresServer.shared()
    database = try server.makeDatabase()
    settings = try PostgresSettings(server.connectionString(database: database))
    outsider = try PostgresConnection(settings)
    try outsider.runScript("set client_min_messages = warning")
    try outsider.runScript(ServerSchema(LinkedModel.make()).initialSQL().joined(separator: ";\n"))
  }

  /// Returns the settings of a connection of a role.
  func settings(role: String) throws -> PostgresSettings {
    try PostgresSettings(PostgresServer.shared().connectionString(role: role, database: database))
  }

  /// Returns the rows of a query as texts.
  @discardableResult
  func rows(_ sql: String) throws -> [String] {
    try outsider.runScript(sql).map { row in
      (0..<row.count).map { row.text($0) ?? "-" }.joined(separator: " ")
    }
  }
}

/// A file with the classes, and its client.
final class LinkedFile {
  private let server: LinkedServer
  private let folder = ScratchFolder()
  private(set) var file: DatabaseFile!
  private(set) var writer: Snapshot!
  private(set) var client: SyncClient!
  private(set) var rejected: [RejectedObject] = []
  private(set) var unreadable: [UnreadableValue] = []

  init(_ server: LinkedServer) throws {
    self.server = server
    let snapshot = try Snapshot(file: DatabaseFile.open(path: folder.path("file.realm")))
    try snapshot.beginWrite()
    snapshot.setCatalogue(LinkedModel.catalogue)
    try snapshot.commitWrite(durability: .deferred)
    try open()
  }

  private func open() throws {
    file = try DatabaseFile.open(path: folder.path("file.realm"))
    let model = try LinkedModel.make()
    try SyncClient.prepare(file, model, time: SyncClock.systemMilliseconds())
    writer = try Snapshot(file: file)
    client = try SyncClient(
      file, model, schema: "app", time: { SyncClock.systemMilliseconds() },
      report: { [unowned self] event in
        switch event {
        case .rejected(let objects): rejected += objects
        case .unreadable(let values): unreadable += values
        case .reset, .audited: break
        }
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

  private func connect() throws {
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

  func write(_ body: (Snapshot) -> Void) throws {
    try writer.beginWrite()
    body(writer)
    try writer.commitWrite(durability: .deferred)
  }

  // MARK: Objects

  func row(_ table: Int, _ key: Value) -> Int? {
    writer.firstRow(table: table, column: 0, equalTo: IndexKey(key))
  }

  /// Creates an object, in the write transaction that is open.
  @discardableResult
  func create(_ table: Int, _ key: Value) -> Int {
    let row = writer.table(table).insertRow()
    writer.table(table).setValue(0, row, key)
    return row
  }

  func createPerson(_ key: Int64, dog: Int64? = nil) {
    let row = create(LinkedModel.person, .int(key))
    if let dog { link(row, LinkedModel.dogLink, .int(dog)) }
  }

  /// Links a person to the object with a key, or to nothing.
  func link(_ row: Int, _ column: Int, _ key: Value?) {
    let target = LinkedModel.targets[column]!
    writer.table(LinkedModel.person).setLink(column, row, key.map { self.row(target, $0)! })
  }

  func delete(_ table: Int, _ key: Value) {
    if let row = row(table, key) { writer.table(table).deleteRow(row) }
  }

  /// The key of the object that a person links to; nil if it links to none.
  func linked(_ person: Int64, _ column: Int = LinkedModel.dogLink) throws -> Value? {
    try writer.advance()
    guard let row = row(LinkedModel.person, .int(person)),
      case .link(let table, let target) = writer.table(LinkedModel.person).value(column, row)
    else { return nil }
    return writer.table(table).value(0, target)
  }

  /// The mixed value of a person.
  func thing(_ person: Int64) throws -> Value? {
    try writer.advance()
    return row(LinkedModel.person, .int(person)).map {
      writer.table(LinkedModel.person).value(LinkedModel.thing, $0)
    }
  }
}
