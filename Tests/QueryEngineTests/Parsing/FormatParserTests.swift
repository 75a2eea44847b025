import QueryEngine
import Storage
import TestSupport
import Testing

/// What format strings parse into, and what is said of malformed ones.
@Suite struct FormatParserTests {
  private static func path(_ names: String...) -> Operand { .keyPath(PropertyPath(properties: names)) }
  private static func compare(
    _ left: Operand, _ comparison: ComparisonOperator, _ right: Operand, _ options: StringOptions = [],
    _ modifier: ElementModifier? = nil
  ) -> PredicateExpression {
    .comparison(ComparisonExpression(left, comparison, right, options: options, modifier: modifier))
  }
  private static func int(_ number: Int64) -> Operand { .value(.int(number)) }
  private static func string(_ text: String) -> Operand { .value(.string(text)) }

  @Test func operators() throws {
    let spellings: [(String, ComparisonOperator)] = [
      ("=", .equal), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .less), ("<=", .lessOrEqual),
      ("=<", .lessOrEqual), (">", .greater), (">=", .greaterOrEqual), ("=>", .greaterOrEqual),
      ("contains", .contains), ("BeginsWith", .beginsWith), ("ENDSWITH", .endsWith), ("like", .like),
      ("MATCHES", .matches), ("TEXT", .fullText), ("in", .isIn), ("BETWEEN", .between),
    ]
    for (text, comparison) in spellings {
      let parsed = try PredicateExpression(format: "age \(text) 5")
      #expect(parsed == Self.compare(Self.path("age"), comparison, Self.int(5)), "\(text)")
    }
    #expect(try PredicateExpression(format: "age<5") == Self.compare(Self.path("age"), .less, Self.int(5)))
    #expect(try PredicateExpression(format: "age<-5") == Self.compare(Self.path("age"), .less, Self.int(-5)))
  }

  @Test func literals() throws {
    let literals: [(String, Value)] = [
      ("12", .int(12)), ("-12", .int(-12)), ("1.5", .double(1.5)), ("-1.5e3", .double(-1500)),
      ("2E-1", .double(0.2)),
      (".5", .double(0.5)), ("-.5", .double(-0.5)), ("3.", .double(3)), ("9223372036854775807", .int(.max)),
      ("-9223372036854775808", .int(.min)), ("1e20", .double(1e20)),
      ("true", .bool(true)), ("YES", .bool(true)), ("False", .bool(false)), ("no", .bool(false)),
      ("NULL", .null),
      ("nil", .null), ("'a b'", .string("a b")), ("\"it's\"", .string("it's")),
      (#"'\'\"\\\n\tA'"#, .string("'\"\\\n\tA")), ("'日本 %@'", .string("日本 %@")), (#"'\u00e9'"#, .string("é")),
    ]
    for (text, value) in literals {
      let parsed = try PredicateExpression(format: "p == \(text)")
      #expect(parsed == Self.compare(Self.path("p"), .equal, .value(value)), "\(text)")
    }
    for text in ["9223372036854775808", "-9223372036854775809", "0.30000000000000000001", "1e400"] {
      let parsed = try PredicateExpression(format: "p == \(text)")
      let literal = try #require(NumberLiteral(text.lowercased()))
      #expect(parsed == Self.compare(Self.path("p"), .equal, .number(literal)), "\(text)")
    }
    #expect(
      try PredicateExpression(format: "p IN {1, 'a', nil}")
        == Self.compare(Self.path("p"), .isIn, .list([Self.int(1), Self.string("a"), .value(.null)])))
    #expect(try PredicateExpression(format: "p IN {}") == Self.compare(Self.path("p"), .isIn, .list([])))
  }

  @Test func compounds() throws {
    let (a, b, c) = (
      Self.compare(Self.path("a"), .equal, Self.int(1)), Self.compare(Self.path("b"), .equal, Self.int(2)),
      Self.compare(Self.path("c"), .equal, Self.int(3))
    )
    let cases: [(String, PredicateExpression)] = [
      ("a == 1 AND b == 2 OR c == 3", .or([.and([a, b]), c])),
      ("a == 1 || b == 2 && c == 3", .or([a, .and([b, c])])),
      ("(a == 1 or b == 2) and c == 3", .and([.or([a, b]), c])),
      ("NOT a == 1 AND b == 2", .and([.not(a), b])),
      ("NOT (a == 1 AND b == 2)", .not(.and([a, b]))),
      ("!(a == 1)", .not(a)), ("NOT NOT a == 1", a),
      ("a == 1 AND b == 2 AND c == 3", .and([a, b, c])),
      ("TRUEPREDICATE", .constant(true)), ("falsepredicate", .constant(false)),
      ("((a == 1))", a), ("(a) == 1", a), ("(a) == (1)", a),
    ]
    for (text, expression) in cases {
      #expect(try PredicateExpression(format: text) == expression, "\(text)")
    }
  }

  @Test func keyPaths() throws {
    let cases: [(String, PropertyPath)] = [
      ("a", PropertyPath(properties: ["a"])), ("a.b.c", PropertyPath(properties: ["a", "b", "c"])),
      ("SELF", .itself), ("self.a", PropertyPath(properties: ["a"])),
      ("#and", PropertyPath(properties: ["and"])),
      ("#self.#in", PropertyPath(properties: ["self", "in"])),
      ("a.@count", PropertyPath([.property("a"), .operation(.count)])),
      ("a.@sum.b", PropertyPath([.property("a"), .operation(.sum), .property("b")])),
      ("a.@allKeys", PropertyPath([.property("a"), .operation(.allKeys)])),
      ("a['k']", PropertyPath([.property("a"), .key("k")])),
      ("a[0]['k'][#any]", PropertyPath([.property("a"), .index(0), .key("k"), .anyElement])),
      ("a[-1]", PropertyPath([.property("a"), .index(-1)])),
      ("größe_2", PropertyPath(properties: ["größe_2"])),
      ("any", PropertyPath(properties: ["any"])), ("any['k']", PropertyPath([.property("any"), .key("k")])),
      ("all.none", PropertyPath(properties: ["all", "none"])),
    ]
    for (text, path) in cases {
      #expect(
        try PredicateExpression(format: "\(text) == 1") == Self.compare(.keyPath(path), .equal, Self.int(1)),
        "\(text)")
    }
  }

  @Test func modifiers() throws {
    let path = Self.path("a", "b")
    for (text, modifier) in [("ANY", ElementModifier.any), ("some", .any), ("NONE", .none), ("ALL", .all)] {
      #expect(
        try PredicateExpression(format: "\(text) a.b == 1")
          == Self.compare(path, .equal, Self.int(1), [], modifier))
    }
    let options: [(String, StringOptions)] = [
      ("[c]", .caseInsensitive), ("[d]", .diacriticInsensitive),
      ("[cd]", [.caseInsensitive, .diacriticInsensitive]),
      ("[DC]", [.caseInsensitive, .diacriticInsensitive]), ("[n]", []),
    ]
    for (text, option) in options {
      #expect(
        try PredicateExpression(format: "a.b ==\(text) 'x'")
          == Self.compare(path, .equal, Self.string("x"), option))
      #expect(
        try PredicateExpression(format: "a.b CONTAINS \(text) 'x'")
          == Self.compare(path, .contains, Self.string("x"), option))
      #expect(
        try PredicateExpression(format: "a.b ==\(text) -3")
          == Self.compare(path, .equal, Self.int(-3), option))
    }
  }

  @Test func arguments() throws {
    #expect(
      try PredicateExpression(
        format: "%K == %@ AND %K.b[%@] > %d AND c[%K] < %f",
        arguments: [
          .keyPath("x.y"), .value(.string("v")), .value(.string("a")), .value(.string("k")), .value(.int(3)),
          .keyPath("#any"), .value(.double(1.5)),
        ])
        == .and([
          Self.compare(Self.path("x", "y"), .equal, Self.string("v")),
          Self.compare(
            .keyPath(PropertyPath([.property("a"), .property("b"), .key("k")])), .greater, Self.int(3)),
          Self.compare(.keyPath(PropertyPath([.property("c"), .anyElement])), .less, .value(.double(1.5))),
        ]))
    #expect(
      try PredicateExpression(
        format: "a IN %@", arguments: [.list([.value(.int(1)), .object(table: 2, row: 3)])])
        == Self.compare(Self.path("a"), .isIn, .list([Self.int(1), .value(.link(table: 2, row: 3))])))
    for placeholder in ["%i", "%ld", "%lu", "%lld", "%u"] {
      #expect(
        try PredicateExpression(format: "a == \(placeholder)", arguments: [.value(.int(7))])
          == Self.compare(Self.path("a"), .equal, Self.int(7)))
    }
    #expect(
      try PredicateExpression(format: "a == '%@'", arguments: [.value(.int(7))])
        == Self.compare(Self.path("a"), .equal, Self.string("%@")))
  }

  @Test func subqueries() throws {
    let inner = Self.compare(Self.path("age"), .greater, Self.int(5))
    let dogs = PropertyPath(properties: ["dogs"])
    #expect(
      try PredicateExpression(format: "SUBQUERY(dogs, $d, $d.age > 5).@count >= 2")
        == Self.compare(.subqueryCount(collection: dogs, predicate: inner), .greaterOrEqual, Self.int(2)))
    let nested = Self.compare(
      .subqueryCount(collection: PropertyPath(properties: ["toys"]), predicate: inner), .equal, Self.int(0))
    #expect(
      try PredicateExpression(
        format: "2 < SUBQUERY(dogs, $d, SUBQUERY($d.toys, $t, $t.age > 5).@count == 0).@count")
        == Self.compare(Self.int(2), .less, .subqueryCount(collection: dogs, predicate: nested)))
    #expect(
      try PredicateExpression(format: "SUBQUERY(dogs, $d, $d == %@).@count > 0", arguments: [.detachedObject])
        == Self.compare(
          .subqueryCount(
            collection: dogs, predicate: Self.compare(.keyPath(.itself), .equal, .detachedObject)),
          .greater, Self.int(0)))
  }

  @Test(arguments: [
    ("", 0), ("age", 3), ("age >", 5), ("age > > 5", 6), ("(age > 5", 8), ("age > 5)", 7),
    ("age > 5 AND", 11),
    ("age == 'x", 7), ("age == %@", 7), ("age == %x", 7), ("age ~ 5", 4), ("age == 5 6", 9),
    ("age IN {1, 2", 12),
    ("age ==[q] 5", 6), ("$x == 5", 0), ("age == 5 + 1", 9), ("age + 1 == 5", 4), ("a[FIRST] == 1", 2),
    ("a. == 1", 3), ("a == 1 b == 2", 7), (#"a == '\uZZZZ'"#, 6), ("AND", 3), ("a[1 == 2", 4), ("a == @", 5),
  ])
  func malformed(format: String, position: Int) {
    let error = #expect(throws: PredicateError.self) { try PredicateExpression(format: format) }
    #expect(error?.position == position, "\(format): \(error?.message ?? "")")
    #expect(error?.message.hasPrefix("Unable to parse the format string \"\(format)\": ") == true)
  }

  @Test(arguments: [
    (
      "SUBQUERY(dogs, $d, $d.age > 5).@sum > 1",
      "SUBQUERY is only supported when immediately followed by .@count."
    ),
    (
      "SUBQUERY(dogs, $d, $d.age > 5) > 1",
      "SUBQUERY is only supported when immediately followed by .@count that is compared with a constant number."
    ),
    ("average(age) > 1", "The 'average' function is not supported."),
    ("CAST(age, 'NSDate') > 1", "The 'CAST' function is not supported."),
    ("a.@foo == 1", "Invalid keypath 'a.@foo': Unsupported collection operation '@foo'"),
  ])
  func unsupported(format: String, message: String) {
    let error = #expect(throws: PredicateError.self) { try PredicateExpression(format: format) }
    #expect(error?.message == message)
  }

  /// Random changes of valid formats: a result or a `PredicateError`, never a crash.
  @Test(arguments: [21, 22] as [UInt64])
  func mutatedFormats(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let formats = [
      "age >= 5 AND (name BEGINSWITH[cd] 'x' OR NOT ANY dogs.name IN {1, 2.5e3, \"y\"})",
      "SUBQUERY(dogs, $d, $d.age > %d AND $d.name == %@).@count != 0", "a['k'][0][#any] BETWEEN {-1, %f}",
      "%K.@sum.b < %@ || TRUEPREDICATE && NONE c.@allKeys ==[c] nil",
    ]
    let pieces = [
      "(", ")", "'", "\"", "%@", "%K", "$d", ".", "@", "#", "[", "]", "{", "}", ",", "AND", "NOT", "-", "1e",
      "\\", "é", "\u{301}",
      "🐶", "\0", "SUBQUERY(", "IN", "==", " ",
    ]
    var parsed = 0
    for _ in 0..<4000 {
      var text = Array(formats.randomElement(using: &random)!.unicodeScalars)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text.insert(contentsOf: pieces.randomElement(using: &random)!.unicodeScalars, at: place)
        case 1: text.removeSubrange(place..<min(text.count, place + Int.random(in: 0..<5, using: &random)))
        default: if place < text.count { text[place] = text.randomElement(using: &random)! }
        }
      }
      let arguments: [Argument] = [
        .value(.int(1)), .keyPath("a.b"), .list([.value(.null)]), .value(.string("é")),
      ]
      do {
        _ = try PredicateExpression(
          format: String(String.UnicodeScalarView(text)), arguments: arguments.shuffled(using: &random))
        parsed += 1
      } catch is PredicateError {}
    }
    #expect(parsed > 0)
  }

  @Test func onlyListsAreRefusedWhenTheyAreDeep() throws {
    let expected = try PredicateExpression(format: "a == 1")
    let deep = String(repeating: "(", count: 10_000) + "a == 1" + String(repeating: ")", count: 10_000)
    #expect(try PredicateExpression(format: deep) == expected)
    #expect(try PredicateExpression(format: String(repeating: "!", count: 100_000) + "a == 1") == expected)
    #expect(throws: PredicateError.self) {
      try PredicateExpression(format: "a IN " + String(repeating: "{", count: 100_000))
    }
  }
}
