import Foundation
import TestSupport
import Testing

@testable import Storage

/// Transactions that insert more rows than they hold at full width: everything is read, changed, deleted and stored as
/// if they did.
@Suite struct PackedChunkTests {
  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Thing",
      columns: [
        Column(name: "number", type: .int, isIndexed: true),
        Column(name: "name", type: .string, isNullable: true, isIndexed: true),
        Column(name: "content", type: .data), Column(name: "weight", type: .double, isNullable: true),
        Column(name: "flag", type: .bool), Column(name: "id", type: .objectId),
        Column(name: "next", type: .link, isNullable: true, target: 0),
        Column(name: "any", type: .mixed, isNullable: true),
        Column(name: "text", type: .string, isFullText: true),
      ])
  ])

  private struct Model {
    var rows: [Int: [Value]] = [:]
    var rowLimit = 0
    /// The rows that link to a row, with some that did.
    private var linking: [Int: Set<Int>] = [:]
    var random: SeededGenerator

    init(random: SeededGenerator) { self.random = random }

    mutating func anyRow() -> Int? {
      if rows.isEmpty { return nil }
      while true {
        let row = below(rowLimit)
        if rows[row] != nil { return row }
      }
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    mutating func value(_ column: Int) -> Value {
      switch column {
      case 0: return .int(Int64(below(500)))
      case 1: return below(5) == 0 ? .null : .string("name \(below(2000))")
      case 2:
        // Few are long, so that some chunks have none.
        return .data(Array(repeating: UInt8(below(256)), count: below(3000) == 0 ? 400 : below(20)))
      case 3: return below(4) == 0 ? .null : .double(Double(below(1000)) / 8)
      case 4: return .bool(below(2) == 0)
      case 5: return .objectId(Fixed12(high: UInt64(below(1 << 40)), low: UInt32(below(1000))))
      case 6:
        guard below(3) > 0, let row = anyRow() else { return .null }
        return .link(table: 0, row: row)
      case 7: return below(2) == 0 ? .int(Int64(below(9))) : .string("any \(below(100))")
      default: return .string("word\(below(50)) other\(below(50))")
      }
    }

    mutating func insert(_ table: Table) {
      let row = table.insertRow()
      var values: [Value] = []
      for column in 0..<9 {
        let value = value(column)
        table.setValue(column, row, value)
        values.append(value)
      }
      rows[row] = values
      rowLimit = row + 1
      remember(values[6], of: row)
    }

    mutating func change(_ table: Table) {
      guard let row = anyRow() else { return }
      set(table, row, below(9))
    }

    mutating func set(_ table: Table, _ row: Int, _ column: Int) {
      let value = value(column)
      table.setValue(column, row, value)
      rows[row]![column] = value
      if column == 6 { remember(value, of: row) }
    }

    private mutating func remember(_ link: Value, of row: Int) {
      if case .link(_, let target) = link { linking[target, default: []].insert(row) }
    }

    mutating func delete(_ table: Table) { if let row = anyRow() { delete(table, row) } }

    mutating func delete(_ table: Table, _ row: Int) {
      table.deleteRow(row)
      rows[row] = nil
      for other in linking.removeValue(forKey: row) ?? [] where rows[other]?[6] == .link(table: 0, row: row) {
        rows[other]![6] = .null
      }
    }

    func check(_ snapshot: Snapshot) {
      let table = snapshot.table(0)
      #expect(snapshot.liveCount(table: 0) == rows.count)
      for row in 0..<table.rowLimit {
        guard table.isAlive(row) else {
          #expect(rows[row] == nil)
          continue
        }
        let values = (0..<9).map { table.value($0, row) }
        if values != rows[row] { Issue.record("row \(row): \(values) instead of \(rows[row] ?? [])") }
      }
      let byNumber = Dictionary(grouping: rows.keys) { rows[$0]![0] }
      for number in 0..<500 {
        let found = snapshot.rows(.column(0, ofTable: 0), equalTo: IndexKey(Int64(number)))
        let expected = (byNumber[.int(Int64(number))] ?? []).sorted()
        if found != expected { Issue.record("number \(number): \(found) instead of \(expected)") }
      }
      #expect(
        snapshot.rows(.column(1, ofTable: 0), equalTo: .null)
          == rows.filter { $0.value[1] == .null }.keys.sorted())
    }
  }

  @Test(arguments: [61, 62, 63] as [UInt64])
  func allIsAsIfNothingWerePacked(seed: UInt64) throws {
    print("seed \(seed)")
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    let snapshot = try Snapshot(file: file)
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    try Writer(snapshot).commit(durability: .relaxed)
    let table = snapshot.table(0)
    var model = Model(random: SeededGenerator(seed: seed))
    for round in 0..<3 {
      let before = model
      try Writer(snapshot).begin()
      for step in 0..<4500 {
        model.insert(table)
        if step % 60 == 59 { model.change(table) }
        if step % 200 == 199 { model.delete(table) }
        if step == 4400 { #expect(try #require(snapshot.writing).packedChunks.count > 3) }
      }
      // Now also chunks that nobody inserts into any more.
      for _ in 0..<300 { model.change(table) }
      model.check(snapshot)
      switch round {
      case 0:
        let random = model.random
        Writer(snapshot).cancel()
        model = before
        model.random = random
      case 1:
        try Writer(snapshot).stage(durability: .relaxed)
        try Writer(snapshot).open()
        for _ in 0..<100 { model.change(table) }
        try Writer(snapshot).commitStaged(durability: .relaxed)
        for _ in 0..<2000 { model.insert(table) }
        model.check(snapshot)
        try Writer(snapshot).commit(durability: .relaxed)
      default:
        try Writer(snapshot).commit(durability: .relaxed)
      }
      model.check(snapshot)
    }
    model.check(try Snapshot(file: file))
  }

  /// Rows that were there before, as a migration goes through them: the version before is read beside.
  @Test(
    arguments: TestLength.seeds(Array(71...90), short: 3), [nil, [UInt8](repeating: 6, count: 64)])
  func allIsAsIfNothingWerePackedOfFormerRows(seed: UInt64, key: [UInt8]?) throws {
    print("seed \(seed)")
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path, encryptionKey: key)
    let snapshot = try Snapshot(file: file)
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    let table = snapshot.table(0)
    var model = Model(random: SeededGenerator(seed: seed))
    for _ in 0..<4500 { model.insert(table) }
    // A chunk of few rows.
    for row in 1000..<1800 where model.rows[row] != nil { model.delete(table, row) }
    try Writer(snapshot).commit(durability: .relaxed)
    for round in 0..<3 {
      let before = model
      let version = snapshot.version
      try Writer(snapshot).begin()
      let old = try Snapshot(sharing: snapshot)
      var numbers: Set<Int> = []
      // The second time through what was packed.
      for column in [0, 1, 2, 3, 7, 8, 0, 2] {
        old.table(0).forEachSoundRow { row in
          if (row + round) % 3 == 0 || !table.isAlive(row) { return }
          if row % 7 == 0 { #expect((0..<9).map { old.table(0).value($0, row) } == before.rows[row]) }
          // Of another chunk, perhaps.
          if row % 90 == 0, let other = model.anyRow() { model.set(table, other, 2) }
          model.set(table, row, column)
          if column == 0 { numbers.insert(row) }
          if row % 500 == 499 { model.insert(table) }
          if row % 700 == 699 { model.delete(table) }
        } afterChunk: {
          Writer(snapshot).packChunks(table, $0)
        }
      }
      #expect(try #require(snapshot.writing).packedChunks.count > 10)
      model.check(snapshot)
      before.check(old)
      if round == 0 {
        let random = model.random
        Writer(snapshot).cancel()
        model = before
        model.random = random
      } else {
        try Writer(snapshot).commit(durability: .relaxed)
        let changes = try #require(snapshot.changes(after: version)?.tables[0])
        #expect(
          changes.modified[0].map { Set($0.members) }?.subtracting(changes.deleted.members)
            == numbers.filter { before.rows[$0] != nil && model.rows[$0] != nil })
      }
      model.check(snapshot)
      model.check(try Snapshot(file: file))
      #expect(try FileVerification(path: path, encryptionKey: key).faults == [])
    }
  }

  /// The memory of strings goes when their chunks are packed.
  @Test func stringsThatWerePackedAreFreed() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(
      Catalogue(tables: [
        TableDescription(
          name: "Thing",
          columns: [
            Column(name: "name", type: .string), Column(name: "tags", type: .string, collection: .list),
          ])
      ]))
    let table = snapshot.table(0)
    let count = 100_000
    func name(_ row: Int) -> String { String(repeating: "\(row) ", count: 30).prefix(100) + "" }
    for row in 0..<count {
      _ = table.insertRow()
      table.setString(0, row, name(row))
      // They lie between the names.
      if row < 5000, row % 100 == 0 { table.appendElement(1, row, .string("tag \(row)")) }
    }
    let arena = try #require(snapshot.writing).arena
    #expect(arena.size < count * 50)
    for row in stride(from: 0, to: 5000, by: 100) {
      #expect(table.element(1, row, at: 0) == .string("tag \(row)"))
    }
    for row in stride(from: 0, to: count, by: 77) { #expect(table.string(0, row) == name(row)) }
    try Writer(snapshot).commit(durability: .relaxed)
    for row in stride(from: 0, to: count, by: 77) { #expect(table.string(0, row) == name(row)) }
    for row in stride(from: 0, to: 5000, by: 100) {
      #expect(table.element(1, row, at: 0) == .string("tag \(row)"))
    }
  }
}
