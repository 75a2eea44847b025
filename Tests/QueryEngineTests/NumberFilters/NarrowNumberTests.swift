import QueryEngine
import TestSupport
import Testing

@testable import Storage

/// Conditions on numbers that chunks store in fewer bytes: consecutive integers, doubles with few decimal places, compared with
/// going through plain arrays.
@Suite struct NarrowNumberTests {
  private static let rowCount = 2 * chunkCapacity + 300

  private struct Model {
    var numbers: [String: [Double?]]
    var isThere: [Bool]
  }

  private static let columns = [
    Column(name: "id", type: .int), Column(name: "same", type: .double),
    Column(name: "tenth", type: .double, isNullable: true), Column(name: "cent", type: .double),
    Column(name: "wide", type: .double, isNullable: true), Column(name: "time", type: .date),
    Column(name: "any", type: .double),
    // Another power of ten in each chunk, and at last nulls only.
    Column(name: "mixed", type: .double, isNullable: true),
  ]

  private static func value(_ column: Column, _ number: Double?) -> Value {
    guard let number else { return .null }
    return switch column.type {
    case .int: .int(Int64(number))
    case .date: .date(number)
    default: .double(number)
    }
  }

  private func fill(_ database: TestDatabase, _ random: inout SeededGenerator) -> Model {
    func number(_ limit: Int) -> Double { Double(Int.random(in: 0..<limit, using: &random)) }
    func isNull() -> Bool { Int.random(in: 0..<5, using: &random) == 0 }
    var model = Model(numbers: [:], isThere: Array(repeating: true, count: Self.rowCount))
    for row in 0..<Self.rowCount {
      let numbers: [Double?] = [
        Double(row + 1_000), 2.5, isNull() ? nil : (number(200) - 100) / 10, number(50_000) / 100,
        isNull() ? nil : number(4_000_000_000) / 1_000, 1_700_000_000 + number(1_000_000),
        Double.random(in: 0..<1, using: &random),
        [number(50), number(5_000) / 100, nil][row / chunkCapacity],
      ]
      var values: [String: Value] = [:]
      for (column, number) in zip(Self.columns, numbers) {
        values[column.name] = Self.value(column, number)
        model.numbers[column.name, default: []].append(number)
      }
      database.insert(0, values)
    }
    return model
  }

  @Test(arguments: TestLength.seeds([71, 72, 73], short: 2))
  func agreesWithArrays(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let database = try TestDatabase([TableDescription(name: "Thing", columns: Self.columns)])
    var model = fill(database, &random)
    try database.commit()
    let table = database.snapshot.table(0)
    let encodings: [ChunkEncoding] = [
      .consecutive, .scaled0, .scaled1, .scaled2, .scaled4, .scaled4, .float64, .scaled2,
    ]
    for (number, encoding) in encodings.enumerated() {
      #expect(table.chunk(number, number: 1).encoding == encoding)
    }
    try compare(database, model, &random)
    for _ in 0..<3 {
      try Writer(database.snapshot).begin()
      for _ in 0..<100 {
        let row = Int.random(in: 0..<Self.rowCount, using: &random)
        guard model.isThere[row] else { continue }
        if Bool.random(using: &random) {
          database.snapshot.table(0).deleteRow(row)
          model.isThere[row] = false
        } else {
          database.snapshot.table(0).setDouble(3, row, 77.125)
          model.numbers["cent"]![row] = 77.125
        }
      }
      try compare(database, model, &random)
      try database.commit()
      try compare(database, model, &random)
    }
  }

