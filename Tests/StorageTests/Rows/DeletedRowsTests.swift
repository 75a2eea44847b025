import Foundation
import Testing

@testable import Storage

/// What deleted rows leave in the file: nothing, once all rows of a chunk are gone.
@Suite struct DeletedRowsTests {
  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Photo",
      columns: [
        Column(name: "number", type: .int), Column(name: "content", type: .data, isNullable: true),
        Column(name: "names", type: .string, collection: .list),
      ])
  ])

  private static func content(_ row: Int) -> [UInt8] { Array(repeating: UInt8(row & 0xFF), count: 1000) }

  private func insert(_ table: Table, _ count: Int) {
    for _ in 0..<count {
      let row = table.insertRow()
      table.setInteger(0, row, Int64(row) + 7)
      Self.content(row).withUnsafeBytes { table.setData(1, row, $0) }
      table.appendElement(2, row, .string("name"))
    }
  }

  private func create(_ path: String, rows: Int) throws -> Snapshot {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    insert(snapshot.table(0), rows)
    try Writer(snapshot).commit(durability: .relaxed)
    return snapshot
  }

  @Test func longValuesOfDeletedRowsDisappear() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try create(path, rows: 2000)
    #expect(try snapshot.entryCount(.values) == 2000)
    try Writer(snapshot).begin()
    for row in stride(from: 0, to: 2000, by: 2) { snapshot.table(0).deleteRow(row) }
    try Writer(snapshot).commit(durability: .relaxed)
    #expect(try snapshot.entryCount(.values) == 1000)
    for row in 0..<2000 {
      #expect(snapshot.isAlive(table: 0, row: row) == (row % 2 == 1))
      if row % 2 == 1 {
        #expect(Array(snapshot.bytes(table: 0, column: 1, row: row)) == Self.content(row))
      }
    }
    // The chunk still says that the deleted rows' values are elsewhere.
    try Writer(snapshot).begin()
    snapshot.table(0).setNull(1, 1)
    try Writer(snapshot).commit(durability: .relaxed)
    #expect(try snapshot.entryCount(.values) == 999)
    #expect(Array(snapshot.bytes(table: 0, column: 1, row: 3)) == Self.content(3))
  }

  @Test func chunksWithoutRowsDisappear() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try create(path, rows: 2500)
    let reader = try Snapshot(file: snapshot.file)
    #expect(try snapshot.entryCount(.columns) == 3 * 4)
    try Writer(snapshot).begin()
    for row in 0..<960 { snapshot.table(0).deleteRow(row) }
    for row in 1920..<2500 {
      snapshot.table(0).setInteger(0, row, -1)
      snapshot.table(0).deleteRow(row)
    }
    try Writer(snapshot).commit(durability: .relaxed)
    #expect(try snapshot.entryCount(.columns) == 4)
    #expect(try snapshot.entryCount(.values) == 960)
    #expect(try snapshot.entryCount(.collections) == 960)
    #expect(snapshot.liveCount(table: 0) == 960)
    #expect(!snapshot.isAlive(table: 0, row: 959) && snapshot.isAlive(table: 0, row: 960))
    // Who reads the version before still has everything.
    #expect(reader.table(0).integer(0, 2499) == 2506)
    #expect(Array(reader.bytes(table: 0, column: 1, row: 5)) == Self.content(5))
    // The last chunk, of which rows are left over, is begun again.
    try Writer(snapshot).begin()
    let row = snapshot.table(0).insertRow()
    #expect(row == 2500)
    snapshot.table(0).setInteger(0, row, 42)
    try Writer(snapshot).commit(durability: .relaxed)
    #expect(try reader.advance())
    #expect(reader.table(0).integer(0, 2500) == 42)
    #expect(reader.table(0).isNull(1, 2500))
    #expect(reader.count(table: 0, column: 2, row: 2500) == 0)
    #expect(!reader.isAlive(table: 0, row: 2499))
  }

  @Test func rowsThatNeverReachTheFileLeaveNothing() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try create(path, rows: 0)
    try Writer(snapshot).begin()
    insert(snapshot.table(0), 1000)
    snapshot.table(0).deleteAllRows()
    try Writer(snapshot).commit(durability: .relaxed)
    for tree in [
      EntryTree.columns, .values, .collections,
    ] {
      #expect(try snapshot.entryCount(tree) == 0)
    }
    #expect(snapshot.rowLimit(table: 0) == 1000)
    #expect(snapshot.liveCount(table: 0) == 0)
  }

  @Test func embeddedObjectsThatHoldEachOtherAreDeletedOnce() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(
      Catalogue(tables: [
        TableDescription(
          name: "Node", isEmbedded: true,
          columns: [
            Column(name: "next", type: .link, isNullable: true, target: 0),
            Column(name: "nodes", type: .link, collection: .list, target: 0),
            Column(name: "number", type: .int, isIndexed: true),
          ])
      ]))
    let table = snapshot.table(0)
    let rows = (0..<4).map { number in
      let row = table.insertRow()
      table.setLink(0, row, nil)
      table.setInteger(2, row, Int64(number))
      return row
    }
    table.setLink(0, rows[0], rows[1])
    table.appendLink(1, rows[1], rows[2])
    table.setLink(0, rows[2], rows[0])
    try Writer(snapshot).commit(durability: .relaxed)
    try Writer(snapshot).begin()
    table.deleteRow(rows[0])
    let presence = try #require(snapshot.writing?.dirtyChunks.first { $0.column < 0 }).wide
    #expect((0..<4).filter { presence.wasWritten($0) } == [0, 1, 2])
    table.deleteRow(rows[0])
    try Writer(snapshot).commit(durability: .relaxed)
    #expect(snapshot.liveCount(table: 0) == 1)
    #expect((0..<4).map { snapshot.isAlive(table: 0, row: $0) } == [false, false, false, true])
    #expect(snapshot.rows(.column(2, ofTable: 0), equalTo: IndexKey(Int64(3))) == [3])
    #expect(snapshot.rows(.column(2, ofTable: 0), equalTo: IndexKey(Int64(0))) == [])
  }
}
