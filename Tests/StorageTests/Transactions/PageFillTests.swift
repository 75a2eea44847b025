import CLMDB
import TestSupport
import Testing

@testable import Storage

@Suite struct PageFillTests {
  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Thing",
      columns: [
        Column(name: "text", type: .string), Column(name: "words", type: .string, collection: .list),
      ])
  ])

  private static func text(_ row: Int) -> String { String(repeating: "text \(row) ", count: 50) }

  /// What new rows have is stored in the order of its keys, whether they come in one transaction or in many: entries that
  /// are put between others leave LMDB's pages emptier.
  @Test(arguments: [1, 40]) func newRowsFillTheirPages(transactions: Int) throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let count = 2_000
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try snapshot.beginWrite()
      snapshot.setCatalogue(Self.catalogue)
      for row in 0..<count {
        if row > 0 && row % (count / transactions) == 0 {
          try snapshot.commitWrite(durability: .relaxed)
          try snapshot.beginWrite()
        }
        let table = snapshot.table(0)
        #expect(table.insertRow() == row)
        table.setString(0, row, Self.text(row))
        table.insertElements(1, row, at: 0, (0..<4).map { .string("word \($0) of \(row)") })
      }
      try snapshot.commitWrite(durability: .relaxed)
      for database in [snapshot.file.databases.values, snapshot.file.databases.collections] {
        let fill = try fill(of: database, snapshot)
        #expect(fill > 0.75, "\(fill)")
      }
    }
    #expect(try FileVerification(path: path).faults.isEmpty)
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    for row in 0..<count {
      #expect(snapshot.table(0).string(0, row) == Self.text(row))
      #expect(snapshot.table(0).element(1, row, at: 3) == .string("word 3 of \(row)"))
    }
  }

  /// How much of a database's leaf pages is filled.
  private func fill(of database: EntryTree, _ snapshot: Snapshot) throws -> Double {
    let cursor = try snapshot.source.openCursor(database)
    defer { cursor.close() }
    var size = 0
    // A header and a place in the page for each entry.
    while let entry = try cursor.nextEntry() { size += entry.key.count + entry.value.count + 10 }
    var statistics = MDB_stat()
    #expect(mdb_stat(snapshot.source.handle, database.number, &statistics) == 0)
    return Double(size) / Double(statistics.ms_leaf_pages * LMDBPage.size)
  }
}
