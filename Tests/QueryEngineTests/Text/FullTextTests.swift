import QueryEngine
import TestSupport
import Testing

@testable import Storage

/// Searches in the words of texts: their language, and the index against texts that are read.
@Suite struct FullTextTests {
  private static let tables = [
    TableDescription(
      name: "Note",
      columns: [
        Column(name: "text", type: .string, isFullText: true),
        Column(name: "title", type: .string, isNullable: true, isFullText: true),
        Column(name: "plain", type: .string), Column(name: "number", type: .int),
        Column(name: "next", type: .link, isNullable: true, target: 0),
        Column(name: "others", type: .link, collection: .list, target: 0),
        Column(name: "words", type: .string, collection: .list),
      ])
  ]

  private static func database(_ texts: [String]) throws -> TestDatabase {
    let database = try TestDatabase(tables)
    for text in texts { database.insert(0, ["text": .string(text)]) }
    try database.commit()
    return database
  }

  private static let texts = [
    "The black wolf", "A WOLF in the Black Forest", "wolves; Wölfe", "Schwarzwälder Straße", "", "東京の夜",
    "don't panic", "rock-n-roll", "3.14 is not 3", "the the the", "Σίσυφος", "Ёлка",
  ]

  @Test(
    arguments: [
      ("wolf", [0, 1]), ("WOLF", [0, 1]), ("black wolf", [0, 1]), ("wolf black", [0, 1]),
      ("wolf forest", [1]), ("wolf cat", []), ("the", [0, 1, 9]), ("the -wolf", [9]), ("wolf -forest", [0]),
      ("\"black wolf\"", [0]), ("\"wolf black", []), ("\"wolf in the black", [1]),
      ("-\"black wolf\" the", [1, 9]), ("-\"wolf forest\" wolf", [0, 1]), ("\"the the the\"", [9]),
      ("\"the the the the\"", []), ("-\"the the\"", [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11]),
      ("NEAR(wolf black)", [0, 1]), ("NEAR(black wolf, 0)", [0]), ("NEAR(wolf forest, 3)", [1]),
      ("NEAR(forest wolf,2)", []), ("-NEAR(wolf forest, 3) wolf", [0]), ("NEAR(wolf)", [0, 1]),
      ("NEAR(the the, 0)", [0, 1, 9]), ("NEAR(wol* bla*, 2", [0, 1]), ("NEAR()", []), ("near(wolf)", []),
      ("NEAR(wolf, black)", [0, 1]), ("wolf NEAR(", [0, 1]), ("\"a wolf\" \"black forest\"", [1]),
      ("wol*", [0, 1, 2]), ("wo*", [0, 1, 2]), ("wolf*", [0, 1, 2]),
      ("w* -wolf", [2]), ("the -wol*", [9]), ("\"bla* wol*\"", [0]), ("wolfe", [2]), ("strasse", [3]),
      ("STRAẞE", [3]), ("schwarzwalder", [3]), ("stras*", [3]), ("東", [5]), ("東京", [5]), ("京東", [5]),
      ("東夜", [5]),
      ("東*", [5]), ("大", []), ("don't", [6]), ("don’t", [6]), ("don", []), ("don*", [6]), ("don'*", []),
      ("rock", [7]), ("n-roll", [7]), ("rock -roll", []), ("-rock-n-roll the", [0, 1, 9]), ("3", [8]),
      ("3.14", [8]),
      ("3*", [8]), ("σισυφος", [10]), ("ΣΊΣΥΦΟΣ", [10]), ("елк*", [11]), ("", []), (" ", []), ("!?", []),
      ("*", []), ("- * \"\"", []), ("wolf *", [0, 1]), ("w*lf", []), ("--wolf the", [9]),
      ("the - wolf", [0, 1]),
      ("-wolf", [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), ("-wolf -the -東 -3 -r*", [2, 3, 4, 6, 10, 11]),
      ("-nothing", Array(0..<12)), ("the\u{3000}-wolf", [9]),
    ] as [(String, [Int])])
  func theLanguage(search: String, rows: [Int]) throws {
    let database = try Self.database(Self.texts)
    #expect(try database.rows("text TEXT %@", .string(search)) == rows)
    #expect(
      try database.rows("NOT text TEXT %@", .string(search))
        == (0..<Self.texts.count).filter { !rows.contains($0) })
    for (row, text) in Self.texts.enumerated() {
      let note = MemoryNote(["text": .value(.string(text))])
      let expression = try PredicateExpression(format: "text TEXT %@", arguments: [.string(search)])
      #expect(try expression.matches(.object(note)) == rows.contains(row), "\(text)")
    }
  }

  @Test func nullIsNeverFound() throws {
    let database = try TestDatabase(Self.tables)
    for title: Value in [.null, .string(""), .string("dog"), .string("cat")] {
      database.insert(0, ["title": title])
    }
    #expect(try database.rows("title TEXT '-dog'") == [1, 3])
    #expect(try database.rows("title TEXT 'dog'") == [2])
    #expect(try database.rows("NOT title TEXT 'dog'") == [0, 1, 3])
    #expect(try database.rows("title TEXT ''") == [])
    try database.commit()
    #expect(try database.rows("title TEXT '-dog'") == [1, 3])
    #expect(try database.rows("NOT title TEXT '-dog'") == [0, 2])
    #expect(try database.rows("next.title TEXT '-dog'") == [])
    #expect(try database.rows("next.title TEXT 'dog' OR title == nil") == [0])
  }

