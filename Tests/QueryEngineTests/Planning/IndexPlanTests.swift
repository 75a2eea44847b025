import TestSupport
import Testing

@testable import QueryEngine
@testable import Storage

/// Random conditions on indexed properties: going through an index must give what testing every row gives.
@Suite struct IndexPlanTests {
  private static let types: [ValueType] = [
    .int, .bool, .string, .date, .float, .double, .objectId, .uuid,
  ]

  private static let table = TableDescription(
    name: "Thing",
    columns: types.map { Column(name: "\($0)", type: $0, isNullable: true, isIndexed: true) } + [
      Column(name: "number", type: .int, isPrimaryKey: true),
      Column(name: "plain", type: .int),
    ])

  /// Values that collide, and those that are special to an index.
  private static func value(_ type: ValueType, _ values: inout RandomValues) -> Value {
    switch type {
    case .int:
      return .int([.min, .max, -1, 0, 1, Int64(values.below(40)) - 20][values.below(6)])
    case .string:
      // Longer than what a block's key keeps, equal up to there, and with zeros.
      let long = String(repeating: "long ", count: 120)
      let text = ["", "a", "a\0", "ab", "é", "\u{10FFFF}", long, long + "a", long + "b"][values.below(9)]
      let end = ["", "x", "\0", "é"][values.below(4)]
      return .string(text + end)
    case .double: return .double(number(&values))
    case .date: return .date(number(&values))
    case .float: return .float(Float(number(&values)))
    default: return values.value(type)
    }
  }

  private static func number(_ values: inout RandomValues) -> Double {
    let special: [Double] = [0, -0.0, .nan, .infinity, -.infinity, 1.5, -1.5, .leastNonzeroMagnitude]
    return values.chance(2) ? special[values.below(special.count)] : Double(values.below(9)) - 4
  }

  private static func insert(_ database: TestDatabase, _ values: inout RandomValues, number: Int) {
    var content: [String: Value] = [
      "number": .int(Int64(number)), "plain": .int(Int64(values.below(5))),
    ]
    for type in types where !values.chance(5) { content["\(type)"] = value(type, &values) }
    database.insert(0, content)
  }

  private static func condition(_ values: inout RandomValues, _ catalogue: Catalogue) -> Predicate {
    if values.chance(6) {
      let column = catalogue.tables[0].column(named: "number")!
      let comparison: RelationalOperator = values.chance(2) ? .less : .greaterOrEqual
      return .value(.column(column, .int), .compare(comparison, .int(Int64(values.below(700)))))
    }
    let position = values.below(types.count)
    let type = types[position]
    let source = ScalarSource.column(position, type)
    func constant() -> Value { values.chance(8) ? .null : value(type, &values) }
    let comparisons: [RelationalOperator] = [.equal, .less, .lessOrEqual, .greater, .greaterOrEqual]
    switch values.below(8) {
    case 0: return .value(source, .isIn(ConstantSet((0..<values.below(4)).map { _ in constant() })))
    case 1: return .value(source, .between(value(type, &values), value(type, &values)))
    case 2 where type == .string:
      let operation: TextOperator = [.beginsWith, .like, .equal][values.below(3)]
      guard case .string(let text) = value(type, &values) else { break }
      let prefix = text.utf8.prefix(values.below(4) == 0 ? values.below(3) : 510 + values.below(120))
      return .value(
        source, .text(TextCondition(operation, Array(prefix) + (operation == .like ? [42] : []))))
    default: break
    }
    return .value(source, .compare(comparisons[values.below(comparisons.count)], constant()))
  }

  private static func predicate(_ values: inout RandomValues, _ catalogue: Catalogue) -> Predicate {
    switch values.below(6) {
    case 0, 1:
      return .and((0..<2 + values.below(2)).map { _ in condition(&values, catalogue) })
    case 2:
      let plain = catalogue.tables[0].column(named: "plain")!
      return .and([
        .value(.column(plain, .int), .compare(.less, .int(3))), condition(&values, catalogue),
        .and([condition(&values, catalogue)]),
      ])
    case 3: return .or((0..<2 + values.below(2)).map { _ in condition(&values, catalogue) })
    default: return condition(&values, catalogue)
    }
  }

  @Test(arguments: TestLength.seeds([71, 72, 73], short: 1))
  func indexesAgreeWithTestingEveryRow(seed: UInt64) throws {
    print("seed \(seed)")
    var values = RandomValues(random: SeededGenerator(seed: seed))
    let database = try TestDatabase([Self.table])
    for number in 0..<700 { Self.insert(database, &values, number: number * 3 - 900) }
    var used = 0
    used += try compare(database, &values, cases: 200, "new")
    try database.commit()
    used += try compare(database, &values, cases: 500, "stored")
    for round in 0..<3 {
      try Writer(database.snapshot).begin()
      let things = database.snapshot.table(0)
      for _ in 0..<80 {
        let row = values.below(things.rowLimit)
        guard things.isAlive(row) else { continue }
        if values.chance(3) {
          things.deleteRow(row)
        } else {
          let column = values.below(Self.types.count)
          let value: Value = values.chance(5) ? .null : Self.value(Self.types[column], &values)
          things.setValue(column, row, value)
        }
      }
      for number in 0..<40 { Self.insert(database, &values, number: 100_000 * (round + 1) + number) }
      used += try compare(database, &values, cases: 250, "changed")
      try database.commit()
      used += try compare(database, &values, cases: 100, "stored again")
    }
    #expect(used > 1000, "too few plans went through an index")
  }

  /// Returns how many plans used an index.
  private func compare(
    _ database: TestDatabase, _ values: inout RandomValues, cases: Int, _ state: String
  ) throws -> Int {
    let snapshot = database.snapshot
    let limit = snapshot.rowLimit(table: 0)
    var used = 0
    for number in 0..<cases {
      let predicate = Self.predicate(&values, snapshot.catalogue)
      let expected = (0..<limit).filter { snapshot.matches(predicate, table: 0, row: $0) }
      let plan = QueryPlan(predicate, table: 0, in: snapshot, indexUse: .always)
      if plan.access != nil { used += 1 }
      let found = plan.evaluate().rows
      guard found == expected else {
        let wrong = Set(found).symmetricDifference(expected).sorted().prefix(3)
        Issue.record("\(state) \(number): \(predicate) differs in rows \(Array(wrong))")
        continue
      }
      let scan = QueryPlan(predicate, table: 0, in: snapshot, indexUse: .never)
      #expect(scan.access == nil && scan.evaluate().rows == expected, "\(predicate)")
      #expect(plan.count() == expected.count, "\(state) \(predicate)")
      #expect(plan.firstRow() == expected.first, "\(predicate)")
      let list = (0..<30).map { _ in values.below(limit) }
      let members = Set(expected)
      #expect(plan.evaluate(rows: list) == list.filter { members.contains($0) }, "\(predicate)")
    }
    return used
  }
}
