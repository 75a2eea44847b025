import TestSupport
import Testing

@testable import QueryEngine
@testable import Storage

/// Sorts that read an index over several columns must give what sorting all rows gives.
@Suite struct CompoundSortTests {
  @Test(arguments: TestLength.seeds([21, 22, 23, 24, 25, 26], short: 2))
  func indexesAgreeWithPlainSorts(seed: UInt64) throws {
    let used = try CompoundTable.inAllStates(seed: seed, cases: 80) { compare($0, &$1, cases: $2, $3) }
    #expect(used > 200, "too few sorts read an index over several columns")
  }

  /// Returns how many sorts could read an index over several columns.
  private func compare(
    _ snapshot: Snapshot, _ things: inout CompoundTable, cases: Int, _ state: String
  ) -> Int {
    let table = snapshot.table(0)
    var used = 0
    for _ in 0..<cases {
      let (predicate, keys) = things.sortedQuestion()
      let rows = (0..<table.rowLimit).filter { snapshot.matches(predicate, table: 0, row: $0) }
      let expected = PartialSortTests.plainSort(rows, keys, table)
      for limit in [1, 3, things.values.below(40) + 1, .max] {
        for count in [nil, rows.count] {
          let indexed = IndexedSort.cheapest(keys, matching: predicate, count: count, limit: limit, table)
          guard let indexed else { continue }
          if indexed.index.isCompound { used += 1 }
          let found = indexed.rows(
            limit: limit, budget: .infinity, of: count == nil ? nil : RowSet(rows: rows))
          #expect(found == Array(expected.prefix(limit)), "\(state) \(limit) \(keys): \(predicate)")
        }
      }
      let sort = PartialSort(matching: predicate, by: keys, table: 0, in: snapshot)
      #expect(sort.row(ifAt: 0) == expected.first, "\(state) \(keys): \(predicate)")
      if things.values.chance(2) { #expect(sort.count == rows.count, "\(state) \(predicate)") }
      #expect(sort.row(ifAt: 40) == expected.dropFirst(40).first, "\(state) \(keys): \(predicate)")
      #expect(sort.row(ifAt: rows.count) == nil)
      #expect(
        sort.allRows == expected && sort.isComplete && sort.count == rows.count, "\(keys): \(predicate)")
    }
    return used
  }

  private static func people() throws -> TestDatabase {
    var table = TableDescription(
      name: "Person",
      columns: [
        Column(name: "city", type: .int), Column(name: "age", type: .int),
        Column(name: "isKnown", type: .bool),
      ])
    table.indexes = [CompoundIndex(number: 0, kind: .plain, columns: [0, 1])]
    let database = try TestDatabase([table])
    for row in 0..<50_000 {
      database.insert(
        0,
        [
          "city": .int(Int64(row % 5)), "age": .int(Int64(row / 5 % 1000)), "isKnown": .bool(row % 3 == 0),
        ])
    }
    try database.commit()
    return database
  }

  private static func keys(
    _ database: TestDatabase, _ names: String..., ascending: Bool = true
  ) throws -> [SortKey] {
    try names.map {
      try SortKey(keyPath: $0, isAscending: ascending, table: 0, catalogue: database.snapshot.catalogue)
    }
  }

  /// The first few of many rows are read from the index, and no others.
  @Test(arguments: [true, false])
  func theFirstRowsAreEnough(ascending: Bool) throws {
    let database = try Self.people()
    for format in ["city == 3 AND age BETWEEN {100, 900}", "city == 3", "city == 3 AND isKnown == true"] {
      let predicate = try database.predicate(format)
      let keys = try Self.keys(database, "age", ascending: ascending)
      let sort = PartialSort(matching: predicate, by: keys, table: 0, in: database.snapshot)
      _ = sort.row(ifAt: 0)
      #expect(sort.method == .index && sort.rows.count < 64 && !sort.isComplete, "\(format)")
      let rows = PartialSortTests.plainSort(
        try database.rows(format), keys, database.snapshot.table(0))
      #expect(sort.rows == Array(rows.prefix(sort.rows.count)), "\(format)")
      #expect(sort.count == rows.count && sort.allRows == rows, "\(format)")
    }
  }

  @Test func wholeIndexesGiveOrder() throws {
    let database = try Self.people()
    for ascending in [true, false] {
      let keys = try Self.keys(database, "city", "age", ascending: ascending)
      let sort = PartialSort(.all, count: 50_000, by: keys, table: 0, in: database.snapshot)
      _ = sort.row(at: 0)
      #expect(sort.method == .index)
      #expect(sort.allRows == PartialSortTests.plainSort(Array(0..<50_000), keys, database.snapshot.table(0)))
    }
  }

  /// What few rows of the index pass is better found in another way, and comes out the same.
  @Test func whatIsRareIsNotSearchedInOrder() throws {
    let database = try Self.people()
    let predicate = try database.predicate("city == 3 AND isKnown == true AND age > 2000")
    let keys = try Self.keys(database, "age")
    #expect(PartialSort(matching: predicate, by: keys, table: 0, in: database.snapshot).allRows == [])
  }
}
