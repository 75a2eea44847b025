import Foundation
import TestSupport
import Testing

@testable import Storage

/// What deleted rows leave behind, in the file and in a compacted one; and the fill of indexes.
@Suite struct RepackingTests {
  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Thing",
      columns: [
        Column(name: "number", type: .int, isIndexed: true),
        Column(name: "text", type: .string, isIndexed: true),
        Column(name: "token", type: .uuid), Column(name: "value", type: .double, isNullable: true),
        Column(name: "flag", type: .bool), Column(name: "note", type: .string, isNullable: true),
      ])
  ])

  private static func text(_ row: Int) -> String { "text \((row * 7919) % 100_003)" }

  private func insert(_ snapshot: Snapshot, _ count: Int) {
    let table = snapshot.table(0)
    for _ in 0..<count {
      let row = table.insertRow()
      table.setInteger(0, row, Int64((row * 7919) % 100_003))
      table.setString(1, row, Self.text(row))
      table.setValue(2, row, .uuid(Fixed16(high: UInt64(row), low: ~UInt64(row))))
      table.setDouble(3, row, Double(row) / 7)
      table.setValue(4, row, .bool(row % 3 == 0))
      // Some lie outside of their chunks, of the first ones only.
      table.setString(
        5, row, row < 960 && row % 100 == 0 ? String(repeating: "x", count: 500) : "note \(row)")
    }
  }

  private func check(_ snapshot: Snapshot, _ rows: Set<Int>) {
    let table = snapshot.table(0)
    #expect((0..<table.rowLimit).filter(table.isAlive).count == rows.count)
    for row in rows {
      #expect(table.isAlive(row))
      #expect(table.integer(0, row) == Int64((row * 7919) % 100_003))
      #expect(table.string(1, row) == Self.text(row))
      #expect(table.double(3, row) == Double(row) / 7)
      #expect(table.value(4, row) == .bool(row % 3 == 0))
      #expect(table.string(5, row).hasSuffix(row < 960 && row % 100 == 0 ? "xxx" : "note \(row)"))
    }
    for row in rows.prefix(100) {
      #expect(snapshot.rows(.column(1, ofTable: 0), equalTo: IndexKey(Value.string(Self.text(row)))) == [row])
    }
  }

  /// The bytes of all values in a tree.
  private func size(_ snapshot: Snapshot, _ tree: EntryTree) throws -> Int {
    let cursor = try snapshot.source.openCursor(tree)
    defer { cursor.close() }
    var size = 0
    while let entry = try cursor.nextEntry() { size += entry.value.count }
    return size
  }

  /// Chunks become smaller with their rows, as they are deleted and in a compacted file.
  @Test func chunksShrink() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    var random = SeededGenerator(printing: 5)
    var rows = Set(0..<9000)
    var compacted = 0
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try Writer(snapshot).begin()
      Writer(snapshot).setCatalogue(Self.catalogue)
      insert(snapshot, rows.count)
      try Writer(snapshot).commit(durability: .relaxed)
      let full = try size(snapshot, .columns)
      let reader = try Snapshot(file: snapshot.file)
      for round in 0..<20 {
        try Writer(snapshot).begin()
        for row in rows.shuffled(using: &random).prefix(rows.count / 5) {
          snapshot.table(0).deleteRow(row)
          rows.remove(row)
        }
        // A value in a chunk that may be sparse by now.
        if let row = rows.randomElement(using: &random) {
          snapshot.table(0).setInteger(0, row, Int64((row * 7919) % 100_003))
          snapshot.table(0).setString(1, row, Self.text(row))
        }
        try Writer(snapshot).commit(durability: .relaxed)
        if round % 5 == 4 { check(snapshot, rows) }
      }
      try reader.advance()
      check(reader, rows)
      let left = try size(snapshot, .columns)
      // 1 % of the rows: what is left are headers and bitmaps.
      #expect(left < full / 15)
      compacted = left
      insert(snapshotInWrite(snapshot), 500)
      rows.formUnion(9000..<9500)
      try Writer(snapshot).commit(durability: .relaxed)
      check(snapshot, rows)
    }
    #expect(try DatabaseFile.compact(path: path))
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    check(snapshot, rows)
    #expect(try size(snapshot, .columns) < compacted + 60_000)
  }

  private func snapshotInWrite(_ snapshot: Snapshot) -> Snapshot {
    try! Writer(snapshot).begin()
    return snapshot
  }

  /// Half of the rows of each chunk: too many for another form, but what the others had goes when the file is compacted.
  @Test func stringsOfDeletedRows() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    var before = 0
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try Writer(snapshot).begin()
      Writer(snapshot).setCatalogue(Self.catalogue)
      insert(snapshot, 5000)
      try Writer(snapshot).commit(durability: .relaxed)
      try Writer(snapshot).begin()
      for row in stride(from: 0, to: 5000, by: 2) { snapshot.table(0).deleteRow(row) }
      try Writer(snapshot).commit(durability: .relaxed)
      before = try size(snapshot, .columns)
    }
    #expect(try DatabaseFile.compact(path: path))
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    check(snapshot, Set(stride(from: 1, to: 5000, by: 2)))
    #expect(try size(snapshot, .columns) < before * 9 / 10)
  }

  /// Blocks of an index that grew at random are full again.
  @Test func blocksAreFilled() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    var before = 0
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try Writer(snapshot).begin()
      Writer(snapshot).setCatalogue(Self.catalogue)
      try Writer(snapshot).commit(durability: .relaxed)
      for _ in 0..<40 {
        try Writer(snapshot).begin()
        insert(snapshot, 200)
        try Writer(snapshot).commit(durability: .relaxed)
      }
      before = try snapshot.entryCount(.indexes)
    }
    #expect(try DatabaseFile.compact(path: path))
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    check(snapshot, Set(0..<8000))
    let after = try snapshot.entryCount(.indexes)
    #expect(after <= before * 9 / 10, "\(after) blocks instead of \(before)")
    // They can be changed.
    try Writer(snapshot).begin()
    for row in 0..<4000 { snapshot.table(0).deleteRow(row) }
    insert(snapshot, 300)
    try Writer(snapshot).commit(durability: .relaxed)
    check(snapshot, Set(4000..<8300))
  }

  /// Keys that are longer than a block's key, and pairs that are there several times.
  @Test func longKeysAndRepetitions() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let catalogue = Catalogue(tables: [
      TableDescription(
        name: "Thing",
        columns: [
          Column(name: "text", type: .string, isIndexed: true),
          Column(name: "things", type: .link, collection: .list, target: 0),
        ])
    ])
    func text(_ row: Int) -> String {
      row % 3 == 0 ? "short \(row)" : String(repeating: "long ", count: 120) + "\(row * 7919 % 1009)"
    }
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try Writer(snapshot).begin()
      Writer(snapshot).setCatalogue(catalogue)
      try Writer(snapshot).commit(durability: .relaxed)
      for _ in 0..<10 {
        try Writer(snapshot).begin()
        let table = snapshot.table(0)
        for _ in 0..<100 {
          let row = table.insertRow()
          table.setString(0, row, text(row))
          for _ in 0..<row % 4 { table.appendLink(1, row, row / 2) }
        }
        try Writer(snapshot).commit(durability: .relaxed)
      }
    }
    #expect(try DatabaseFile.compact(path: path))
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    for row in 0..<1000 {
      #expect(snapshot.rows(.column(0, ofTable: 0), equalTo: IndexKey(Value.string(text(row)))) == [row])
      let expected = [2 * row, 2 * row + 1].filter { $0 < 1000 }.flatMap {
        Array(repeating: $0, count: $0 % 4)
      }
      #expect(snapshot.backlinks(to: row, of: 0, from: 0, column: 1) == expected)
    }
  }
}
