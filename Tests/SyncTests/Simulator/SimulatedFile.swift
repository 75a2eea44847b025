import Storage
import Sync
import TestSupport

/// The classes of the simulation.
enum SimulatedModel {
  static let catalogue = Catalogue(
    tables: [
      TableDescription(
        name: "Dog",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "name", type: .string),
          Column(name: "age", type: .int, isIndexed: true),
          Column(name: "nick", type: .string, isNullable: true),
        ]),
      TableDescription(
        name: "Tag",
        columns: [
          Column(name: "name", type: .string, isPrimaryKey: true),
          Column(name: "count", type: .int, isNullable: true), Column(name: "at", type: .date),
        ]),
    ])
  static let dog = 0
  static let tag = 1

  static func make() throws -> SyncModel { try SyncModel.read(catalogue) }
}

/// A realm file with its client, which is restarted from the file at any time.
final class SimulatedFile {
  let number: Int
  private let path: String
  private let model: SyncModel
  /// Milliseconds that the clock of the machine is wrong.
  private let skew: Int64
  private(set) var file: DatabaseFile!
  private(set) var writer: Snapshot!
  private(set) var client: SyncClient!
  private(set) var rejected = 0
  private(set) var resets = 0

  init(number: Int, path: String, skew: Int64) throws {
    self.number = number
    self.path = path
    self.skew = skew
    model = try SimulatedModel.make()
    let file = try DatabaseFile.open(path: path)
    let snapshot = try Snapshot(file: file)
    try snapshot.beginWrite()
    snapshot.setCatalogue(SimulatedModel.catalogue)
    try snapshot.commitWrite(durability: .deferred)
    try open()
  }

  private func open() throws {
    let skew = skew
    file = try DatabaseFile.open(path: path)
    file.milliseconds = { SyncClock.systemMilliseconds() + skew }
    try SyncClient.prepare(file, model, time: file.milliseconds())
    writer = try Snapshot(file: file)
    client = try SyncClient(
      file, model, schema: "app", time: { SyncClock.systemMilliseconds() + skew },
      report: { [unowned self] event in
        switch event {
        case .rejected(let objects): rejected += objects.count
        case .reset: resets += 1
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

  /// Runs a transaction of the user. Returns its stamp.
  @discardableResult
  func write(_ body: (Snapshot) -> Void) throws -> UInt64 {
    try writer.beginWrite()
    body(writer)
    try writer.commitWrite(durability: .deferred)
    return try writer.syncClock().greatest
  }

  func row(_ table: Int, _ key: Value) -> Int? {
    writer.firstRow(table: table, column: 0, equalTo: IndexKey(key))
  }

  /// The objects of a table, by their keys.
  func objects(_ table: Int) throws -> [ExactValue: [ExactValue]] {
    try writer.advance()
    let rows = writer.table(table)
    var objects: [ExactValue: [ExactValue]] = [:]
    for row in 0..<rows.rowLimit where rows.isAlive(row) {
      let columns = SimulatedModel.catalogue.tables[table].columns.indices
      let values = columns.map { ExactValue(rows.value($0, row)) }
      objects[values[0]] = Array(values.dropFirst())
    }
    return objects
  }
}
