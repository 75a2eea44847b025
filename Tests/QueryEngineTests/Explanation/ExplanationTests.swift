import QueryEngine
import Testing

@testable import Storage

/// What explanations say of predicates and plans.
@Suite struct ExplanationTests {
  private static func database() throws -> TestDatabase {
    let database = try TestDatabase([
      TableDescription(
        name: "Person",
        columns: [
          Column(name: "name", type: .string),
          Column(name: "age", type: .int, isIndexed: true),
          Column(name: "dogs", type: .link, collection: .list, target: 1),
          Column(name: "scores", type: .int, collection: .list),
        ]),
      TableDescription(name: "Dog", columns: [Column(name: "weight", type: .double)]),
    ])
    for row in 0..<5000 {
      database.insert(0, ["name": .string("person \(row)"), "age": .int(Int64(row))])
    }
    return database
  }

  private static func lines(_ database: TestDatabase, _ format: String) throws -> [String] {
    database.snapshot.explain(try database.predicate(format), table: 0).lines
  }

  @Test(arguments: [
    ("name LIKE[c] 'a*' OR age BETWEEN {1, 3}", #"name LIKE[c] "a*" OR age BETWEEN {1, 3}"#),
    ("NOT name ==[cd] 'a' AND name != NULL", #"NOT (name ==[cd] "a") AND name != NULL"#),
    ("age IN {1, 2, 3, 4, 5, 6}", "age IN {1, 2, 3, 4, 5, … 6 values}"),
    ("ANY dogs.weight > 2", "ANY dogs.(weight > 2.0)"),
    ("scores.@avg > 2 AND scores.@count == 1", "scores.@avg > 2 AND scores.@count == 1"),
    ("age > scores.@max", "age > scores.@max"),
  ])
  func predicates(format: String, text: String) throws {
    let database = try Self.database()
    #expect(try Self.lines(database, format).first == "filter: " + text)
  }

  @Test func scans() throws {
    let database = try Self.database()
    let lines = try Self.lines(database, "name == 'person 7'")
    #expect(lines.contains { $0.hasPrefix("  scan: 6 chunks of 960 rows") })
    #expect(lines.last?.hasSuffix("1 actual") == true)
  }

  @Test func indexes() throws {
    let database = try Self.database()
    try database.commit()
    let lines = try Self.lines(database, "age == 4711 AND name != 'x'")
    #expect(lines.contains { $0.hasPrefix("  index: age == 4711") })
    #expect(lines.contains(#"  then tested: name != "x""#))
  }
}
