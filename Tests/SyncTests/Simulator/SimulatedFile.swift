import Foundation
import Storage
import Sync
import TestSupport

/// A file with the classes of the simulator, and its client.
class SimulatedFile: ClientFile {
  let number: Int
  /// Is called with the objects that the server has refused.
  var noteRejected: ([RejectedObject]) -> Void = { _ in }
  private let simulated: SimulatedModel
  private let kinds: [any SimulatedKind]
  private let skew: Int64
  /// The class that the file leaves out of synchronisation.
  private(set) var leftOut: String?

  /// - Parameter skew: Milliseconds that the clock of the machine is wrong.
  init(
    number: Int = 0, skew: Int64 = 0, kinds: [any SimulatedKind] = [], copyOf copied: Copied? = nil
  ) throws {
    (self.number, self.skew, self.kinds) = (number, skew, kinds)
    simulated = try SimulatedModel(kinds)
    let time = { SyncClock.systemMilliseconds() + skew }
    try super.init(simulated.catalogue, simulated.model, clock: time, time: time, copyOf: copied)
  }

  override func note(_ event: SyncEvent) {
    super.note(event)
    if case .rejected(let objects) = event { noteRejected(objects) }
  }

  /// Ends the client, as a killed process does, and starts another one from the file.
  ///
  /// - Parameter leftOut: The class that is not synchronised from now on; nil to synchronise all.
  func restart(leavingOut leftOut: String?) throws {
    self.leftOut = leftOut
    model = try leftOut.map { try simulated.model(without: $0) } ?? simulated.model
    try restart()
  }

  /// Makes a copy on the same machine: of the bytes while the file is closed, or of the open file.
  func copy(number: Int, isClosed: Bool) throws -> SimulatedFile {
    func copy(_ copied: Copied) throws -> SimulatedFile {
      try SimulatedFile(number: number, skew: skew, kinds: kinds, copyOf: copied)
    }
    if !isClosed { return try copy(.open(file)) }
    return try whileClosed { try copy(.closed(path)) }
  }

  // MARK: Backup

  private var backup: (bytes: Data, version: UInt64)?

  var hasBackup: Bool { backup != nil }

  /// Copies the bytes of the file.
  func backUp() throws {
    let version = file.newestVersion
    backup = (try whileClosed { try Data(contentsOf: URL(filePath: path)) }, version)
  }

  /// Forgets a backup with versions that a power cut has taken back.
  func forgetBackup(after version: UInt64) {
    if let backup, backup.version > version { self.backup = nil }
  }

  /// Copies the bytes of the backup over the file, whose inode stays. Returns the version that the file has now.
  func restoreBackup() throws -> UInt64 {
    let backup = backup!
    try whileClosed {
      let handle = try FileHandle(forWritingTo: URL(filePath: path))
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: backup.bytes)
      try handle.close()
    }
    self.backup = nil
    return backup.version
  }

  // MARK: Objects

  /// The objects of a table, by their keys.
  func objects(_ table: Int) throws -> [ExactValue: [ExactValue]] {
    try writer.advance()
    let rows = writer.table(table)
    var objects: [ExactValue: [ExactValue]] = [:]
    for row in 0..<rows.rowLimit where rows.isAlive(row) {
      let columns = catalogue.tables[table].columns.indices
      let values = columns.map { ExactValue(rows.value($0, row)) }
      objects[values[0]] = Array(values.dropFirst())
    }
    return objects
  }

  /// The keys of a table's objects, without values.
  func keys(table: Int) throws -> [ExactValue: [ExactValue]] {
    try writer.advance()
    var objects: [ExactValue: [ExactValue]] = [:]
    writer.table(table).forEachRow { objects[ExactValue(writer.table(table).value(0, $0))] = [] }
    return objects
  }

  /// Sets the name of the dog with a key, which is created if it is missing.
  func name(_ key: Int64, _ name: String, age: Int64? = nil) throws {
    try write { snapshot in
      let dogs = snapshot.table(SimulatedModel.dog)
      let row = row(SimulatedModel.dog, .int(key)) ?? create(SimulatedModel.dog, .int(key))
      dogs.setString(1, row, name)
      if let age { dogs.setInteger(2, row, age) }
    }
  }

  func deleteDog(_ key: Int64) throws { try write { _ in delete(SimulatedModel.dog, .int(key)) } }

  /// The keys of the dogs with their names.
  func dogs() throws -> [String] {
    try objects(SimulatedModel.dog).map { key, values in
      guard case .int(let id) = key.value, case .string(let name) = values[0].value else { return "?" }
      return "\(id) \(name)"
    }.sorted()
  }
}