  @Test func errors() throws {
    let database = try Self.database([])
    func error(_ format: String, _ arguments: Argument...) -> String? {
      do {
        let expression = try PredicateExpression(format: format, arguments: arguments)
        _ = try resolve(expression, table: 0, catalogue: database.snapshot.catalogue)
        return nil
      } catch { return "\(error)" }
    }
    let unmarked =
      "Property 'Note.plain' has no full-text index, which a search for words needs: declare it with '@Persisted(fullText: true)'."
    #expect(error("plain TEXT 'x'") == unmarked)
    #expect(error("next.plain TEXT 'x'") == unmarked)
    #expect(error("ANY others.plain TEXT 'x'") == unmarked)
    #expect(error("ANY words TEXT 'x'")?.hasPrefix("Property 'Note.words' has no full-text index") == true)
    #expect(error("number TEXT 'x'") == "Operator 'TEXT' not supported for type 'int'")
    let constant = "Operator 'TEXT' requires a string of search terms on the right side."
    #expect(error("text TEXT 1") == constant)
    #expect(error("text TEXT nil") == constant)
    #expect(error("text TEXT title") == constant)
    #expect(error("text TEXT {'a'}") == constant)
    #expect(error("'a' TEXT text") == "Operator 'TEXT' requires a keypath on the left side.")
    #expect(
      error("text TEXT[c] 'x'")
        == "Operator 'TEXT' not supported with modifiers: it always ignores case and diacritics.")
    #expect(error("text TEXT")?.contains("expected a value or key path instead of end") == true)
    #expect(error("{text, plain} TEXT 'x'") == unmarked)
    #expect(error("{text, others.plain} TEXT 'x'") == unmarked)
    #expect(error("{text, number} TEXT 'x'") == "Operator 'TEXT' not supported for type 'int'")
    #expect(error("{text, nothing} TEXT 'x'")?.contains("Property 'nothing' not found") == true)
    #expect(error("{text, title} TEXT plain") == constant)
    #expect(error("{text, title} TEXT nil") == constant)
    #expect(error("{text, 'x'} TEXT 'x'")?.contains("nothing but key paths") == true)
    #expect(error("{} TEXT 'x'")?.contains("at least one key path") == true)
    #expect(error("ANY {text, title} TEXT 'x'")?.contains("takes no ANY, ALL or NONE") == true)
    #expect(error("{text, title} TEXT[c] 'x'")?.contains("not supported with modifiers") == true)
    let note = MemoryNote(["plain": .value(.string("x"))])
    for (format, message) in [
      ("plain TEXT 'x'", unmarked), ("{text, plain} TEXT 'x'", unmarked), ("text TEXT nil", constant),
      ("text TEXT plain", constant),
    ] {
      #expect {
        _ = try PredicateExpression(format: format).matches(.object(note))
      } throws: {
        "\($0)" == message
      }
    }
  }

  /// The operator has the name of a property that many classes have.
  @Test func propertiesNamedText() throws {
    let database = try Self.database(["dog", "cat"])
    let notes = database.snapshot.table(0)
    try Writer(database.snapshot).begin()
    notes.appendLink(5, 0, 1)
    notes.setLink(4, 1, 0)
    #expect(try database.rows("text == 'dog'") == [0])
    #expect(try database.rows("text text 'dog'") == [0])
    #expect(try database.rows("(text TEXT 'dog') AND text CONTAINS 'o'") == [0])
    #expect(try database.rows("ANY others.text TEXT 'cat'") == [0])
    #expect(try database.rows("NONE others.text TEXT 'cat'") == [1])
    #expect(try database.rows("next.text TEXT 'dog'") == [1])
    #expect(try database.rows("SUBQUERY(others, $o, $o.text TEXT 'ca*').@count == 1") == [0])
    let renamed: PropertyLookup = { _, name in
      [
        "text": PropertyReference.column(6), "any": .column(0),
      ][name]
    }
    func predicate(_ format: String) throws -> Predicate { try database.predicate(format, lookup: renamed) }
    #expect(try predicate("any TEXT 'x'") == database.predicate("text TEXT 'x'"))
    #expect(try predicate("ANY text == 'x'") == database.predicate("ANY words == 'x'"))
    #expect(try predicate("ANY text CONTAINS 'x'") == database.predicate("ANY words CONTAINS 'x'"))
  }

  private struct MemoryNote: PredicateObject {
    var values: [String: PredicateSubject]
    init(_ values: [String: PredicateSubject]) { self.values = values }
    var predicateClassName: String { "Note" }
    var predicateLink: Value? { nil }
    func predicateIsFullText(_ name: String) -> Bool { name == "text" || name == "title" }
    func predicateSubject(ofProperty name: String) -> PredicateSubject? {
      values[name] ?? .value(.null)
    }
  }

  // MARK: Random searches

  private static let vocabulary = [
    "the", "a", "wolf", "Wölfe", "wolves", "WOLF", "dog", "dogs", "Doge", "straße", "strasse", "東京", "3.14",
    "don't",
    "ёж", "rare", "rarer",
  ]

  private static func text(_ random: inout SeededGenerator, rare: Bool) -> String {
    (0..<Int.random(in: 0..<9, using: &random)).map { _ in
      // Some words are in most texts, some in few.
      let number = Int.random(in: 0..<vocabulary.count * 3, using: &random)
      if number < vocabulary.count - 2 { return vocabulary[number] }
      if number == vocabulary.count && rare { return "rare\(Int.random(in: 0..<40, using: &random))" }
      return ["the", "of", "a"][number % 3]
    }.joined(separator: " ")
  }

  private static func search(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1..<5, using: &random)).map { _ in
      var term = (vocabulary + ["of", "rare3", "rare17", "ra", "w", "wol", "d", "str", "none"]).randomElement(
        using: &random)!
      if Int.random(in: 0..<4, using: &random) == 0 { term += "*" }
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1: term = "\"\(term) the\""
      case 2: term = "\"the \(term) \(["a", "wol*", "dog"].randomElement(using: &random)!)\""
      case 3:
        term =
          "NEAR(\(term) the \(["a", "of", "d*"].randomElement(using: &random)!), \(Int.random(in: 0..<4, using: &random)))"
      default: break
      }
      return Int.random(in: 0..<4, using: &random) == 0 ? "-" + term : term
    }.joined(separator: " ")
  }

  /// `rows` compares the index with texts that are read; here also every other way to evaluate, and combinations.
  @Test(arguments: [5, 6] as [UInt64])
  func theIndexAgreesWithTheTexts(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let database = try TestDatabase(Self.tables)
    // More than a chunk.
    let count = TestLength.count(1200, long: 3000)
    for row in 0..<count {
      database.insert(
        0,
        [
          "text": .string(Self.text(&random, rare: true)), "number": .int(Int64(row % 10)),
          "title": row % 5 == 0 ? .null : .string(Self.text(&random, rare: false)),
          "next": row % 3 == 0 ? .null : .link(table: 0, row: Int.random(in: 0..<row, using: &random)),
          "others": .list(
            row % 7 == 0
              ? (0..<3).map { _ in .link(table: 0, row: Int.random(in: 0...row, using: &random)) } : []),
        ])
    }
    let formats = [
      "text TEXT %@", "title TEXT %@", "NOT text TEXT %@", "text TEXT %@ AND number == 3",
      "text TEXT %@ OR title TEXT %@", "text TEXT %@ AND NOT title TEXT %@", "next.text TEXT %@",
      "ANY others.title TEXT %@", "NONE others.text TEXT %@", "number < 3 AND (title == nil OR text TEXT %@)",
      "SUBQUERY(others, $o, $o.text TEXT %@ AND $o.number > 2).@count > 0", "next.next.title TEXT %@",
      "{text, title} TEXT %@", "{title, next.text, others.text} TEXT %@ AND number < 8",
      "NOT {text, others.title} TEXT %@", "SUBQUERY(others, $o, {$o.text, $o.title} TEXT %@).@count > 0",
    ]
    func compare(_ cases: Int, _ state: String) throws {
      for number in 0..<TestLength.count(cases / 2, long: cases) {
        let format = formats[number % formats.count]
        let searches = [Self.search(&random), Self.search(&random)]
        let expression = try PredicateExpression(
          format: format, arguments: searches.map { Argument.string($0) })
        let predicate = try resolve(expression, table: 0, catalogue: database.snapshot.catalogue)
        let snapshot = database.snapshot
        let expected = (0..<count).filter { snapshot.matches(predicate, table: 0, row: $0) }
        #expect(snapshot.evaluate(predicate, table: 0).rows == expected, "\(state): \(format) \(searches)")
        #expect(snapshot.count(predicate, table: 0) == expected.count, "\(state): \(format) \(searches)")
        #expect(snapshot.firstRow(predicate, table: 0) == expected.first)
        let some = (0..<50).map { _ in Int.random(in: 0..<count, using: &random) }
        #expect(snapshot.evaluate(predicate, table: 0, rows: some) == some.filter(Set(expected).contains))
      }
    }
    try compare(24, "new")
    try database.commit()
    try compare(120, "stored")
    try Writer(database.snapshot).begin()
    let notes = database.snapshot.table(0)
    for _ in 0..<200 {
      let row = Int.random(in: 0..<count, using: &random)
      guard notes.isAlive(row) else { continue }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: notes.deleteRow(row)
      case 1: notes.setString(0, row, Self.text(&random, rare: true))
      default: notes.setValue(1, row, .null)
      }
    }
    try compare(48, "changed")
    Writer(database.snapshot).cancel()
    try compare(24, "rolled back")
  }
}
