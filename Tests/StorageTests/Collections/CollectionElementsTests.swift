import Foundation
import Testing

@testable import Storage

/// Sets and maps are searched segment by segment, and walked in the same order.
@Suite struct CollectionElementsTests {
  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Thing",
      columns: [
        Column(name: "numbers", type: .int, collection: .set, isNullable: true),
        Column(name: "names", type: .string, collection: .set, isNullable: true),
        Column(name: "doubles", type: .double, collection: .set),
        Column(name: "map", type: .int, collection: .map, isNullable: true),
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
    try snapshot.beginWrite()
    snapshot.setCatalogue(Self.catalogue)
    try body(snapshot.table(0), snapshot.table(0).insertRow())
    snapshot.cancelWrite()
  }

  private func place(_ result: SearchResult) -> [Int] { [result.position, result.isFound ? 1 : 0] }

  private func name(_ number: Int) -> Value { .string("name \(100_000 + number)") }

  /// Checks that the even ones of many values are found where they are, and odd ones where they would be.
  private func check(_ table: Table, _ row: Int, column: Int, count: Int, _ value: (Int) -> Value) {
    table.insertElements(column, row, at: 0, (0..<count).map { value(2 * $0) })
    let collection = table.collection(column, row)
    for number in 0...2 * count {
      let found = collection.position(ofElement: value(number))
      #expect(found.position == (number + 1) / 2)
      #expect(found.isFound == (number % 2 == 0 && number < 2 * count))
    }
  }

  @Test(arguments: sizes)
  func elementsAreFoundInSets(count: Int) throws {
    try withTable { table, row in
      check(table, row, column: 0, count: count) { .int(Int64($0) - 900) }
      check(table, row, column: 1, count: count, name)
      check(table, row, column: 2, count: count) { .double(Double($0) / 8 - 90) }
    }
  }

  @Test(arguments: sizes)
  func nullComesFirst(count: Int) throws {
    try withTable { table, row in
      table.insertElements(0, row, at: 0, [.null] + (0..<count).map { .int(Int64($0)) })
      table.insertElements(1, row, at: 0, [.null] + (0..<count).map(name))
      for column in 0...1 {
        let collection = table.collection(column, row)
        #expect(place(collection.position(ofElement: .null)) == [0, 1])
        for number in [0, count / 2, count - 1] where number >= 0 && number < count {
          let value = column == 0 ? .int(Int64(number)) : name(number)
          #expect(place(collection.position(ofElement: value)) == [number + 1, 1])
        }
        #expect(place(collection.position(ofElement: column == 0 ? .int(-1) : .string(""))) == [1, 0])
      }
    }
  }

  @Test(arguments: sizes)
  func keysAreFoundInMaps(count: Int) throws {
    try withTable { table, row in
      for number in (0..<count).shuffled() {
        table.setMapValue(3, row, key: "\(100_000 + 2 * number)", .int(1))
      }
      let collection = table.collection(3, row)
      for number in 0...2 * count {
        let found = collection.position(ofKey: "\(100_000 + number)")
        #expect(found.position == (number + 1) / 2)
        #expect(found.isFound == (number % 2 == 0 && number < 2 * count))
      }
    }
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
