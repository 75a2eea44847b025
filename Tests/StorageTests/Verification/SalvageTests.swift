import Foundation
import TestSupport
import Testing

@testable import Storage

/// What is left of a damaged file.
@Suite struct SalvageTests {
  private let folder = ScratchFolder()
  private var target: String { folder.path("salvaged.realm") }

  private static let key = (0..<64).map { UInt8($0) }

  private static let catalogue = Catalogue(
    schemaVersion: 7,
    tables: [
      TableDescription(
        name: "Dog",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true),
          Column(name: "name", type: .string, isIndexed: true),
          Column(name: "text", type: .string, isNullable: true, isFullText: true),
          Column(name: "gone", type: .int, isRemoved: true),
          Column(name: "friend", type: .link, isNullable: true, target: 0),
          Column(name: "weight", type: .double, isNullable: true),
          Column(name: "friends", type: .link, collection: .list, target: 0),
          Column(name: "letters", type: .string, collection: .set),
          Column(name: "scores", type: .int, collection: .map),
          Column(name: "anything", type: .mixed, isNullable: true),
        ]),
      TableDescription(name: "Removed", isRemoved: true),
      TableDescription(name: "Empty", columns: [Column(name: "a", type: .bool)]),
    ])

  private func make(_ path: String, rows: Int, key: [UInt8]?) throws {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: key))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    let dogs = snapshot.table(0)
    for number in 0..<rows {
      let row = dogs.insertRow()
      dogs.setInteger(0, row, Int64(number * 7))
      dogs.setString(1, row, number == 3 ? String(repeating: "x", count: 5_000) : "name \(number % 50)")
      dogs.setValue(2, row, number % 2 == 0 ? .null : .string("some words \(number)"))
      dogs.setLink(4, row, number % 2 == 0 ? nil : number / 2)
      dogs.setValue(5, row, number % 4 == 0 ? .null : .double(Double(number)))
      dogs.setMixed(9, row, number % 3 == 0 ? .null : .list([.int(1), .link(table: 0, row: row)]))
      if number % 10 == 0 {
        for other in 0..<3 { dogs.appendElement(6, row, .link(table: 0, row: other)) }
        for letter in ["b", "a", "c"] { dogs.insertIntoSet(7, row, .string(letter)) }
        for name in ["one", "two"] { dogs.setMapValue(8, row, key: name, .int(Int64(number))) }
      }
    }
    try Writer(snapshot).commit(durability: .relaxed)
    try Writer(snapshot).begin()
    for row in stride(from: 5, to: rows, by: 11) { dogs.deleteRow(row) }
    try Writer(snapshot).commit(durability: .relaxed)
  }

  /// All that a file has, by row.
  private func content(_ path: String, key: [UInt8]?) throws -> [Int: [[Value]]] {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: key))
    let dogs = snapshot.table(0)
    #expect(snapshot.catalogue.schemaVersion == 7)
    var content: [Int: [[Value]]] = [:]
    for row in 0..<dogs.rowLimit where dogs.isAlive(row) {
      content[row] = [0, 1, 2, 4, 5, 9].map { [dogs.value($0, row)] }
      content[row]! += [6, 7, 8].map { dogs.elements($0, row) }
      content[row]!.append((0..<dogs.count(8, row)).map { .string(dogs.key(8, row, at: $0)) })
    }
    return content
  }

  @Test(arguments: [false, true]) func aSoundFileIsCopied(isEncrypted: Bool) throws {
    let key = isEncrypted ? Self.key : nil
    let path = folder.path("a.realm")
    try make(path, rows: 2_500, key: key)
    let found = try Salvage.run(from: path, to: target, encryptionKey: key)
    #expect(found.faults == [])
    #expect(try content(target, key: key) == content(path, key: key))
    #expect(try FileVerification(path: target, encryptionKey: key).faults == [])
    // It can be written to, and knows its keys.
    let snapshot = try Snapshot(file: DatabaseFile.open(path: target, encryptionKey: key))
    #expect(snapshot.firstRow(table: 0, column: 0, equalTo: IndexKey(Int64(70))) == 10)
    try Writer(snapshot).begin()
    let row = snapshot.table(0).insertRow()
    snapshot.table(0).setInteger(0, row, -1)
    snapshot.table(0).setString(1, row, "new")
    snapshot.table(0).deleteRow(0)
    try Writer(snapshot).commit(durability: .relaxed)
    #expect(try FileVerification(path: target, encryptionKey: key).faults == [])
  }

  /// Values that have an index are taken from it.
  @Test func lostKeysComeBack() throws {
    let path = folder.path("a.realm")
    try make(path, rows: 2_500, key: nil)
    let whole = try content(path, key: nil)
    let file = try DamagedFile(existing: path)
    try file.editStored(.columns, key: DamagedFile.chunkKey(column: 0, chunk: 1)) { $0[60] ^= 4 }
    let found = try Salvage.run(from: path, to: target)
    #expect(found.faults.filter { $0.loss != .nothing }.map(\.propertyName) == ["id"])
    #expect(try content(target, key: nil) == whole)
    #expect(try FileVerification(path: target).faults == [])
  }

  /// Where they do not, objects stay, and the class has no key: what was salvaged is sound.
  @Test func lostKeysAreNoKeys() throws {
    let path = folder.path("a.realm")
    try make(path, rows: 2_500, key: nil)
    let whole = try content(path, key: nil)
    let file = try DamagedFile(existing: path)
    try file.editStored(.columns, key: DamagedFile.chunkKey(column: 0, chunk: 1)) { $0[60] ^= 4 }
    try file.removeIndex(IndexNumber.values(table: 0, column: 0))
    let found = try Salvage.run(from: path, to: target)
    #expect(
      found.faults.contains { $0.propertyName == "id" && $0.reason.contains("the salvaged class has none") })
    let salvaged = try content(target, key: nil)
    #expect(Set(salvaged.keys) == Set(whole.keys))
    #expect(salvaged.mapValues { Array($0.dropFirst()) } == whole.mapValues { Array($0.dropFirst()) })
    #expect(try FileVerification(path: target).faults == [])
    let column = try Snapshot(file: DatabaseFile.open(path: target)).catalogue.tables[0].columns[0]
    #expect(!column.isPrimaryKey && column.isIndexed)
  }

  @Test func whatIsThereIsNotOverwritten() throws {
    let path = folder.path("a.realm")
    try make(path, rows: 10, key: nil)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
    #expect(throws: StorageError.self) { try Salvage.run(from: path, to: target) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data("mine".utf8))
  }

  /// Of a file with damaged bytes everything is left that is not on their pages.
  @Test(arguments: [1, 2, 3] as [UInt64]) func damagedFiles(seed: UInt64) throws {
    let path = folder.path("a.realm")
    try make(path, rows: 2_500, key: nil)
    let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let whole = try content(path, key: nil)
    var random = SeededGenerator(seed: seed)
    var salvaged = 0
    for round in 0..<12 {
      var bytes = sound
      for _ in 0..<3 {
        bytes[Int.random(in: DamagedFile.pageSize * 2..<bytes.count, using: &random)] ^= 0x10
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let copy = folder.path("\(round).realm")
      guard let found = try? Salvage.run(from: path, to: copy) else { continue }
      salvaged += 1
      #expect(try FileVerification(path: copy).faults == [], "seed \(seed), round \(round)")
      let left = try content(copy, key: nil)
      if found.faults.allSatisfy({ $0.loss == .nothing }) {
        #expect(left == whole, "seed \(seed), round \(round)")
      }
      // What is left is what was there, or nothing.
      for (row, values) in left {
        for (value, before) in zip(values, whole[row]!) where value != before {
          let isLess = value.allSatisfy {
            before.contains($0) || $0.isNull || $0 == .int(0) || $0 == .string("")
          }
          #expect(isLess, "seed \(seed), round \(round), row \(row): \(value) was \(before)")
        }
      }
    }
    #expect(salvaged > 6)
  }
}
