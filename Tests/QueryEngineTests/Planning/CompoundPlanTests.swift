import TestSupport
import Testing

@testable import QueryEngine
@testable import Storage

/// Random indexes over several columns: going through them must give what testing every row gives.
@Suite struct CompoundPlanTests {
  @Test(arguments: TestLength.seeds([11, 12, 13, 14, 15, 16], short: 2))
  func indexesAgreeWithTestingEveryRow(seed: UInt64) throws {
    let used = try CompoundTable.inAllStates(seed: seed, cases: 100, rounds: 2) {
      try compare($0, &$1, cases: $2, $3)
    }
    #expect(used > 400, "too few plans went through an index over several columns")
  }

  /// Returns how many plans used an index over several columns.
  private func compare(
    _ snapshot: Snapshot, _ things: inout CompoundTable, cases: Int, _ state: String
  ) throws -> Int {
    let limit = snapshot.rowLimit(table: 0)
    var used = 0
    for number in 0..<cases {
      let predicate = things.predicate()
      let expected = (0..<limit).filter { snapshot.matches(predicate, table: 0, row: $0) }
      let plan = QueryPlan(predicate, table: 0, in: snapshot, indexUse: .always)
      if let entry = plan.access?.lookup.entries.first, entry.index.isCompound { used += 1 }
      #expect(plan.evaluate().rows == expected, "\(state) \(number): \(predicate)")
      #expect(plan.count() == expected.count, "\(state) \(predicate)")
      #expect(plan.firstRow() == expected.first, "\(state) \(predicate)")
      if let access = plan.access, !access.lookup.canOverlap {
        // A guess where keys are long, so that there are many blocks.
        #expect(abs(access.estimate - access.rows.count) * 3 <= access.rows.count, "\(state) \(predicate)")
        if access.rest == .constant(true) {
          #expect(access.lookup.count(snapshot.table(0)) == expected.count)
        }
      }
      let conjunction = Conjunction(predicate, snapshot.table(0))
      for lookup in conjunction.lookups(snapshot.table(0)) {
        let rows = lookup.rows(snapshot.table(0)).rows
        let rest = conjunction.rest(without: lookup.answered)
        let found = rows.filter { snapshot.matches(rest, table: 0, row: $0) }
        #expect(found == expected, "\(state) \(lookup): \(predicate)")
      }
      let scan = QueryPlan(predicate, table: 0, in: snapshot, indexUse: .never)
      #expect(scan.access == nil && scan.evaluate().rows == expected, "\(predicate)")
    }
    return used
  }

  // MARK: Single questions

  private static func database(_ indexes: [[Int]], rows: Int) throws -> TestDatabase {
    var table = TableDescription(
      name: "Person",
      columns: [
        Column(name: "city", type: .string), Column(name: "age", type: .int),
        Column(name: "height", type: .int),
        Column(name: "name", type: .string),
      ])
    table.indexes = indexes.enumerated().map { CompoundIndex(number: $0.0, kind: .plain, columns: $0.1) }
    let database = try TestDatabase([table])
    for row in 0..<rows {
      database.insert(
        0,
        [
          "city": .string("city \(row % 10)"), "age": .int(Int64(row / 10 % 100)),
          "height": .int(Int64(row % 997)), "name": .string("name \(row)"),
        ])
    }
    try database.commit()
    return database
  }

  private static func lookup(_ database: TestDatabase, _ format: String) throws -> IndexLookup? {
    let plan = QueryPlan(
      try database.predicate(format), table: 0, in: database.snapshot, indexUse: .always)
    return plan.access?.lookup
  }

  @Test(arguments: [
    ("city == 'city 3'", 1, 1), ("city == 'city 3' AND age == 7", 1, 2),
    ("age > 3 AND city == 'city 3' AND age < 9", 1, 2), ("city > 'a' AND age == 7", 1, 1),
    ("city IN {'city 3', 'city 4'} AND age IN {1, 2, 3} AND height > 5", 6, 3),
    ("city == 'city 3' AND height == 9", 1, 1), ("city BEGINSWITH 'city' AND age == 3", 1, 1),
    ("city == 'city 3' AND age > 5 AND age < 3", 0, 0),
  ])
  func columnsThatAreUsed(format: String, ranges: Int, columns: Int) throws {
    let database = try Self.database([[0, 1, 2]], rows: 3000)
    let lookup = try #require(try Self.lookup(database, format))
    #expect(lookup.entries.count == ranges)
    #expect(lookup.entries.first?.parts.count ?? 0 == columns)
  }

  @Test func withoutTheFirstColumnAnIndexIsOfNoUse() throws {
    let database = try Self.database([[0, 1, 2]], rows: 3000)
    #expect(try Self.lookup(database, "age == 3 AND height == 4") == nil)
  }

  /// Of two indexes the one is taken that leaves less to do.
  @Test func theBlocksTellWhichIndexIsBetter() throws {
    let database = try Self.database([[0, 1], [0, 2]], rows: 20_000)
    let byHeight = try Self.lookup(database, "city == 'city 3' AND age < 90 AND height == 3")
    #expect(byHeight?.entries.first?.index.columns == [0, 2])
    let byAge = try Self.lookup(database, "city == 'city 3' AND age == 9 AND height > 3")
    #expect(byAge?.entries.first?.index.columns == [0, 1])
  }

  /// Too many combinations of values are not looked for one by one.
  @Test func combinationsAreLimited() throws {
    let database = try Self.database([[0, 1]], rows: 20_000)
    let cities = (0..<10).map { "'city \($0)'" }.joined(separator: ",")
    let ages = (0..<90).map(String.init).joined(separator: ",")
    let lookup = try #require(try Self.lookup(database, "city IN {\(cities)} AND age IN {\(ages)}"))
    #expect(lookup.entries.count == 10)
    #expect(try database.rows("city IN {\(cities)} AND age IN {\(ages)}").count == 18_000)
  }
}
