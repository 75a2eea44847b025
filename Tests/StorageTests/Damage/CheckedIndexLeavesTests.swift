import Foundation
import TestSupport
import Testing

@testable import Storage

/// Leaf pages of the indexes are looked at when a cursor comes near them.
@Suite struct CheckedIndexLeavesTests {
  static let rowCount = 10_000
  static let index: UInt32 = 0

  /// Each key twice, in no order. They are long, so that the index has several leaf pages.
  private static let keys = (0..<rowCount).map { row in
    let number = String(100_000 + row / 2 * 7_919 % 50_021)
    return String(repeating: "x", count: 200) + number + String(repeating: number, count: 8)
  }

  private static func isFound(_ row: Int, _ snapshot: Snapshot) -> Bool {
    var key = keys[row]
    return key.withUTF8 {
      snapshot.indexReader(index).firstRow(bytes: UnsafeRawBufferPointer($0)) == row / 2 * 2
    }
  }

  private func makeFile() throws -> String {
    let path = TemporaryFile.path()
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try snapshot.beginWrite()
    snapshot.setCatalogue(
      Catalogue(tables: [
        TableDescription(name: "Dog", columns: [Column(name: "name", type: .string, isIndexed: true)])
      ]))
    let dogs = snapshot.table(0)
    for row in 0..<Self.rowCount { dogs.setString(0, dogs.insertRow(), Self.keys[row]) }
    try snapshot.commitWrite(durability: .relaxed)
    return path
  }

  private static func rows(_ snapshot: Snapshot, ascending: Bool = true) -> [Int] {
    var rows: [Int] = []
    snapshot.indexReader(index).forEachRow(in: .all, ascending: ascending) {
      rows.append($0)
      return true
    }
    return rows
  }

  /// The number of the index's leaf pages.
  private func leafCount(_ path: String) throws -> Int {
    let file = try DatabaseFile.open(path: path)
    let trees = try FileCheck.checkTrees(file.environment, path: path, .branches)
    return Int(try #require(trees?.record(of: "indexes")).leafPages)
  }

  @Test(arguments: [true, false]) func allPagesAreLookedAtOnTheWay(ascending: Bool) throws {
    let path = try makeFile()
    defer { TemporaryFile.delete(path) }
    let leafCount = try leafCount(path)
    try #require(leafCount >= 5)
    let file = try DatabaseFile.open(path: path)
    let leaves = try #require(file.checkedPlaces.leaves)
    let snapshot = try Snapshot(file: file)
    // Rows that an index names are looked for.
    #expect(snapshot.table(0).isAlive(0))
    let atFirst = leaves.visitedPageCount
    #expect(Self.isFound(1, snapshot))
    #expect(leaves.visitedPageCount - atFirst < leafCount)
    let rows = Self.rows(snapshot, ascending: ascending)
    let expected = (0..<Self.rowCount).sorted { (Self.keys[$0], $0) < (Self.keys[$1], $1) }
    #expect(rows == (ascending ? expected : expected.reversed()))
    #expect(leaves.visitedPageCount - atFirst == leafCount)
  }

  enum Walk: Int, CaseIterable {
    case ascending, descending, lookups

    func run(_ snapshot: Snapshot) {
      switch self {
      case .ascending, .descending: _ = rows(snapshot, ascending: self == .ascending)
      case .lookups:
        for row in 0..<rowCount { precondition(isFound(row, snapshot)) }
      }
    }
  }

  @Test(arguments: Walk.allCases) func aDamagedPageStopsWhoComesToIt(_ walk: Walk) async throws {
    let path = try makeFile()
    defer { TemporaryFile.delete(path) }
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    // A block in the middle.
    let middle = [0, 0, 0, 0, 2] + Array(Self.keys[3_000].utf8)
    bytes[DamagedFile.leafPlace(bytes, tree: "indexes", key: middle) + 10] ^= 4
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = path as String, walk = walk.rawValue as Int] in
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      // Far from the damage.
      precondition(CheckedIndexLeavesTests.isFound(0, snapshot))
      Walk(rawValue: walk)!.run(snapshot)
    }
    expectStop(
      result, saying: "is damaged", path, "class 'Dog', property 'name', index", "header of page")
  }
}
