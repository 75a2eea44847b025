import Foundation
import TestSupport
import Testing

@testable import Pages
@testable import Storage

/// Of a damaged node or value only what it held is lost, whichever it is.
@Suite struct DamagedNodeTests {
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
        Column(name: "tags", type: .string, collection: .list),
        Column(name: "anything", type: .mixed, isNullable: true),
      ])
  ])

  // MARK: The model

  private static func model(_ row: Int) -> [[Value]] {
    let length = row % 50 == 0 ? 9_000 : row % 6 == 0 ? 300 : 5
    return [
      [.int(Int64(row * 3))], [.string("name \(row % 400)")],
      [.string(String(repeating: "\(row) ", count: length / 5))],
      [row % 5 == 0 ? .null : .double(Double(row) / 3)],
      (0..<(row == 20 ? 2_500 : row % 5)).map { .string("tag \(row) \($0)") },
      [row % 7 == 0 ? .null : .string("any \(row)")],
    ]
  }

  private func make(_ path: String, rows: Int = rowCount, key: [UInt8]? = nil) throws {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: key))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    let things = snapshot.table(0)
    for number in 0..<rows {
      let row = things.insertRow()
      let model = Self.model(number)
      for column in [0, 1, 2, 3, 5] { things.setValue(column, row, model[column][0]) }
      things.insertElements(4, row, at: 0, model[4])
    }
    try Writer(snapshot).commit(durability: .relaxed)
    try Writer(snapshot).begin()
    for row in Self.deletedRows where row < rows { things.deleteRow(row) }
    try Writer(snapshot).commit(durability: .relaxed)
    // Old nodes.
    for round in 0..<8 {
      for isBack in [false, true] {
        try Writer(snapshot).begin()
        for row in stride(from: round, to: rows, by: 11) where !Self.deletedRows.contains(row) {
          things.setValue(3, row, isBack ? Self.model(row)[3][0] : .double(-1))
          if row % 6 == 0 { things.setValue(2, row, isBack ? Self.model(row)[2][0] : .string("changed")) }
        }
        try Writer(snapshot).commit(durability: .relaxed)
      }
    }
  }

  private func content(_ path: String, key: [UInt8]? = nil) throws -> [Int: [[Value]]] {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: key))
    let things = snapshot.table(0)
    var content: [Int: [[Value]]] = [:]
    for row in 0..<things.rowLimit where things.isAlive(row) {
      content[row] = (0..<6).map { $0 == 4 ? things.elements(4, row) : [things.value($0, row)] }
    }
    return content
  }

  // MARK: Extents

  private struct Extent: CustomStringConvertible {
    let kind: String
    let units: Range<Int>
    /// The keys of the entries that are stored in it.
    var keys: [[UInt8]] = []
    var description: String { "\(kind) at unit \(units.lowerBound)" }
    /// Whether it is of the tree in which everything else is described.
    var isOfMain: Bool { keys.contains { $0[0] == EntryTree.main.number } }
    /// Whether it says which rows there are.
    var isOfPresence: Bool {
      keys.contains { key in
        key[0] == 2 && key.dropFirst().withUnsafeBytes { ColumnKey.Place($0)?.column == -1 }
      }
    }

    /// Whether it held a part of a property's value.
    func holds(_ column: Int, _ row: Int) -> Bool {
      keys.contains { key in
        key.dropFirst().withUnsafeBytes { bytes in
          switch key[0] {
          case 2:
            ColumnKey.Place(bytes).map { $0.column == column && $0.chunk == row / chunkCapacity } ?? false
          case 3, 5:
            Int(bytes[7]) == column + 1
              && bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian == UInt64(row)
          default: false
          }
        }
      }
    }
  }

  /// The extents of the newest version.
  private func extents(_ path: String, key: [UInt8]?) throws -> [Extent] {
    let version = try PageVersion.newest(ofDamagedFile: path, key: key).version
    defer { version.release() }
    var extents: [Extent] = []
    func add(_ reference: Reference) throws {
      let node = try version.node(reference)
      var extent = Extent(
        kind: node.level > 0 ? "branch" : "leaf",
        units: Int(reference.unit)..<Int(reference.unit) + reference.unitCount)
      if node.level == 0 { extent.keys = (0..<node.count).map(node.key) }
      extents.append(extent)
      for index in 0..<node.count where node.hasReference(index) {
        let child = node.reference(index)
        let units = Int(child.unit)..<Int(child.unit) + child.unitCount
        if child.isValue {
          extents.append(Extent(kind: "value", units: units, keys: [node.key(index)]))
        } else {
          try add(child)
        }
      }
    }
    try add(version.root)
    return extents
  }

  /// Changes a bit, or all bytes of a unit. Returns the unit.
  private static func damage(
    _ bytes: inout [UInt8], _ units: Range<Int>, _ random: inout SeededGenerator
  ) -> (unit: Int, isWhole: Bool) {
    let unit = Int.random(in: units, using: &random)
    let start = unit * FileLayout.unit
    let isWhole = Bool.random(using: &random)
    if isWhole {
      for place in start..<start + FileLayout.unit { bytes[place] = random.next() }
    } else {
      bytes[start + Int.random(in: 0..<FileLayout.unit, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
    }
    return (unit, isWhole)
  }

  // MARK: Tests

  @Test(arguments: [false, true])
  func onlyWhatADamagedExtentHeldIsLost(isEncrypted: Bool) throws {
    let key = isEncrypted ? Self.key : nil
    let path = folder.path("a.realm")
    try make(path, key: key)
    let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let extents = try extents(path, key: key)
    #expect(Set(extents.map(\.kind)) == ["branch", "leaf", "value"])
    var random = SeededGenerator(printing: .random(in: 0..<1 << 32))
    for round in 0..<TestLength.count(20, long: 200) {
      var bytes = sound
      let kind = ["branch", "leaf", "value", ""][round % 4]
      let target = extents.filter { $0.kind == kind }.randomElement(using: &random)
      let (unit, isWhole) = Self.damage(
        &bytes, target?.units ?? 0..<extents.map(\.units.upperBound).max()!, &random)
      let hit = extents.first { $0.units.contains(unit) }
      // A reference that is lost in an encrypted file is what its node held.
      if isEncrypted && hit?.kind == "branch" { continue }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let what = "round \(round), \(hit?.description ?? "unit \(unit)")"
      let copy = folder.path("\(round).realm")
      do {
        let found = try Salvage.run(from: path, to: copy, encryptionKey: key)
        // What references in the unit led to is found by its form, and may be of an older version.
        let limit = isWhole && hit?.kind == "branch" ? Self.rowCount / 5 : 0
        try expectRest(copy, key, hit, found.faults, what, limit: limit)
      } catch let error as StorageError {
        #expect(hit?.isOfMain == true && error.kind == .invalidDatabase, "\(what): \(error)")
      }
    }
  }

  /// What is found in their place has numbers of rows from before there were any.
  @Test func rowsAreKeptWhereTheirNumbersAreLost() throws {
    let path = folder.path("numbers.realm")
    let rows = 20_000
    var lost: Set<Int> = []
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try Writer(snapshot).begin()
      Writer(snapshot).setCatalogue(
        Catalogue(tables: [TableDescription(name: "Thing", columns: [Column(name: "text", type: .string)])]))
      try Writer(snapshot).commit()
      let first = try Snapshot(file: snapshot.file)
      defer { withExtendedLifetime(first) {} }
      let things = snapshot.table(0)
      for start in stride(from: 0, to: rows, by: 1000) {
        try Writer(snapshot).begin()
        for number in start..<start + 1000 { things.setString(0, things.insertRow(), "text \(number)") }
        try Writer(snapshot).commit()
        for (index, extent) in try extents(path, key: nil).enumerated() where index == 0 || extent.isOfMain {
          lost.formUnion(extent.units)
        }
      }
    }
    let others = Set(
      try extents(path, key: nil).dropFirst().filter { !$0.isOfMain }.flatMap { Array($0.units) })
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for unit in lost.subtracting(others) {
      bytes.resetBytes(in: unit * FileLayout.unit..<(unit + 1) * FileLayout.unit)
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    let copy = folder.path("kept.realm")
    let found = try Salvage.run(from: path, to: copy, encryptionKey: nil)
    #expect(found.faults.contains { $0.loss != .nothing })
    let snapshot = try Snapshot(file: DatabaseFile.open(path: copy))
    let texts = (0..<snapshot.table(0).rowLimit).map { snapshot.table(0).value(0, $0) }
    // The leaf also had some of the columns, and told which of the last rows are there.
    let kept = texts.enumerated().count { $0.element == .string("text \($0.offset)") }
    #expect(kept >= rows * 3 / 4, "\(found.faults)")
    #expect(texts.count { $0 == .string("") } == texts.count - kept)
  }

  private func expectRest(
    _ path: String, _ key: [UInt8]?, _ hit: Extent?, _ faults: [FileFault], _ what: String,
    limit: Int = 0
  ) throws {
    #expect(try FileVerification(path: path, encryptionKey: key).faults == [], "\(what)")
    let content = try content(path, key: key)
    if hit?.isOfPresence != true {
      #expect(abs(content.count - Self.rowCount + Self.deletedRows.count) <= limit, "\(what): \(faults)")
    }
    var wrong: [(row: Int, column: Int)] = []
    for (row, values) in content {
      let model = Self.model(row)
      for column in 0..<6 where values[column] != model[column] && hit?.holds(column, row) != true {
        wrong.append((row, column))
      }
    }
    #expect(wrong.count <= limit, "\(what): \(wrong.prefix(5)): \(faults)")
  }

  /// Without a header, the newest record is found anywhere in the file.
  @Test(arguments: [false, true]) func aFileWithoutAHeaderIsSalvaged(isEncrypted: Bool) throws {
    let key = isEncrypted ? Self.key : nil
    let path = folder.path("a.realm")
    try make(path, key: key)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for place in 0..<FileLayout.firstUnit * FileLayout.unit { bytes[place] = 0xA5 }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(throws: StorageError.self) {
      try DatabaseFile.open(path: path, readOnly: true, encryptionKey: key)
    }
    let found = try Salvage.run(from: path, to: folder.path("b.realm"), encryptionKey: key)
    #expect(found.faults.count == 1 && found.faults[0].reason.contains("its header"), "\(found.faults)")
    try expectRest(folder.path("b.realm"), key, nil, found.faults, "")
    // Of one that has no record, the reason is the opening's.
    try Data(repeating: 0xA5, count: bytes.count).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StorageError.self) {
      try Salvage.run(from: path, to: folder.path("c.realm"), encryptionKey: key)
    }
    #expect(error?.message.contains("not a Realm file") == true)
  }

  /// The only node of a small file holds everything. What it was before the last commit is found.
  @Test func aFileOfOneNodeIsSalvagedAsItWas() throws {
    let path = folder.path("a.realm")
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try Writer(snapshot).begin()
      Writer(snapshot).setCatalogue(
        Catalogue(tables: [TableDescription(name: "Thing", columns: [Column(name: "n", type: .int)])]))
      snapshot.table(0).setInteger(0, snapshot.table(0).insertRow(), 1)
      try Writer(snapshot).commit(durability: .full)
      try Writer(snapshot).begin()
      snapshot.table(0).setInteger(0, snapshot.table(0).insertRow(), 2)
      try Writer(snapshot).commit(durability: .full)
    }
    let extents = try extents(path, key: nil)
    let nodes = extents.filter { $0.kind != "value" }
    #expect(nodes.count == 1)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[nodes[0].units.lowerBound * FileLayout.unit + 100] ^= 4
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(throws: StorageError.self) { try DatabaseFile.open(path: path, readOnly: true) }
    let found = try Salvage.run(from: path, to: folder.path("b.realm"))
    #expect(found.faults.contains { $0.reason.contains("what it had in version") && $0.loss == .unknown })
    let snapshot = try Snapshot(file: DatabaseFile.open(path: folder.path("b.realm")))
    #expect(snapshot.table(0).isAlive(0) && snapshot.table(0).integer(0, 0) == 1)
  }
}
