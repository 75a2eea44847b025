import QueryEngine
import Storage
import Sync
import TestSupport
import Testing

/// Conditions of subscriptions as the engine evaluates them on a file, and as PostgreSQL does on the same values.
@Suite struct SubscriptionSQLTests {
  /// Optional properties of all types; one has a name that ends literals and identifiers.
  private static let columns: [(name: String, type: ServerType)] =
    SampleValues.types.map { ("c_\($0.rawValue)", $0) } + [("we\"ird' \\ $realm$ é", .text)]
  private static let catalogue = Catalogue(
    tables: [
      TableDescription(
        name: "Sample",
        columns: [Column(name: "id", type: .int, isPrimaryKey: true)]
          + columns.map { Column(name: $0.name, type: $0.type.valueType, isNullable: true) })
    ])
  private static let syncClass = SyncClass(
    name: "Sample", table: 0, key: SyncProperty(name: "id", column: 0, number: 0, type: .bigint),
    properties: columns.enumerated().map {
      SyncProperty(
        name: $1.name, column: $0 + 1, number: $0 + 1, type: $1.type, isOptional: true, isRouting: true)
    })
  private static let hostile = [
    "", "'", "''", "\\", "\\'", "'; drop table s; --", "%", "_", "a%b", "*", "?", "a?b", "\u{e9}", "e\u{301}",
    "a", "ab",
    "aba", "b", "\u{1F600}", "\u{7F}", "$1", "$$", "\"", "A", "\u{FFFF}",
  ]

  private let folder = ScratchFolder()

  private func pool(_ type: ServerType, _ random: inout SeededGenerator) -> [Value] {
    switch type {
    case .text: return Self.hostile.map(Value.string)
    case .bytea: return Self.hostile.map { .data(Array($0.utf8)) } + [.data([0]), .data([255, 0])]
    default:
      return SampleValues.extremes(type)
        + (0..<6).map { _ in SampleValues.random(type, &random) }
        + (type == .timestamp ? [0.5, 0.5000001, 0.4999999, 1e14, -1e14, .nan].map(Value.date) : [])
    }
  }

  private func makeRows(_ pools: [[Value]], _ random: inout SeededGenerator) -> [[Value]] {
    (0..<80).map { number in
      [.int(Int64(number))]
        + pools.map { pool in
          let value = Int.random(in: 0..<6, using: &random) == 0 ? .null : pool.randomElement(using: &random)!
          return (try? SampleValues.afterRoundTrip(value)) ?? .null
        }
    }
  }

  private func operand(_ value: Value) -> Operand { .value(value) }

  private func comparison(_ pools: [[Value]], _ random: inout SeededGenerator) -> PredicateExpression {
    let number = Int.random(in: 0..<Self.columns.count, using: &random)
    let (name, type) = Self.columns[number]
    func constant() -> Value {
      Int.random(in: 0..<10, using: &random) == 0 ? .null : pools[number].randomElement(using: &random)!
    }
    func text() -> Value {
      let letters = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        ["a", "b", "%", "_", "*", "?", "\\", "'", "é"].randomElement(using: &random)!
      }
      let text = letters.joined()
      return type == .bytea ? .data(Array(text.utf8)) : .string(text)
    }
    let operators: [ComparisonOperator] = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .isIn, .beginsWith,
      .endsWith, .contains, .like,
    ]
    let path = Operand.keyPath(PropertyPath(properties: [name]))
    let operation = operators.randomElement(using: &random)!
    let right: Operand =
      switch operation {
      case .between: .list([operand(constant()), operand(constant())])
      case .isIn:
        .list((0..<Int.random(in: 0...12, using: &random)).map { _ in operand(constant()) })
      case .beginsWith, .endsWith, .contains, .like:
        operand(Bool.random(using: &random) ? text() : constant())
      default: operand(constant())
      }
    return .comparison(ComparisonExpression(path, operation, right))
  }

  private func expression(
    _ pools: [[Value]], _ random: inout SeededGenerator, depth: Int = 3
  ) -> PredicateExpression {
    guard depth > 0 else { return comparison(pools, &random) }
    func operands() -> [PredicateExpression] {
      (0..<Int.random(in: 0...3, using: &random)).map { _ in
        expression(pools, &random, depth: depth - 1)
      }
    }
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return .and(operands())
    case 1: return .or(operands())
    case 2: return .not(expression(pools, &random, depth: depth - 1))
    default: return comparison(pools, &random)
    }
  }

  @Test func conditionsSelectTheSameObjectsInAFileAndOnTheServer() throws {
    var random = SeededGenerator(printing: 3940)
    let connection = try PostgresServer.shared().connectToNewDatabase()
    let pools = Self.columns.map { pool($0.type, &random) }
    let rows = makeRows(pools, &random)
    let names = Self.columns.map { "\(SQLText.identifier($0.name)) \($0.type.declaration)" }
    try connection.runScript("create table s (id bigint, \(names.joined(separator: ", ")))")
    try connection.copyIn("copy s from stdin (format binary)") { writer in
      for row in rows {
        try writer.row(fields: row.count) {
          for (value, type) in zip(row, [.bigint] + Self.columns.map(\.type)) {
            try writer.value(value, as: type)
          }
        }
      }
    }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: folder.path("sample.realm")))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    let table = snapshot.table(0)
    for row in rows {
      let number = table.insertRow()
      for (column, value) in row.enumerated() { table.setValue(column, number, value) }
    }
    try Writer(snapshot).commit()

    let sql = SubscriptionSQL(Self.syncClass, routing: Set(Self.columns.map(\.name)))
    var (compared, selected) = (0, 0)
    for _ in 0..<TestLength.count(1500, long: 50_000) {
      let expression = expression(pools, &random)
      guard let predicate = try? resolve(expression, table: 0, catalogue: Self.catalogue),
        let condition = try? SubscriptionCondition(predicate, table: 0, Self.catalogue)
      else { continue }
      let stored = try #require(SubscriptionCondition(condition.encoded))
      guard let text = try? sql.text(stored) else {
        // Only LIKE on data.
        #expect(stored.properties.contains("c_bytea"), "\(expression)")
        continue
      }
      let answers = try connection.run("select coalesce((\(text))::text, 'null') from s t order by id")
      let found = (0..<answers.count).map { answers[$0].text(0) }
      let expected = rows.indices.map { row in
        snapshot.matches(predicate, table: 0, row: row) ? "true" : "false"
      }
      if found != expected {
        let row = rows.indices.first { found[$0] != expected[$0] }!
        Issue.record(
          "\(expression): engine \(expected[row]), server \(found[row] ?? ""), \(rows[row]), SQL \(text)")
        return
      }
      compared += 1
      selected += expected.count { $0 == "true" }
    }
    #expect(compared > 800 && selected > compared)
    print("\(compared) conditions, \(selected) of \(compared * rows.count) answers true")
  }
}
