import Foundation
import TestSupport
import Testing

@testable import Storage

/// What the log of changes keeps for a reader that stays at an old version, and what that costs.
@Suite struct ChangeLogTests {
  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Dog",
      columns: [
        Column(name: "age", type: .int), Column(name: "names", type: .string, collection: .list),
      ]),
    TableDescription(name: "Toy", columns: [Column(name: "price", type: .int)]),
  ])
  private static let rowCount = 2000

  private func create(_ path: String) throws -> Snapshot {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try snapshot.beginWrite()
    snapshot.setCatalogue(Self.catalogue)
    for _ in 0..<Self.rowCount {
      snapshot.table(0).setInteger(0, snapshot.table(0).insertRow(), 0)
      snapshot.table(1).setInteger(0, snapshot.table(1).insertRow(), 0)
    }
    try snapshot.commitWrite(durability: .relaxed)
    return snapshot
  }

  private func logEntries(_ snapshot: Snapshot) throws -> [LogCursor.Logged] {
    let transaction = try snapshot.file.takeReader()
    defer { transaction.abort() }
    let cursor = try LogCursor(transaction, snapshot.file.databases.main)
    defer { cursor.close() }
    var entries: [LogCursor.Logged] = []
    var next = try cursor.seek(0)
    while let entry = next {
      entries.append(entry)
      next = try cursor.next()
    }
    return entries
  }

  /// What a model says of the versions: in each, one row of a table was written or deleted, or one added.
  private enum Change {
    case written(table: Int, row: Int)
    case deleted(table: Int, row: Int)
    case inserted(table: Int)
  }

  @Test(arguments: [51, 52] as [UInt64])
  func readersOfAnyVersionLearnWhatHasChanged(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let writer = try create(path)
    var readers: [Snapshot] = []
    var history: [(version: UInt64, change: Change)] = []
    for step in 0..<1500 {
      // Far apart, so that there is something to put together, and also next to each other.
      if step % 300 == 7 || step % 300 == 8 { readers.append(try Snapshot(file: writer.file)) }
      try writer.beginWrite()
      let number = Int.random(in: 0..<2, using: &random)
      let table = writer.table(number)
      let row = Int.random(in: 0..<Self.rowCount, using: &random)
      let change: Change
      if step % 50 == 49 || !table.isAlive(row) {
        table.setInteger(0, table.insertRow(), 1)
        change = .inserted(table: number)
      } else if step % 10 == 9 {
        table.deleteRow(row)
        change = .deleted(table: number, row: row)
      } else {
        table.setInteger(0, row, Int64(step))
        change = .written(table: number, row: row)
      }
      if step % 7 == 3 {
        // Two transactions that become one version have an entry each.
        try writer.stageWrite(durability: .relaxed)
        try writer.openWrite()
        writer.table(0).appendElement(1, 0, .string("name"))
      }
      try writer.commitWrite(durability: .relaxed)
      history.append((writer.version, change))
    }
    #expect(try logEntries(writer).contains { $0.isBlock })
    for reader in readers { try check(writer, after: reader.version, history) }
    let version = readers[4].version
    readers.removeFirst(4)
    // Entries that nobody needs any more go, the others stay.
    for _ in 0..<40 {
      try writer.beginWrite()
      writer.table(1).setInteger(0, Self.rowCount, 5)
      try writer.commitWrite(durability: .relaxed)
      history.append((writer.version, .written(table: 1, row: Self.rowCount)))
    }
    try check(writer, after: version, history)
    for reader in readers { try check(writer, after: reader.version, history) }
  }

  private func check(
    _ snapshot: Snapshot, after version: UInt64, _ history: [(version: UInt64, change: Change)]
  ) throws {
    let changes = try #require(snapshot.changes(after: version))
    var modified: [Set<Int>] = [[], []]
    var deleted: [Set<Int>] = [[], []]
    var inserted = [0, 0]
    for (number, change) in history where number > version {
      switch change {
      case .written(let table, let row): modified[table].insert(row)
      case .deleted(let table, let row): deleted[table].insert(row)
      case .inserted(let table): inserted[table] += 1
      }
    }
    for number in 0..<2 {
      let table = try #require(changes.tables[number])
      #expect(table.insertedRange.count == inserted[number])
      #expect(Set(table.deleted.members) == deleted[number])
      let old = modified[number].filter { $0 < table.firstNewRow }
      #expect(Set(table.modified[0]?.members ?? []) == old)
    }
  }

  @Test func commitsUnderAPinnedReaderWriteFewPages() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let writer = try create(path)
    func lastPage() -> Int { writer.file.environment.lastPage }
    func commit(_ count: Int) throws {
      for number in 0..<count {
        try writer.beginWrite()
        writer.table(0).setInteger(0, number % Self.rowCount, Int64(number % 100))
        try writer.commitWrite(durability: .relaxed)
      }
    }
    try commit(100)
    let reader = try Snapshot(file: writer.file)
    let before = lastPage()
    try commit(4000)
    // The two pages of the columns' tree, two of LMDB's list of free pages, and one of the main database.
    #expect(Double(lastPage() - before) / 4000 < 5.5)
    #expect(try logEntries(writer).count < 100)
    #expect(
      try #require(writer.changes(after: reader.version)).tables[0]?.modified[0]?.count == Self.rowCount)
  }

  @Test func entriesThatNobodyNeedsDisappear() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let writer = try create(path)
    func commit(_ count: Int) throws {
      for number in 0..<count {
        try writer.beginWrite()
        writer.table(0).setInteger(0, 0, Int64(number))
        try writer.commitWrite(durability: .relaxed)
      }
    }
    try {
      let reader = try Snapshot(file: writer.file)
      try commit(1000)
      #expect(try #require(writer.changes(after: reader.version)).tables[0]?.modified[0]?.count == 1)
    }()
    try commit(32)
    #expect(try logEntries(writer).count <= 17)
  }

  /// None of them ends the program, reads beyond the value, or is taken for something else.
  @Test func damagedBlocksAreRefused() throws {
    var writer = ByteWriter()
    writer.append(UInt32(2))
    writer.append(UInt32(6))
    writer.bytes += [7, 1, 0xAA, 8, 1, 0xBB]
    func entries(_ bytes: [UInt8]) -> [UInt64]? {
      var versions: [UInt64] = []
      let isWhole = bytes.withUnsafeBytes { bytes in
        LogBlock.forEachEntry(bytes) { version, _ in
          versions.append(version)
          return true
        }
      }
      return isWhole ? versions : nil
    }
    #expect(entries(writer.bytes) == [7, 8])
    for count in 0..<writer.bytes.count { #expect(entries(Array(writer.bytes[..<count])) == nil) }
    var damaged = writer.bytes
    damaged[9] = 0xFF
    #expect(entries(damaged) == nil)
    damaged = writer.bytes
    damaged[3] = 0x80
    #expect(entries(damaged) == nil)
  }

  @Test func damagedRangesAreRefused() {
    func ranges(_ numbers: [UInt64]) -> IndexRanges? {
      var writer = ByteWriter()
      for number in numbers { writer.appendVariable(number) }
      return writer.bytes.withUnsafeBytes {
        var reader = ByteReader($0)
        return reader.readRanges()
      }
    }
    #expect(ranges([2, 3, 1, 0, 2]) != nil)
    #expect(ranges([1, UInt64(Int.max), 1]) == nil)
    #expect(ranges([1, 1, UInt64(Int.max)]) == nil)
    #expect(ranges([2, UInt64(Int.max) / 2, 1, UInt64(Int.max) / 2, 5]) == nil)
    #expect(ranges([.max]) == nil)
    #expect(ranges([3, 1, 1]) == nil)
  }
}
