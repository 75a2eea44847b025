import Foundation
import TestSupport
import Testing

@testable import Storage

/// Files whose values are encrypted.
@Suite struct EncryptedFileTests {
  static let key = (0..<64).map { UInt8($0 * 3 + 1) }
  private static let otherKey = key.map { $0 ^ ($0 == 1 ? 1 : 0) }

  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "PlantedClass",
      columns: [
        Column(name: "plantedName", type: .string, isIndexed: true, isFullText: true),
        Column(name: "number", type: .int, isIndexed: true),
        Column(name: "list", type: .string, collection: .list),
        Column(name: "friend", type: .link, isNullable: true, target: 0),
      ])
  ])

  private func open(_ path: String, key: [UInt8]? = key, readOnly: Bool = false) throws -> Snapshot {
    try Snapshot(file: DatabaseFile.open(path: path, readOnly: readOnly, encryptionKey: key))
  }

  func make(_ path: String, rows: Int = 3_000) throws {
    let snapshot = try open(path)
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    let table = snapshot.table(0)
    for number in 0..<rows {
      let row = table.insertRow()
      table.setString(
        0, row, number == 7 ? String(repeating: "plantedLong ", count: 400) : "plantedText \(number)")
      table.setInteger(1, row, Int64(number * 7 % rows))
      if number % 10 == 0 { for _ in 0..<3 { table.appendElement(2, row, .string("plantedElement")) } }
      if number > 0 { table.setLink(3, row, number / 2) }
    }
    try Writer(snapshot).commit(durability: .relaxed)
  }

  func expect(_ snapshot: Snapshot, rows: Int = 3_000) {
    let table = snapshot.table(0)
    for number in 0..<rows {
      #expect(
        table.string(0, number)
          == (number == 7 ? String(repeating: "plantedLong ", count: 400) : "plantedText \(number)"))
      #expect(table.integer(1, number) == Int64(number * 7 % rows))
    }
    #expect(table.elements(2, 10) == Array(repeating: .string("plantedElement"), count: 3))
    var last = -1
    snapshot.forEachRow(.column(1, ofTable: 0), in: IndexRange(from: nil, through: nil)) { row in
      let number = Int(table.integer(1, row))
      #expect(number == last + 1)
      last = number
      return true
    }
    #expect(last == rows - 1)
  }

  @Test func whatIsWrittenIsRead() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    try make(path)
    for readOnly in [false, true] { expect(try open(path, readOnly: readOnly)) }
  }

  @Test func nothingOfItCanBeSeen() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    try make(path)
    let folder = (path as NSString).deletingLastPathComponent
    let name = (path as NSString).lastPathComponent
    var files = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasPrefix(name) {
      files += 1
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)"))
      for word in ["planted", "Planted", "text 29", "number", "friend", "element"] {
        #expect(bytes.range(of: Data(word.utf8)) == nil, "'\(word)' is in \(file)")
      }
    }
    #expect(files >= 2)
  }

  @Test func theKeyHasToBeTheSame() throws {
    let path = TemporaryFile.path()
    let plain = TemporaryFile.path()
    defer {
      TemporaryFile.delete(path)
      TemporaryFile.delete(plain)
    }
    try make(path, rows: 20)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    func expectError(_ path: String, _ key: [UInt8]?, _ words: String) {
      for readOnly in [true, false] {
        let error = #expect(throws: StorageError.self) { try open(path, key: key, readOnly: readOnly) }
        #expect(error?.kind == .invalidDatabase)
        #expect(
          error?.message
            == "Failed to open Realm file at path '\(path)': Realm file decryption failed: \(words).")
      }
    }
    func expectErrors() throws {
      expectError(path, nil, "it is encrypted, and no encryption key was given")
      expectError(path, Self.otherKey, "wrong encryption key, or its format is damaged")
    }
    try expectErrors()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    // Also while it is open.
    let file = try open(path)
    try withExtendedLifetime(file) { try expectErrors() }
    try { _ = try open(plain, key: nil) }()
    expectError(plain, Self.key, "it is not encrypted, and a key was given")
  }

  /// The blocks of indexes are in the order of their keys, also in an encrypted file.
  @Test(arguments: [1, 2] as [UInt64]) func indexesStayInOrder(seed: UInt64) throws {
    print("encrypted index test, seed \(seed)")
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    var random = SeededGenerator(seed: seed)
    let snapshot = try open(path)
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    try Writer(snapshot).commit(durability: .relaxed)
    let table = snapshot.table(0)
    var model: [Int: (Int64, String)] = [:]
    for step in 0..<40 {
      try Writer(snapshot).begin()
      for _ in 0..<Int.random(in: 1...400, using: &random) {
        let number = Int64.random(in: -1_000...1_000, using: &random)
        let text = "\(Int.random(in: 0..<300, using: &random)) word"
        let row: Int
        if model.count > 50, Int.random(in: 0..<4, using: &random) == 0 {
          row = model.keys.randomElement(using: &random)!
        } else {
          row = table.insertRow()
        }
        table.setInteger(1, row, number)
        table.setString(0, row, text)
        model[row] = (number, text)
        if Int.random(in: 0..<6, using: &random) == 0, let gone = model.keys.randomElement(using: &random) {
          table.deleteRow(gone)
          model[gone] = nil
        }
      }
      try Writer(snapshot).commit(durability: .relaxed)
      if step % 8 != 7 { continue }
      compare(snapshot, model, "step \(step)", &random)
    }
  }

  /// The order of both indexes, and some searches in one.
  private func compare(
    _ snapshot: Snapshot, _ model: [Int: (Int64, String)], _ step: String, _ random: inout SeededGenerator
  ) {
    for column in 0..<2 {
      var rows: [Int] = []
      snapshot.forEachRow(.column(column, ofTable: 0), in: IndexRange(from: nil, through: nil)) {
        rows.append($0)
        return true
      }
      let expected = model.keys.sorted { a, b in
        let (x, y) = (model[a]!, model[b]!)
        if column == 1 { return (x.0, a) < (y.0, b) }
        return x.1 == y.1 ? a < b : x.1.utf8.lexicographicallyPrecedes(y.1.utf8)
      }
      #expect(rows == expected, "column \(column), \(step)")
      let index = IndexNumber.values(table: 0, column: column)
      #expect(snapshot.indexReader(index).verify().problems == [])
    }
    for _ in 0..<600 {
      let number = Int64.random(in: -1_000...1_000, using: &random)
      let rows = model.filter { $0.value.0 == number }.map(\.key).sorted()
      #expect(snapshot.firstRow(table: 0, column: 1, equalTo: IndexKey(number)) == rows.first)
    }
  }
}
