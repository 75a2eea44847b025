import Foundation
import TestSupport

@testable import Storage

/// A file of one class with a key and a number, synced from its second version on.
final class SyncedFile {
  static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Dog",
      columns: [
        Column(name: "id", type: .int, isIndexed: true, isPrimaryKey: true), Column(name: "age", type: .int),
        Column(name: "name", type: .string, isNullable: true, isIndexed: true),
      ])
  ])

  let path = TemporaryFile.path()
  let snapshot: Snapshot

  /// - Parameter rows: How many are there before the file is synced.
  init(rows: Int = 3, isSynced: Bool = true) throws {
    snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try snapshot.write {
      Writer($0).setCatalogue(Self.catalogue)
      for key in 0..<rows { $0.insertDog(key) }
    }
    if isSynced { try snapshot.write { Writer($0).markSynced() } }
  }

  deinit { TemporaryFile.delete(path) }
}

extension Snapshot {
  /// Runs the body in a write transaction and commits it.
  func write(_ durability: Durability = .relaxed, _ body: (Snapshot) throws -> Void) throws {
    let writer = Writer(self)
    try writer.begin()
    try body(self)
    try writer.commit(durability: durability)
  }

  func insertDog(_ key: Int) {
    let row = table(0).insertRow()
    table(0).setInteger(0, row, Int64(key))
    table(0).setInteger(1, row, 0)
    table(0).setValue(2, row, .string("dog \(key)"))
  }

  /// The entries of the log that can be read one by one, as they are stored, by their keys.
  func logVersions() throws -> [UInt64] {
    let cursor = try LogCursor(lease.transaction, .main)
    defer { cursor.close() }
    var versions: [UInt64] = []
    var next = try cursor.seek(0)
    while let entry = next {
      versions.append(entry.version)
      next = try cursor.next()
    }
    return versions
  }
}
