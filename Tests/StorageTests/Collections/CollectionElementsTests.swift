import Foundation
import Testing

@testable import Storage

/// Collections are walked segment by segment. How they are searched: CollectionSearchTests.
@Suite struct CollectionElementsTests {
  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Thing",
      columns: [
        Column(name: "numbers", type: .int, collection: .set, isNullable: true)
      ])
  ])
  private static let sizes = [
    0, 1, 2, chunkCapacity - 1, chunkCapacity, chunkCapacity + 1, 3 * chunkCapacity,
  ]

  /// A table with one row, in an open write transaction.
  private func withTable(_ body: (Table, Int) throws -> Void) throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try Snapshot(file: try DatabaseFile.open(path: path))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    try body(snapshot.table(0), snapshot.table(0).insertRow())
    Writer(snapshot).cancel()
  }

  @Test(arguments: sizes)
  func walksLeaveNullOut(count: Int) throws {
    try withTable { table, row in
      let numbers = (0..<count).map { $0 % 7 == 3 ? nil : Int64($0 % 10) }
      table.insertElements(0, row, at: 0, numbers.map { $0.map(Value.int) ?? .null })
      let collection = table.collection(0, row)
      var walked: [Int: Int64] = [:]
      collection.forEachInteger { number, position in walked[position] = number }
      #expect(
        walked
          == Dictionary(
            uniqueKeysWithValues: numbers.enumerated().compactMap { number in
              number.element.map { (number.offset, $0) }
            }))
      #expect(Array(collection.rows) == numbers.compactMap { $0.map(Int.init) })
      for wanted in [0, 3, 9, 11] as [Int64] {
        #expect(collection.firstPosition(ofInteger: wanted) == numbers.firstIndex(of: wanted))
      }
    }
  }
}
