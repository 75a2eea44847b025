import Foundation
import TestSupport
import Testing

@testable import Storage

/// Of a damaged page only what it held is lost, whichever page of whichever tree that is.
@Suite struct DamagedTreeTests {
  private let folder = ScratchFolder()
  private static let rowCount = 1_500
  private static let key = (0..<64).map { UInt8($0) }
  private static let deletedRows = Set(stride(from: 7, to: rowCount, by: 97))

  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Thing",
      columns: [
        Column(name: "id", type: .int, isPrimaryKey: true),
        Column(name: "name", type: .string, isIndexed: true),
        Column(name: "text", type: .string),
        Column(name: "weight", type: .double, isNullable: true),
        Column(name: "friend", type: .link, isNullable: true, target: 0),
        Column(name: "tags", type: .string, collection: .list),
        Column(name: "scores", type: .int, collection: .map),
        Column(name: "anything", type: .mixed, isNullable: true),
      ])
  ])

  // MARK: The model

  /// What each property of an object holds; of a map the keys and then the values.
  private static func model(_ row: Int) -> [[Value]] {
    let tags = (0..<(row == 20 ? 2_500 : row % 5)).map { Value.string("tag \(row) \($0)") }
    let scores = (0..<row % 3).map { ("key \($0)", Value.int(Int64(row + $0))) }
    let length = row % 50 == 0 ? 9_000 : row % 6 == 0 ? 300 : 5
    let friend = row / 2
    let isFriendThere = row % 4 == 1 && !deletedRows.contains(friend)
    return [
      [.int(Int64(row * 3))], [.string("name \(row % 400)")],
      [.string(String(repeating: "\(row) ", count: length / 5))],
      [row % 5 == 0 ? .null : .double(Double(row) / 3)],
      [isFriendThere ? .link(table: 0, row: friend) : .null],
      tags, scores.map { .string($0.0) } + scores.map(\.1),
      [row % 7 == 0 ? .null : .string("any \(row)")],
    ]
  }

  private func make(_ path: String, key: [UInt8]?) throws {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: key))
    try snapshot.beginWrite()
    snapshot.setCatalogue(Self.catalogue)
    let things = snapshot.table(0)
    for number in 0..<Self.rowCount {
      let row = things.insertRow()
      let model = Self.model(number)
      for column in [0, 1, 2, 3, 4, 7] { things.setValue(column, row, model[column][0]) }
      things.insertElements(5, row, at: 0, model[5])
      let count = model[6].count / 2
      for place in 0..<count {
        guard case .string(let key) = model[6][place] else { continue }
        things.setMapValue(6, row, key: key, model[6][count + place])
      }
    }
    try snapshot.commitWrite(durability: .relaxed)
    try snapshot.beginWrite()
    for row in Self.deletedRows { things.deleteRow(row) }
    try snapshot.commitWrite(durability: .relaxed)
    // Stale pages.
    for round in 0..<8 {
      for isBack in [false, true] {
        try snapshot.beginWrite()
        for row in stride(from: round, to: Self.rowCount, by: 11) where !Self.deletedRows.contains(row) {
          things.setValue(3, row, isBack ? Self.model(row)[3][0] : .double(-1))
          if row % 6 == 0 { things.setValue(2, row, isBack ? Self.model(row)[2][0] : .string("changed")) }
        }
        try snapshot.commitWrite(durability: .relaxed)
      }
    }
  }

  private func content(_ path: String, key: [UInt8]?) throws -> [Int: [[Value]]] {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: key))
    let things = snapshot.table(0)
    var content: [Int: [[Value]]] = [:]
    for row in 0..<things.rowLimit where things.isAlive(row) {
      content[row] = (0..<8).map { column in
        switch column {
        case 5: things.elements(5, row)
        case 6:
          (0..<things.count(6, row)).map { .string(things.key(6, row, at: $0)) } + things.elements(6, row)
        default: [things.value(column, row)]
        }
      }
    }
    return content
  }

  // MARK: Pages

  private struct Page: CustomStringConvertible {
    let tree: StoredTree
    let kind: String
    let number: Int
    /// The keys of the entries that are stored on it.
    var keys: [[UInt8]] = []
    var description: String { "\(kind) page \(number) of \(tree)" }
  }

  /// The pages of the newest version.
  private static func pages(_ bytes: [UInt8]) -> [Page] {
    bytes.withUnsafeBytes { bytes in
      var pages: [Page] = []
      func walk(_ number: UInt64, _ levels: Int, _ tree: StoredTree) {
        let page = TreePage(base: bytes.baseAddress! + Int(number) * DamagedFile.pageSize)
        let nodes = (0..<page.count).map(page.node)
        if levels > 0 {
          pages.append(Page(tree: tree, kind: "branch", number: Int(number)))
          for node in nodes { walk(node.child, levels - 1, tree) }
          return
        }
        pages.append(Page(tree: tree, kind: "leaf", number: Int(number), keys: nodes.map { Array($0.key) }))
        for node in nodes where node.flags == TreeNode.Flags.bigData {
          let first = Int(node.data.loadUnaligned(as: UInt64.self))
          pages.append(Page(tree: tree, kind: "overflow", number: first, keys: [Array(node.key)]))
        }
        for node in nodes where node.flags == TreeNode.Flags.subDatabase {
          let record = TreeRecord(node.data)
          if record.root == TreeRecord.noPage { continue }
          walk(
            record.root, record.depth - 1, StoredTree(rawValue: String(decoding: node.key, as: UTF8.self))!)
        }
      }
      let main = DamagedFile.meta(Array(bytes)).main
      walk(main.root, main.depth - 1, .main)
      return pages
    }
  }

  /// Some pages of each kind of each tree.
  private static func chosenPages(
    _ bytes: [UInt8], _ random: inout SeededGenerator, ofEach count: Int
  ) -> [Page] {
    let groups = Dictionary(grouping: pages(bytes)) { "\($0.tree) \($0.kind)" }
    return groups.sorted { $0.key < $1.key }.flatMap { $0.value.shuffled(using: &random).prefix(count) }
  }

  /// Whether the damaged page held a part of a property's value.
  private static func holds(_ page: Page, _ column: Int, _ row: Int) -> Bool {
    page.keys.contains { key in
      key.withUnsafeBytes { key in
        switch page.tree {
        case .columns:
          ColumnKey.Place(key).map { $0.column == column && $0.chunk == row / chunkCapacity } ?? false
        case .values, .collections:
          Int(key[7]) == column + 1
            && key.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian == UInt64(row)
        case .main, .indexes: false
        }
      }
    }
  }

  private enum Damage: CaseIterable { case zeros, header, firstKey, anyByte }

  private static func damage(
    _ bytes: inout [UInt8], _ page: Page, _ damage: Damage, _ random: inout SeededGenerator
  ) {
    let start = page.number * DamagedFile.pageSize
    switch damage {
    case .zeros: for place in 0..<DamagedFile.pageSize { bytes[start + place] = 0 }
    case .header: bytes[start + 10] ^= 0xFF
    case .firstKey:
      // The first node of a branch page has no key: its child changes instead.
      let node = Int(bytes[start + 16]) | Int(bytes[start + 17]) << 8
      bytes[start + min(node + (page.kind == "branch" ? 0 : 8), DamagedFile.pageSize - 1)] ^= 0x7F
    case .anyByte:
      bytes[start + Int.random(in: 16..<DamagedFile.pageSize, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
    }
  }

  // MARK: Tests

  @Test(arguments: [false, true])
  func onlyWhatADamagedPageHeldIsLost(isEncrypted: Bool) throws {
    let key = isEncrypted ? Self.key : nil
    let path = folder.path("a.realm")
    try make(path, key: key)
    let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let seed: UInt64 = isEncrypted ? 2 : 1
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let pages = Self.chosenPages(sound, &random, ofEach: TestLength.count(1, long: 8))
    let kinds = Set(pages.map { "\($0.tree) \($0.kind)" })
    for tree in ["collections", "indexes", "values"] {
      #expect(kinds.contains("\(tree) branch") && kinds.contains("\(tree) leaf"))
    }
    #expect(kinds.isSuperset(of: ["values overflow", "columns leaf", "columns overflow", "main leaf"]))
    for (number, page) in pages.enumerated() {
      for damage in [.zeros, Damage.allCases.dropFirst().randomElement(using: &random)!] {
        var bytes = sound
        Self.damage(&bytes, page, damage, &random)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let what = "seed \(seed), \(damage) of \(page)"
        let target = folder.path("\(number) \(damage).realm")
        do {
          let found = try Salvage.run(from: path, to: target, encryptionKey: key)
          try expectRest(target, key, page, found.faults, what)
          try expectExactLosses(path, key, page, what)
        } catch let error as StorageError {
          // The page with the format and the catalogue, without which nothing can be told.
          #expect(
            page.tree == .main && page.kind == "leaf" && error.kind == .invalidDatabase, "\(what): \(error)")
        }
      }
    }
  }

  private func expectRest(
    _ path: String, _ key: [UInt8]?, _ page: Page, _ faults: [FileFault], _ what: String
  ) throws {
    #expect(try FileVerification(path: path, encryptionKey: key).faults == [], "\(what)")
    let content = try content(path, key: key)
    #expect(content.count == Self.rowCount - Self.deletedRows.count, "\(what): \(faults)")
    var isReported = true
    for (row, values) in content {
      let model = Self.model(row)
      for column in 0..<8 where values[column] != model[column] {
        isReported = isReported && Self.holds(page, column, row)
      }
    }
    #expect(isReported, "\(what): \(faults)")
  }

  /// Each loss that is reported is that of something on the page.
  private func expectExactLosses(_ path: String, _ key: [UInt8]?, _ page: Page, _ what: String) throws {
    let names = Self.catalogue.tables[0].columns.map(\.name)
    for fault in try FileVerification(path: path, encryptionKey: key).faults {
      switch fault.loss {
      case .nothing: continue
      case .values:
        let column = names.firstIndex(of: fault.propertyName ?? "") ?? -1
        let isExact = fault.rows?.contains { Self.holds(page, column, $0) } ?? false
        #expect(isExact, "\(what): \(fault)")
      case .objects, .unknown: #expect(page.tree == .main, "\(what): \(fault)")
      }
    }
  }

  /// A class of so many chunks that their tree has branch pages.
  @Test(arguments: [1, 2] as [UInt64]) func damagedBranchPagesLoseNoChunks(seed: UInt64) throws {
    let path = folder.path("a.realm")
    let rows = 25_000
    let columns = (0..<12).map { Column(name: "column \($0)", type: .int) }
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try snapshot.beginWrite()
      snapshot.setCatalogue(Catalogue(tables: [TableDescription(name: "Thing", columns: columns)]))
      for number in 0..<rows {
        let row = snapshot.table(0).insertRow()
        for column in columns.indices {
          snapshot.table(0).setInteger(column, row, Int64(number / 1_000 + column))
        }
      }
      try snapshot.commitWrite(durability: .relaxed)
    }
    let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var random = SeededGenerator(seed: seed)
    let branches = Self.pages(sound).filter { $0.tree == .columns && $0.kind == "branch" }
    #expect(!branches.isEmpty)
    for (number, page) in branches.enumerated() {
      var bytes = sound
      Self.damage(&bytes, page, seed == 1 ? .zeros : .firstKey, &random)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let target = folder.path("\(number).realm")
      let found = try Salvage.run(from: path, to: target)
      #expect(!found.faults.isEmpty && found.faults.allSatisfy { $0.loss == .nothing }, "\(found.faults)")
      let salvaged = try Snapshot(file: DatabaseFile.open(path: target))
      #expect(
        (0..<rows).allSatisfy {
          salvaged.table(0).isAlive($0) && salvaged.table(0).integer(3, $0) == Int64($0 / 1_000 + 3)
        })
    }
  }

  /// Without an index, and after deletions, only bitmaps say which objects are there.
  @Test func objectsThatNothingElseNamesAreCounted() throws {
    let path = folder.path("a.realm")
    let rows = 2_500
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try snapshot.beginWrite()
      snapshot.setCatalogue(
        Catalogue(tables: [TableDescription(name: "Thing", columns: [Column(name: "n", type: .int)])]))
      for number in 0..<rows { snapshot.table(0).setInteger(0, snapshot.table(0).insertRow(), Int64(number)) }
      try snapshot.commitWrite(durability: .relaxed)
    }
    let file = try DamagedFile(existing: path)
    try file.editStored(\.columns, key: DamagedFile.chunkKey(column: -1, chunk: 1)) { $0[60] ^= 4 }
    // None was deleted: all of them are there.
    _ = try Salvage.run(from: path, to: folder.path("whole.realm"))
    let whole = try Snapshot(file: DatabaseFile.open(path: folder.path("whole.realm")))
    #expect(
      (0..<rows).allSatisfy { whole.table(0).isAlive($0) && whole.table(0).integer(0, $0) == Int64($0) })
    try file.editStored(\.columns, key: DamagedFile.chunkKey(column: -1, chunk: 1)) { $0[60] ^= 4 }
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try snapshot.beginWrite()
      snapshot.table(0).deleteRow(1_000)
      try snapshot.commitWrite(durability: .relaxed)
    }
    try file.editStored(\.columns, key: DamagedFile.chunkKey(column: -1, chunk: 1)) { $0[60] ^= 4 }
    let found = try Salvage.run(from: path, to: folder.path("less.realm"))
    #expect(found.faults.contains { $0.loss == .objects && $0.rows == 960..<1920 })
    #expect(
      found.faults.contains { $0.loss == .objects && $0.reason == "1540 objects are there instead of 2499" })
    let less = try Snapshot(file: DatabaseFile.open(path: folder.path("less.realm")))
    #expect((0..<rows).filter { less.table(0).isAlive($0) }.count == 1_540)
  }

  /// A damaged chunk loses what it holds, not the long values and collections that are stored outside of it.
  @Test func whatIsStoredOutsideOfADamagedChunkStays() throws {
    let path = folder.path("a.realm")
    try make(path, key: nil)
    let file = try DamagedFile(existing: path)
    for column in [2, 5, 6] {
      try file.editStored(\.columns, key: DamagedFile.chunkKey(column: column, chunk: 1)) { $0[30] ^= 4 }
    }
    _ = try Salvage.run(from: path, to: folder.path("salvaged.realm"))
    let content = try content(folder.path("salvaged.realm"), key: nil)
    for row in chunkCapacity..<Self.rowCount where !Self.deletedRows.contains(row) {
      let model = Self.model(row)
      #expect(content[row]?[5] == model[5] && content[row]?[6] == model[6], "row \(row)")
      if row % 6 == 0 { #expect(content[row]?[2] == model[2], "row \(row)") }
    }
  }
}