  private func compare(
    _ database: TestDatabase, _ model: Model, _ random: inout SeededGenerator
  ) throws {
    let operators: [(String, (Double, Double) -> Bool)] = [
      ("<", { $0 < $1 }), ("<=", { $0 <= $1 }), (">", { $0 > $1 }), (">=", { $0 >= $1 }),
      ("==", { $0 == $1 }),
      ("!=", { $0 != $1 }),
    ]
    for column in Self.columns {
      let numbers = model.numbers[column.name]!
      for (name, compare) in operators {
        var bound = try #require(numbers.compactMap { $0 }.randomElement(using: &random))
        // Also between two numbers, and beyond all.
        if column.type == .double {
          bound += [0, 0, 0.000_1, -0.04, 1e12][Int.random(in: 0..<5, using: &random)]
        }
        let found = try database.rows("\(column.name) \(name) %@", .value(Self.value(column, bound)))
        let expected = (0..<Self.rowCount).filter { row in
          model.isThere[row] && (numbers[row].map { compare($0, bound) } ?? (name == "!="))
        }
        #expect(found == expected, "\(column.name) \(name) \(bound)")
        let predicate = try database.predicate("\(column.name) \(name) %@", .value(Self.value(column, bound)))
        #expect(database.snapshot.count(predicate, table: 0) == expected.count)
      }
      try compareAggregates(database, column, model)
    }
    try compareGroups(database, model)
    try compareOrder(database, model)
  }

  private func compareGroups(_ database: TestDatabase, _ model: Model) throws {
    let tenth = try #require(Self.columns.firstIndex { $0.name == "tenth" })
    let doubles = Self.columns.indices.filter { Self.columns[$0].type == .double }
    let groups = database.snapshot.groups(
      by: [GroupKey(PropertySource(source: .column(tenth, .double)))],
      aggregates: doubles.map { GroupAggregate(.sum, column: $0) }, table: 0)
    let rows = (0..<Self.rowCount).filter { model.isThere[$0] }
    let expected = Dictionary(grouping: rows) { model.numbers["tenth"]![$0] }
    let keys = expected.keys.sorted { ($0 ?? -.infinity) < ($1 ?? -.infinity) }
    #expect(groups.map(\.keys) == keys.map { [Self.value(Self.columns[tenth], $0)] })
    for (group, key) in zip(groups, keys) {
      let members = try #require(expected[key])
      #expect(group.count == members.count)
      for (aggregate, column) in zip(group.aggregates, doubles) {
        let sum = members.reduce(0) { $0 + (model.numbers[Self.columns[column].name]![$1] ?? 0) }
        guard case .double(let found) = aggregate else {
          Issue.record("\(aggregate) is no sum")
          continue
        }
        #expect(abs(found - sum) <= 1e-9 * max(1, abs(sum)), "\(Self.columns[column].name) of \(key as Any)")
      }
    }
  }

  private func compareOrder(_ database: TestDatabase, _ model: Model) throws {
    let rows = (0..<Self.rowCount).filter { model.isThere[$0] }
    for column in Self.columns {
      let numbers = model.numbers[column.name]!
      let key = try SortKey(
        keyPath: column.name, isAscending: true, table: 0, catalogue: database.snapshot.catalogue)
      for limit in [nil, 20] as [Int?] {
        let sorted = database.snapshot.sort(rows, by: [key], table: 0, limit: limit)
        // Null comes first; rows of equal numbers stay in their order.
        let expected = rows.sorted { (numbers[$0] ?? -1e18, $0) < (numbers[$1] ?? -1e18, $1) }
        #expect(sorted == Array(expected.prefix(limit ?? rows.count)), "by \(column.name)")
      }
    }
  }

  private func compareAggregates(_ database: TestDatabase, _ column: Column, _ model: Model) throws {
    let numbers = (0..<Self.rowCount).compactMap { row in
      model.isThere[row] ? model.numbers[column.name]![row] : nil
    }
    let index = try #require(Self.columns.firstIndex(of: column))
    func aggregate(_ operation: AggregateOperation) -> Value {
      database.snapshot.aggregate(operation, table: 0, column: index, over: .all)
    }
    #expect(aggregate(.minimum) == Self.value(column, numbers.min()))
    #expect(aggregate(.maximum) == Self.value(column, numbers.max()))
    if column.type == .date { return }
    let sum = numbers.reduce(0, +)
    let tolerance = abs(sum) * 1e-12
    switch aggregate(.sum) {
    case .double(let found): #expect(abs(found - sum) <= tolerance)
    case let found: #expect(found == .int(Int64(sum)))
    }
    guard case .double(let average) = aggregate(.average) else {
      Issue.record("there is no average of \(column.name)")
      return
    }
    #expect(abs(average * Double(numbers.count) - sum) <= tolerance)
  }
}
