import QueryEngine
import Testing

@testable import Storage

/// Predicates that are nested deep, or very long, on a small stack and in time that grows with their size.
@Suite struct DeepPredicateTests {
  private static let tables = [
    TableDescription(
      name: "Node",
      columns: [
        Column(name: "number", type: .int), Column(name: "any", type: .mixed, isNullable: true),
        Column(name: "next", type: .link, isNullable: true, target: 0),
      ])
  ]

  private func database() throws -> TestDatabase {
    let database = try TestDatabase(Self.tables)
    let first = database.insert(0, ["number": .int(1)])
    database.insert(0, ["number": .int(2), "next": .link(table: 0, row: first)])
    try database.commit()
    return database
  }

  private func operandCount(_ expression: PredicateExpression) -> Int? {
    switch expression {
    case .or(let operands), .and(let operands): operands.count
    default: nil
    }
  }

  @Test(arguments: ["OR", "AND"])
  func parenthesesInAChainAreFlat(word: String) throws {
    let depth = 4_000
    let left =
      String(repeating: "(", count: depth) + "a == 1" + String(repeating: " \(word) b == 2)", count: depth)
    let right =
      String(repeating: "(b == 2 \(word) ", count: depth) + "a == 1" + String(repeating: ")", count: depth)
    try onSmallStack {
      for text in [left, right] {
        let expression = try PredicateExpression(format: text)
        #expect(operandCount(expression) == depth + 1)
        #expect(expression.description.utf8.count > depth * 6)
        #expect(try PredicateExpression(format: expression.description) == expression)
      }
    }
  }

