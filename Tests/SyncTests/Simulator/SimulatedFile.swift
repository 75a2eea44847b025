import Foundation
import Storage
import Sync
import TestSupport

/// A realm file with its client, which is restarted from the file at any time.
final class SimulatedFile {
  let number: Int
  private let path: String
  private let simulated: SimulatedModel
  /// Is called with the objects that the server has refused.
  var noteRejected: ([RejectedObject]) -> Void = { _ in }
  /// Milliseconds that the clock of the machine is wrong.
  private let skew: Int64
  private(set) var file: DatabaseFile!
  private(set) var writer: Snapshot!
  private(set) var client: SyncClient!
  private(set) var rejected = 0
  private(set) var resets = 0

  /// - Parameter isThere: Whether the file exists already.
  init(
    number: Int, path: String, skew: Int64, kinds: [any SimulatedKind] = [], isThere: Bool = false
  ) throws {
    self.number = number
    self.path = path
    self.skew = skew
    simulated = try SimulatedModel(kinds)
    if !isThere { try Self.make(path, simulated.catalogue) }
    try open()
  }

  private static func make(_ path: String, _ catalogue: Catalogue) throws {
    let file = try DatabaseFile.open(path: path)
    let snapshot = try Snapshot(file: file)
    try snapshot.beginWrite()
    snapshot.setCatalogue(catalogue)
    try snapshot.commitWrite(durability: .deferred)
  }

  private func open() throws {
    let skew = skew
    file = try DatabaseFile.open(path: path)
    file.milliseconds = { SyncClock.systemMilliseconds() + skew }
    try SyncClient.prepare(file, simulated.model, time: file.milliseconds())
    writer = try Snapshot(file: file)
    client = try SyncClient(
      file, simulated.model, schema: "app", time: { SyncClock.systemMilliseconds() + skew },
      report: { [unowned self] event in
        switch event {
        case .rejected(let objects):
          rejected += objects.count
          noteRejected(objects)
        case .reset: resets += 1
        case .unreadable, .audited: break
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

  /// Ends the client as a failure of the system does, after which the disk has nothing that it was not told to keep: the file
  /// goes back to its newest durable version.
  func cutPower() throws {
    var image = try Array(Data(contentsOf: URL(filePath: path)))
    client.disconnect()
    client = nil
    writer = nil
    weak let former = file
    file = nil
    // A synchronisation of the disk that is under way keeps it open.
    while former != nil { usleep(100) }
    RecordPatch.apply(&image)
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.write(contentsOf: Data(image))
    try handle.close()
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
      let columns = simulated.catalogue.tables[table].columns.indices
      let values = columns.map { ExactValue(rows.value($0, row)) }
      objects[values[0]] = Array(values.dropFirst())
    }
    return objects
  }
}
