import QueryEngine
import TestSupport
import Testing

@testable import Storage

/// Aggregates over encoded chunks, compared with adding up value by value.
@Suite struct AggregateTests {
  private static let types: [ValueType] = [.int, .float, .double, .date, .decimal128, .mixed]

  @Test(arguments: [41, 42] as [UInt64])
  func agreesWithSingleValues(seed: UInt64) throws {
    print("seed \(seed)")
    var values = RandomValues(random: SeededGenerator(seed: seed))
    var columns = Self.types.map { Column(name: "\($0)", type: $0, isNullable: true) }
    for name in ["same", "byte", "short", "word", "full"] { columns.append(Column(name: name, type: .int)) }
    let database = try TestDatabase([TableDescription(name: "Thing", columns: columns)])
    for _ in 0..<2000 {
      var content: [String: Value] = [
        "same": .int(-3), "byte": .int(1000 + Int64(values.below(200))),
        "short": .int(Int64(values.below(60_000))),
        "word": .int(-Int64(values.below(4_000_000_000))),
        "full": .int(Int64(values.below(1 << 40)) << 20),
      ]
      for type in Self.types where !values.chance(5) { content["\(type)"] = values.value(type) }
      // Chunks with a NaN have no statistics; some have to have them.
      if values.chance(2) { content["double"] = .double(Double(values.below(1000)) / 4) }
      database.insert(0, content)
    }
    try compare(database, &values)
    try database.commit()
    try compare(database, &values)
    try Writer(database.snapshot).begin()
    for _ in 0..<50 {
      let row = values.below(2000)
      if database.snapshot.isAlive(table: 0, row: row) { database.snapshot.table(0).deleteRow(row) }
    }
    try compare(database, &values)
    try database.commit()
    try compare(database, &values)
  }

  private func compare(_ database: TestDatabase, _ values: inout RandomValues) throws {
    let snapshot = database.snapshot
    let alive = (0..<snapshot.rowLimit(table: 0)).filter { snapshot.isAlive(table: 0, row: $0) }
    let few = try snapshot.evaluate(database.predicate("byte < 1010"), table: 0)
    let list = (0..<30).map { _ in values.below(2000) }
    let selections: [(RowSelection, [Int])] = [
      (.all, alive), (.set(few), few.rows), (.set(.empty), []),
      (.rows(list), list.filter { snapshot.isAlive(table: 0, row: $0) }),
    ]
    for (number, column) in snapshot.catalogue.tables[0].columns.enumerated() {
      for operation in [AggregateOperation.minimum, .maximum, .sum, .average] {
        if column.type == .date && (operation == .sum || operation == .average) { continue }
        for (selection, rows) in selections {
          var expected = ValueAggregate(operation, column.type)
          for row in rows { expected.add(snapshot.table(0).value(number, row)) }
          let found = snapshot.aggregate(operation, table: 0, column: number, over: selection)
          #expect(
            Self.isClose(found, expected.reported),
            "\(operation) of \(column.name): \(found) \(expected.reported)")
        }
      }
    }
  }

  /// Sums of floating-point numbers depend on their order.
  private static func isClose(_ a: Value, _ b: Value) -> Bool {
    guard case .double(let a) = a, case .double(let b) = b else { return a == b }
    if a.isNaN || b.isNaN { return a.isNaN && b.isNaN }
    return a == b || abs(a - b) <= 1e-9 * max(abs(a), abs(b))
  }

  @Test func knownAnswers() throws {
    let database = try TestDatabase([
      TableDescription(
        name: "Thing",
        columns: [
          Column(name: "n", type: .int, isNullable: true),
          Column(name: "any", type: .mixed, isNullable: true),
          Column(name: "f", type: .float),
        ])
    ])
    let snapshot = database.snapshot
    #expect(snapshot.aggregate(.sum, table: 0, column: 0) == .int(0))
    #expect(snapshot.aggregate(.sum, table: 0, column: 1) == .int(0))
    #expect(snapshot.aggregate(.minimum, table: 0, column: 0) == .null)
    #expect(snapshot.aggregate(.average, table: 0, column: 0) == .null)
    for (number, any): (Value, Value) in [(.int(1), .int(2)), (.null, .string("x")), (.int(4), .double(0.5))]
    {
      database.insert(0, ["n": number, "any": any, "f": .float(0.5)])
    }
    #expect(snapshot.aggregate(.sum, table: 0, column: 0) == .int(5))
    #expect(snapshot.aggregate(.average, table: 0, column: 0) == .double(2.5))
    #expect(snapshot.aggregate(.maximum, table: 0, column: 1) == .string("x"))
    #expect(snapshot.aggregate(.minimum, table: 0, column: 1) == .double(0.5))
    #expect(snapshot.aggregate(.sum, table: 0, column: 2) == .double(1.5))
    let sum = snapshot.aggregate(.sum, table: 0, column: 1)
    #expect(Value.order(sum, .double(2.5)) == 0)
    guard case .decimal128 = sum else {
      Issue.record("\(sum) is no decimal")
      return
    }
  }
}
