import Foundation
import TestSupport

@testable import Storage

/// A file of one table with one integer column, whose rows are a function of the version's number.
final class Numbers {
  let path: String
  let file: DatabaseFile
  let snapshot: Snapshot
  private(set) var count = 0

  convenience init() throws {
    let path = TemporaryFile.path()
    try self.init(path, DatabaseFile.open(path: path))
  }

  private init(_ path: String, _ file: DatabaseFile) throws {
    (self.path, self.file) = (path, file)
    snapshot = try Snapshot(file: file)
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(
      Catalogue(tables: [TableDescription(name: "Number", columns: [Column(name: "value", type: .int)])]))
    try Writer(snapshot).commit()
  }

  /// Adds a row, whose value is the number of rows before.
  func append(_ durability: Durability) throws {
    try Writer(snapshot).begin()
    let table = snapshot.table(0)
    table.setInteger(0, table.insertRow(), Int64(model.count))
    model.append(Int64(model.count))
    do {
      try Writer(snapshot).commit(durability: durability)
    } catch {
      if snapshot.liveCount(table: 0) < model.count { model.removeLast() }
      throw error
    }
  }

  deinit { TemporaryFile.delete(path) }

  /// The values of all rows.
  private(set) var model: [Int64] = []

  /// Changes rows all over the file, within a transaction.
  ///
  /// - Parameter rows: How many are added.
  func change(_ random: inout SeededGenerator, rows: ClosedRange<Int> = 1...200) {
    let table = snapshot.table(0)
    for _ in 0..<Int.random(in: rows, using: &random) {
      _ = table.insertRow()
      model.append(0)
    }
    count += 1
    for row in stride(from: count % 101, to: model.count, by: 101) {
      model[row] = Int64(row &* 31 &+ count)
      table.setInteger(0, row, model[row])
    }
  }

  static func content(_ snapshot: Snapshot) -> [Int64] {
    (0..<snapshot.rowLimit(table: 0)).map { snapshot.table(0).integer(0, $0) }
  }
}
