import QueryEngine
import TestSupport
import Testing

@testable import Storage

/// Formats with random damage: an expression or a `PredicateError`, never a crash. What parses is written as a format
/// and parsed again.
@Suite struct FormatFuzzTests {
  private static let corpus = [
    "age >= 5 AND (name BEGINSWITH[cd] 'x' OR NOT ANY dogs.name IN {1, 2.5e3, \"y\"})",
    "SUBQUERY(dogs, $d, $d.age > %d AND $d.name == %@).@count != 0", "a['k'][0][#any] BETWEEN {-1, %f}",
    "%K.@sum.b < %@ || TRUEPREDICATE && NONE c.@allKeys ==[c] nil", "ALL dogs.age <= 3 OR SOME dogs.age > 3",
    "(((a) == (1)))", "!(a == TRUE) || b.c.d != NO",
    "name LIKE '*\\'x\\\\?*' AND title CONTAINS[c] \"\\u00e9\\n\"",
    "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == 1 AND ANY $y.d IN {1}).@count > 0).@count >= 2",
    "{1, 2, nil} == a", "'x' IN names AND 5 IN {1, 5}", "SELF != nil AND self.age == 1", "#and.#in == #not",
    "price.@avg > 1.5e-3 AND dogs.@count == 0 AND marks.@min = -9223372036854775808",
    "größe < 3 && 名前 == '日本' && emoji🐶 == 1", "map['a'] == nil OR any[-1]['b'] =< 4 OR any[%@] => 2",
    "NOT NOT NOT (a <> b)", "name MATCHES '.*' AND FALSEPREDICATE", "a + 1 > b", "CAST(a, 'x') == 1",
    "((((((a == 1) OR b == 2) AND c == 3) OR d == 4) AND e == 5))", "@links.Dog.owner == 1", "%@ == %@",
  ]

  private static let pieces = [
    "(", ")", "((", "))", "'", "\"", "%@", "%K", "%d", "%", "$d", "$", ".", "..", "@", "@count", "#", "#any",
    "[", "]",
    "[c]", "[cd]", "{", "}", "{}", ",", " AND ", " OR ", " NOT ", "!", "-", "--", "1e", "1e999", "0x1f",
    "-.5", "\\",
    "\\u12", "é", "\u{301}", "🐶", "\0", "\u{FFFD}", "SUBQUERY(", "SUBQUERY(a,$x,", ").@count", " IN ",
    " BETWEEN ",
    "==", "<", " ", "\n", "ANY ", "ALL ", "NULL", "SELF", "TRUEPREDICATE", "99999999999999999999",
  ]

  private static let arguments: [Argument] = [
    .value(.int(-3)), .keyPath("a.b"), .value(.string("k")), .list([.value(.null), .value(.double(0.5))]),
    .value(.data([1])), .detachedObject, .object(table: 1, row: 2), .unsupported(description: "u", type: "U"),
  ]

  private static func mutated(_ random: inout SeededGenerator) -> String {
    var text = Array(corpus.randomElement(using: &random)!.unicodeScalars)
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let start = Int.random(in: 0...text.count, using: &random)
      let end = min(text.count, start + Int.random(in: 0..<6, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: text.removeSubrange(start..<end)
      case 1: text.insert(contentsOf: Array(pieces.randomElement(using: &random)!.unicodeScalars), at: start)
      case 2:
        text.replaceSubrange(start..<end, with: Array(pieces.randomElement(using: &random)!.unicodeScalars))
      case 3:
        // The beginning of one with the end of another.
        let other = Array(corpus.randomElement(using: &random)!.unicodeScalars)
        text = Array(text[..<start]) + other[Int.random(in: 0...other.count, using: &random)...]
      case 4: text.insert(contentsOf: text[start..<end], at: start)
      case 5: text = Array("(".unicodeScalars) + text + Array(")".unicodeScalars)
      default:
        if start < text.count { text[start] = Unicode.Scalar(UInt8.random(in: 0..<127, using: &random)) }
      }
    }
    return String(String.UnicodeScalarView(text))
  }

  private static let tables: [TableDescription] = [
    TableDescription(
      name: "A",
      columns: [
        Column(name: "a", type: .int), Column(name: "age", type: .int), Column(name: "name", type: .string),
        Column(name: "any", type: .mixed), Column(name: "map", type: .int, collection: .map),
        Column(name: "dogs", type: .link, collection: .list, target: 0),
        Column(name: "b", type: .link, isNullable: true, target: 0),
        Column(name: "c", type: .double), Column(name: "price", type: .double, collection: .list),
        Column(name: "names", type: .string, collection: .set),
      ])
  ]

  @Test(arguments: [51, 52, 53, 54] as [UInt64])
  func damagedFormats(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var (parsed, resolved) = (0, 0)
    for _ in 0..<5000 {
      let text = Self.mutated(&random)
      let arguments = (0..<4).map { _ in Self.arguments.randomElement(using: &random)! }
      do {
        let expression = try PredicateExpression(format: text, arguments: arguments)
        parsed += 1
        let (format, written) = expression.format
        let again = try? PredicateExpression(format: format, arguments: written)
        #expect(again == expression, "\(text.debugDescription) as \(format.debugDescription)")
        _ = try resolve(expression, table: 0, catalogue: Catalogue(tables: Self.tables))
        resolved += 1
      } catch let error as PredicateError {
        #expect(!error.message.isEmpty)
        if let position = error.position { #expect(0...text.unicodeScalars.count ~= position) }
      }
    }
    #expect(parsed > 200 && resolved > 20, "\(parsed) parsed, \(resolved) resolved")
  }

  @Test func everyFormatIsReadAsItIsWritten() throws {
    for text in Self.corpus {
      guard let expression = try? PredicateExpression(format: text, arguments: Self.arguments) else {
        continue
      }
      let (format, arguments) = expression.format
      #expect(try PredicateExpression(format: format, arguments: arguments) == expression, "\(text)")
    }
  }

  /// Nesting beyond measure is refused, in time that does not explode.
  @Test(arguments: [
    "(", "NOT ", "!", "{", "SUBQUERY(a, $x, ", "(SUBQUERY(a, $x, ", "NOT (", "a == (", "a IN {{", "(({",
  ])
  func deepNesting(piece: String) {
    for depth in [50, 199, 201, 1000, 10_000] {
      let text = String(repeating: piece, count: depth) + "a == 1"
      // Any number of negations is well-formed.
      if piece == "NOT " || piece == "!" { continue }
      #expect(throws: PredicateError.self) { try PredicateExpression(format: text) }
    }
  }

  @Test func deepButAllowed() throws {
    let parentheses = String(repeating: "(", count: 150) + "a == 1" + String(repeating: ")", count: 150)
    #expect(try PredicateExpression(format: parentheses) == PredicateExpression(format: "a == 1"))
    // Long is not deep.
    let long = Array(repeating: "a == 1", count: 20_000).joined(separator: " OR ")
    guard case .or(let operands) = try PredicateExpression(format: long) else {
      Issue.record("not an alternative")
      return
    }
    #expect(operands.count == 20_000)
  }
}
