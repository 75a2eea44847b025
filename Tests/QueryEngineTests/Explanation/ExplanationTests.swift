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

  /// All read the same file, which is made once.
  private static func cities() throws -> TestDatabase {
    try TestDatabase(reading: allCities.get().snapshot.file)
  }

  // Nobody but these looks at it, each with a snapshot of its own.
  nonisolated(unsafe) private static let allCities = Result<TestDatabase, any Error> {
    var table = TableDescription(
      name: "Person",
      columns: [
        Column(name: "city", type: .string), Column(name: "age", type: .int),
        Column(name: "born", type: .date),
        Column(name: "isKnown", type: .bool),
      ])
    table.indexes = [
      CompoundIndex(number: 0, kind: .plain, columns: [0, 1]),
      CompoundIndex(number: 1, kind: .plain, columns: [3, 2]),
    ]
    let database = try TestDatabase([table])
    for row in 0..<50_000 {
      database.insert(
        0,
        [
          "city": .string("city \(row % 100)"), "age": .int(Int64(row / 100 % 80)),
          "born": .date(Double(row)), "isKnown": .bool(row % 2 == 0),
        ])
    }
    try database.commit()
    return database
  }

  @Test(arguments: [
    (
      "city == 'city 3' AND age BETWEEN {20, 30}",
      #"(city, age): city == "city 3" and age >= 20 and <= 30, 66 rows"#
    ),
    (
      "age == 7 AND city IN {'city 1', 'city 2'}",
      #"(city, age): city == "city 1" and age == 7 or city == "city 2""#
    ),
    ("city == 'city 5'", #"(city, age): city == "city 5", 500 rows estimated, 500 found"#),
    ("isKnown == true AND born > %@", #"(isKnown, born): isKnown == true and born > date(49900.0), 49 rows"#),
  ])
  func indexesOverSeveralColumns(format: String, text: String) throws {
    let database = try Self.cities()
    let predicate = try database.predicate(format, .value(.date(49_900)))
    let lines = database.snapshot.explain(predicate, table: 0).lines
    #expect(lines.contains { $0.hasPrefix("  index: " + text) }, "\(lines)")
  }

  @Test func sortsByIndexesOverSeveralColumns() throws {
    let database = try Self.cities()
    let snapshot = database.snapshot
    func key(_ name: String) throws -> SortKey {
      try SortKey(keyPath: name, table: 0, catalogue: snapshot.catalogue)
    }
    let predicate = try database.predicate("city == 'city 3' AND isKnown == false AND age < 70")
    let explanation = snapshot.explainSort(matching: predicate, by: [try key("age")], table: 0)
    #expect(
      explanation == """
        sort: age ascending
          reads the index on (city, age) in order, 32 of 440 rows at first
          only: (city, age): city == "city 3" and age < 70
          then tested: isKnown == false
        """)
    let whole = snapshot.explainSort(.all, count: 50_000, by: [try key("city"), try key("age")], table: 0)
    #expect(whole.hasSuffix("reads the index on (city, age) in order, 512 of 50,000 rows at first"))
  }
}