  @Test func negationsAndParentheses() throws {
    let count = 20_001
    try onSmallStack {
      let expected = try PredicateExpression(format: "NOT a == 1")
      #expect(try PredicateExpression(format: String(repeating: "!", count: count) + "(a == 1)") == expected)
      let nested = String(repeating: "NOT (", count: count) + "a == 1" + String(repeating: ")", count: count)
      #expect(try PredicateExpression(format: nested) == expected)
      let around = String(repeating: "(", count: count)
      let close = String(repeating: ")", count: count)
      #expect(
        try PredicateExpression(format: "\(around)a\(close) == \(around)1\(close)")
          == PredicateExpression(format: "a == 1"))
    }
  }

  /// What groups and negations mean is kept.
  @Test(arguments: [
    ("a == 1 AND (b == 1 OR c == 1) AND d == 1", "a == 1 AND (b == 1 OR c == 1) AND d == 1"),
    ("(a == 1 OR b == 1) AND c == 1", "(a == 1 OR b == 1) AND c == 1"),
    ("(a == 1 OR b == 1) OR c == 1", "a == 1 OR b == 1 OR c == 1"),
    ("a == 1 OR (b == 1 OR c == 1) AND d == 1", "a == 1 OR ((b == 1 OR c == 1) AND d == 1)"),
    ("a == 1 OR (b == 1 AND c == 1 OR d == 1)", "a == 1 OR (b == 1 AND c == 1) OR d == 1"),
    ("a == 1 AND (b == 1 AND c == 1) OR d == 1", "(a == 1 AND b == 1 AND c == 1) OR d == 1"),
    ("NOT (a == 1 OR b == 1) OR c == 1", "(NOT (a == 1 OR b == 1)) OR c == 1"),
    ("NOT (a == 1 AND b == 1) AND c == 1", "(NOT (a == 1 AND b == 1)) AND c == 1"),
    ("((a == 1 OR b == 1)) AND NOT (NOT (c == 1))", "(a == 1 OR b == 1) AND c == 1"),
    (
      "(a == 1 AND (b == 1 OR (c == 1 AND (d == 1 OR e == 1))))",
      "a == 1 AND (b == 1 OR (c == 1 AND (d == 1 OR e == 1)))"
    ),
  ])
  func groups(format: String, written: String) throws {
    #expect(try PredicateExpression(format: format).description == written)
  }

  /// AND and OR in turns: as deep as allowed everything works on a small stack, deeper is refused.
  @Test func alternation() throws {
    func text(_ depth: Int) -> String {
      var text = "(number == 1 OR \(String(repeating: "next.", count: 64))number == 1)"
      for level in 2..<depth + 1 {
        text = "(\(text)) \(level % 2 == 0 ? "AND number > 0" : "OR number == -\(level)")"
      }
      return text
    }
    let database = try database()
    let limit = ExpressionAssembler.depthLimit
    let found = try onSmallStack {
      let expression = try PredicateExpression(format: text(limit))
      let other = try PredicateExpression(format: text(limit))
      #expect(expression == other && expression.hashValue == other.hashValue)
      #expect(!expression.format.text.isEmpty)
      let predicate = try resolve(expression, table: 0, catalogue: database.snapshot.catalogue)
      #expect(predicate.hashValue == predicate.hashValue)
      #expect(database.snapshot.matches(predicate, table: 0, row: 0))
      #expect(database.snapshot.count(predicate, table: 0) == 1)
      #expect(!database.snapshot.explain(predicate, table: 0).lines.isEmpty)
      return database.snapshot.evaluate(predicate, table: 0).rows
    }
    #expect(found == [0])
    #expect(throws: PredicateError.self) { try PredicateExpression(format: text(limit + 1)) }
    #expect(throws: PredicateError.self) { try PredicateExpression(format: text(5000)) }
  }

  @Test func subqueries() throws {
    func text(_ depth: Int) -> String {
      var text = "number == 1"
      for level in 0..<depth { text = "SUBQUERY(links, $v\(level), \(text)).@count > 0" }
      return text
    }
    try onSmallStack {
      _ = try PredicateExpression(format: text(20)).description
      #expect(throws: PredicateError.self) { try PredicateExpression(format: text(500)) }
      #expect(throws: PredicateError.self) {
        try PredicateExpression(
          format: "any IN " + String(repeating: "{", count: 500) + String(repeating: "}", count: 500))
      }
    }
  }

  @Test func longKeyPaths() throws {
    let database = try database()
    func path(_ links: Int) -> String { String(repeating: "next.", count: links) + "number == 1" }
    try onSmallStack {
      #expect(try database.snapshot.evaluate(database.predicate(path(1)), table: 0).rows == [1])
      let predicate = try database.predicate(path(64))
      #expect(database.snapshot.evaluate(predicate, table: 0).rows == [])
      #expect(!database.snapshot.matches(predicate, table: 0, row: 1))
      #expect(!database.snapshot.explain(predicate, table: 0).lines.isEmpty)
      for links in [65, 20_000] {
        let error = try #require(throws: PredicateError.self) { try database.predicate(path(links)) }
        #expect(error.message.contains("follows more than 64 links"))
      }
      let subscripts = try database.predicate(
        "any" + String(repeating: "[0]['a']", count: 20_000) + " == nil")
      #expect(database.snapshot.evaluate(subscripts, table: 0).rows == [0, 1])
    }
  }

  @Test func manyConditionsOnAnIndex() throws {
    let database = try TestDatabase([
      TableDescription(name: "A", columns: [Column(name: "n", type: .int, isIndexed: true)])
    ])
    for number in 0..<100 { database.insert(0, ["n": .int(Int64(number))]) }
    try database.commit()
    let bounds = Predicate.and(
      (0..<20_000).map { .value(.column(0, .int), .compare(.greater, .int(Int64($0 % 90)))) })
    #expect(database.snapshot.count(bounds, table: 0) == 10)
    let alternatives = Predicate.and(
      (0..<5_000).map { number in
        .or(
          [number % 90, number % 90 + 5].map {
            .value(.column(0, .int), .compare(.notEqual, .int(Int64($0))))
          }
            + [.value(.column(0, .int), .compare(.equal, .int(Int64(number))))])
      })
    #expect(database.snapshot.count(alternatives, table: 0) == 100)
  }
}
