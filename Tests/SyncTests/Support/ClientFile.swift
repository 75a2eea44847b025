import Foundation
import Sync
import TestSupport

@testable import Storage

/// A realm file with its client, which is restarted from the file at any time.
class ClientFile {
  let catalogue: Catalogue
  /// What the next client synchronises.
  var model: SyncModel
  /// The database to which `connect` connects.
  var settings: PostgresSettings?
  /// The clock of the transactions.
  private let clock: () -> Int64
  /// The clock of the client.
  private let time: () -> Int64
  private let folder = ScratchFolder()
  private let encryptionKey: [UInt8]?
  private(set) var file: DatabaseFile!
  private(set) var writer: Snapshot!
  private(set) var client: SyncClient!
  /// What the client has reported.
  private(set) var events: [SyncEvent] = []

  /// A file that another one is a copy of.
  enum Copied {
    /// An open file, of which `writeCopy` makes the copy.
    case open(DatabaseFile)
    /// The path of a closed file, whose bytes are copied.
    case closed(String)
  }

  /// - Parameters:
  ///   - copied: The file of which this one is a copy; nil for a new file.
  ///   - prepare: Writes into a new file before it is synchronised.
  init(
    _ catalogue: Catalogue, _ model: SyncModel, settings: PostgresSettings? = nil,
    clock: @escaping () -> Int64 = SyncClock.systemMilliseconds,
    time: @escaping () -> Int64 = SyncClock.systemMilliseconds, copyOf copied: Copied? = nil,
    encryptionKey: [UInt8]? = nil, prepare: (Snapshot) -> Void = { _ in }
  ) throws {
    (self.catalogue, self.model, self.settings) = (catalogue, model, settings)
    (self.clock, self.time, self.encryptionKey) = (clock, time, encryptionKey)
    switch copied {
    case .open(let file): try Snapshot(file: file).writeCopy(to: path)
    case .closed(let original): try FileManager.default.copyItem(atPath: original, toPath: path)
    case nil:
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: encryptionKey))
      try Writer(snapshot).begin()
      Writer(snapshot).setCatalogue(catalogue)
      prepare(snapshot)
      try Writer(snapshot).commit(durability: .deferred)
    }
    try open()
  }

  var path: String { folder.path("file.realm") }

  /// Takes note of what the client reports.
  func note(_ event: SyncEvent) { events.append(event) }

  var rejected: [RejectedObject] {
    events.flatMap { event -> [RejectedObject] in
      if case .rejected(let objects) = event { objects } else { [] }
    }
  }

  var unreadable: [UnreadableValue] {
    events.flatMap { event -> [UnreadableValue] in
      if case .unreadable(let values) = event { values } else { [] }
    }
  }

  var resets: [ResetCause] {
    events.compactMap { if case .reset(let cause) = $0 { cause } else { nil } }
  }

  // MARK: Client

  func open() throws {
    file = try DatabaseFile.open(path: path, encryptionKey: encryptionKey)
    file.milliseconds = clock
    try SyncClient.prepare(file, model, time: clock())
    writer = try Snapshot(file: file)
    client = try SyncClient(
      file, model, schema: "app", time: time, report: { [unowned self] event in note(event) })
  }

  /// Ends the client, as a killed process does.
  func close() {
    client.disconnect()
    (client, writer, file) = (nil, nil, nil)
  }

  /// Ends the client, and starts another one from the file.
  func restart() throws {
    close()
    try open()
  }

  /// Ends the client as a failure of the system does, after which the disk has nothing that it was not told to keep: the file
  /// goes back to its newest durable version.
  func cutPower() throws {
    let failure = try PowerFailure(of: path)
    var image = try Data(contentsOf: URL(filePath: path))
    failure.apply(to: &image)
    try whileClosed {
      let handle = try FileHandle(forWritingTo: URL(filePath: path))
      try handle.write(contentsOf: image)
      try handle.close()
      // What was in memory is gone as well.
      try FileManager.default.removeItem(atPath: path + "-lock")
    }
  }

  /// Ends the client, does something with the closed file, and starts another client from it.
  func whileClosed<Result>(_ body: () throws -> Result) throws -> Result {
    weak let former = file
    close()
    // A synchronisation of the disk that is under way keeps it open.
    while former != nil { usleep(100) }
    // The thread that releases it then notes in the file that the disk has all of it, which must not come after what is done here.
    if let lock = FileIdentity(path: path + "-lock") { _ = FileRegistry.shared.isLockInUse(lock) }
    let result = try body()
    try open()
    return result
  }

  /// Connects the client unless it is connected.
  func connect() throws {
    if client.connection != nil { return }
    client.connection = try PostgresConnection(settings!)
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

  /// Sends what is pending, and receives what is new.
  func transfer() throws {
    try push()
    try pull()
  }

  // MARK: Objects

  /// Runs a transaction of the user. Returns its stamp.
  @discardableResult
  func write(_ body: (Snapshot) throws -> Void) throws -> UInt64 {
    try Writer(writer).begin()
    try body(writer)
    try Writer(writer).commit(durability: .deferred)
    return try writer.syncClock().greatest
  }

  func row(_ table: Int, _ key: Value) -> Int? {
    writer.firstRow(table: table, column: 0, equalTo: IndexKey(key))
  }

  /// Creates an object with a key, in the write transaction that is open. Returns its row.
  @discardableResult
  func create(_ table: Int, _ key: Value) -> Int {
    let row = writer.table(table).insertRow()
    writer.table(table).setValue(0, row, key)
    return row
  }

  /// Deletes the object with a key if it is there, in the write transaction that is open.
  func delete(_ table: Int, _ key: Value) {
    if let row = row(table, key) { writer.table(table).deleteRow(row) }
  }
}
