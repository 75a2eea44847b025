import Foundation
import TestSupport
import Testing

@testable import Storage

/// Indexes over several columns through random transactions, looked up against plain arrays and verified as files.
@Suite struct CompoundIndexTests {
  private static let indexes = [
    CompoundIndex(number: 0, kind: .plain, columns: [1, 0]),
    CompoundIndex(number: 3, kind: .plain, columns: [2, 1, 0]),
  ]
  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Thing",
      columns: [
        Column(name: "number", type: .int), Column(name: "text", type: .string, isNullable: true),
        Column(name: "flag", type: .bool, isNullable: true), Column(name: "other", type: .int),
      ],
      indexes: indexes)
  ])

  private typealias Row = [Value]
  private static let texts: [Value] = [
    .null, .string(""), .string("a"), .string("a\0"), .string("a\0b"), .string("ab"),
  ]

  private static func randomRow(_ random: inout SeededGenerator) -> Row {
    [
      .int(.random(in: -2...2, using: &random)), texts.randomElement(using: &random)!,
      [.null, .bool(false), .bool(true)].randomElement(using: &random)!, .int(7),
    ]
  }

  /// All rows in the order of an index.
  private static func expectOrder(_ rows: [Int: Row], _ snapshot: Snapshot) {
    for index in indexes {
      let expected = rows.keys.sorted { a, b in
        let keys = index.columns.map { (IndexKey(rows[a]![$0]), IndexKey(rows[b]![$0])) }
        return keys.first { $0.0 != $0.1 }.map { $0.0 < $0.1 } ?? (a < b)
      }
      var found: [Int] = []
      snapshot.forEachRow(.compound(index, ofTable: 0), in: .all) {
        found.append($0)
        return true
      }
      #expect(found == expected)
    }
  }

  private static func change(_ rows: inout [Int: Row], _ table: Table, _ random: inout SeededGenerator) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      let row = table.insertRow()
      let values = randomRow(&random)
      for (column, value) in values.enumerated() { table.setValue(column, row, value) }
      rows[row] = values
    case 4..<8:
      guard let row = rows.keys.sorted().randomElement(using: &random) else { return }
      let column = Int.random(in: 0..<4, using: &random)
      let value = randomRow(&random)[column]
      table.setValue(column, row, value)
      rows[row]![column] = value
    case 8:
      let chosen = rows.keys.sorted().filter { _ in Int.random(in: 0..<20, using: &random) == 0 }
      let value = randomRow(&random)[1]
      table.setValue(1, rows: chosen, value)
      for row in chosen { rows[row]![1] = value }
    default:
      guard let row = rows.keys.sorted().randomElement(using: &random) else { return }
      table.deleteRow(row)
      rows[row] = nil
    }
  }

  @Test(arguments: [nil, Array(repeating: 5, count: 64)] as [[UInt8]?])
  func randomTransactions(key: [UInt8]?) throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    var random = SeededGenerator(printing: .random(in: 0...UInt64.max))
    var snapshot: Snapshot! = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: key))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    try Writer(snapshot).commit(durability: .relaxed)
    var rows: [Int: Row] = [:]
    for round in 0..<40 {
      try Writer(snapshot).begin()
      let before = rows
      for step in 0..<Int.random(in: 1...60, using: &random) {
        Self.change(&rows, snapshot.table(0), &random)
        if step % 20 == 7 { Self.expectOrder(rows, snapshot) }
      }
      if round % 5 == 3 {
        Writer(snapshot).cancel()
        rows = before
      } else if round % 5 == 4 {
        try Writer(snapshot).stage(durability: .relaxed)
        try Writer(snapshot).open()
        Self.change(&rows, snapshot.table(0), &random)
        try Writer(snapshot).commit(durability: .relaxed)
      } else {
        try Writer(snapshot).commit(durability: .relaxed)
      }
      Self.expectOrder(rows, snapshot)
      if round % 10 == 9 {
        snapshot = nil
        #expect(try FileVerification(path: path, encryptionKey: key).faults == [])
        snapshot = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: key))
      }
    }
  }

  /// An index that comes to a table with rows, also with some of the same transaction, and goes again.
  @Test func indexesComeAndGo() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    var random = SeededGenerator(seed: 1)
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try Writer(snapshot).begin()
    var plain = Self.catalogue
    plain.tables[0].indexes = []
    Writer(snapshot).setCatalogue(plain)
    var rows: [Int: Row] = [:]
    for _ in 0..<200 { Self.change(&rows, snapshot.table(0), &random) }
    try Writer(snapshot).commit(durability: .relaxed)
    for _ in 0..<3 {
      try Writer(snapshot).begin()
      for _ in 0..<50 { Self.change(&rows, snapshot.table(0), &random) }
      Writer(snapshot).setCatalogue(Self.catalogue)
      for index in Self.indexes { Writer(snapshot).buildIndex(table: 0, index) }
      Self.expectOrder(rows, snapshot)
      for _ in 0..<50 { Self.change(&rows, snapshot.table(0), &random) }
      try Writer(snapshot).commit(durability: .relaxed)
      Self.expectOrder(rows, snapshot)
      #expect(try FileVerification(path: path).faults == [])
      try Writer(snapshot).begin()
      for index in Self.indexes { Writer(snapshot).dropIndex(table: 0, index) }
      Writer(snapshot).setCatalogue(plain)
      for _ in 0..<50 { Self.change(&rows, snapshot.table(0), &random) }
      try Writer(snapshot).commit(durability: .relaxed)
      #expect(try FileVerification(path: path).faults == [])
    }
  }

  @Test func catalogues() {
    let bytes = Self.catalogue.encoded(stamp: 1)
    bytes.withUnsafeBytes { #expect(Catalogue($0) == Self.catalogue) }
    // The last index: number 3, plain, three columns.
    #expect(bytes.suffix(9) == [3, 0, 3, 2, 0, 1, 0, 0, 0])
    // A number twice, an unknown kind, one column, a column twice, and one that is not there.
    for (change, place) in [(0, 9), (9, 8), (1, 7), (1, 6), (9, 6)] as [(UInt8, Int)] {
      var other = bytes
      other[other.count - place] = change
      other.withUnsafeBytes { #expect(Catalogue($0) == nil, "\(place)") }
    }
    for length in 1..<bytes.count {
      bytes[..<length].withUnsafeBytes { #expect(Catalogue($0) == nil) }
    }
  }

  /// What verification is for: an index that lacks what its columns say.
  @Test func wrongEntriesAreFound() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    let row = snapshot.table(0).insertRow()
    snapshot.table(0).setValue(1, row, .string("x"))
    Writer(snapshot).enterKeys()
    let changes = Writer(snapshot).changes(ofIndex: IndexNumber.compound(table: 0, Self.indexes[0]))
    changes.remove(CompoundKey([IndexKey("x"), IndexKey(Int64(0))]).indexKey, row: row)
    changes.insert(CompoundKey([IndexKey("x"), IndexKey(Int64(1))]).indexKey, row: row)
    try Writer(snapshot).commit(durability: .relaxed)
    let faults = try FileVerification(path: path).faults
    #expect(faults.map(\.reason) == ["the index of 'text', 'number' has other pairs than the values"])
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    _ = try Salvage.run(from: path, to: copy)
    #expect(try FileVerification(path: copy).faults == [])
    Self.expectOrder(
      [row: [.int(0), .string("x"), .null, .int(0)]], try Snapshot(file: DatabaseFile.open(path: copy)))
    // A key that is there twice.
    try Writer(snapshot).begin()
    let again = Writer(snapshot).changes(ofIndex: IndexNumber.compound(table: 0, Self.indexes[0]))
    again.insert(CompoundKey([IndexKey("x"), IndexKey(Int64(1))]).indexKey, row: row)
    snapshot.table(0).setInteger(3, row, 1)
    try Writer(snapshot).commit(durability: .relaxed)
    #expect(try FileVerification(path: path).faults.count == 1)
  }

  /// Salvage keeps rules that hold, and gives up those that nothing can keep.
  @Test(arguments: [false, true]) func salvagedRules(isBroken: Bool) throws {
    let path = TemporaryFile.path()
    let copy = TemporaryFile.path()
    defer {
      TemporaryFile.delete(path)
      TemporaryFile.delete(copy)
    }
    var catalogue = Self.catalogue
    catalogue.tables[0].indexes[0].kind = .primaryKey
    catalogue.tables[0].indexes[1].kind = .unique
    catalogue.tables[0].columns[3].isUnique = true
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(isBroken ? Self.catalogue : catalogue)
    var rows: [Int: Row] = [:]
    for number in 0..<100 {
      let row = snapshot.table(0).insertRow()
      let values: Row = [
        .int(isBroken ? 0 : Int64(number)), .string("x"), .bool(true), .int(isBroken ? 7 : Int64(number)),
      ]
      for (column, value) in values.enumerated() { snapshot.table(0).setValue(column, row, value) }
      rows[row] = values
    }
    if isBroken {
      // As where values are lost.
      Writer(snapshot).setCatalogue(catalogue)
      snapshot.writing!.soundStamp = snapshot.contentStamp
      Writer(snapshot).enterKeys()
      snapshot.writing!.soundStamp = snapshot.contentStamp
    }
    try Writer(snapshot).commit(durability: .relaxed)
    _ = try Salvage.run(from: path, to: copy)
    #expect(try FileVerification(path: copy).faults == [])
    let salvaged = try Snapshot(file: DatabaseFile.open(path: copy))
    Self.expectOrder(rows, salvaged)
    #expect(salvaged.catalogue.tables[0].indexes.allSatisfy { $0.isUnique != isBroken })
    #expect(salvaged.catalogue.tables[0].columns[3].isUnique != isBroken)
  }
}
