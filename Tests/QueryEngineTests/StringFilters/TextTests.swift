import QueryEngine
import Testing

@testable import Storage

/// String operators, their options, LIKE, and values of every length.
@Suite struct TextTests {
  private static func database(_ texts: [Value]) throws -> TestDatabase {
    let database = try TestDatabase([
      TableDescription(name: "Thing", columns: [Column(name: "text", type: .string, isNullable: true)])
    ])
    for text in texts { database.insert(0, ["text": text]) }
    try database.commit()
    return database
  }

  @Test func substrings() throws {
    let database = try Self.database([
      .string("Wolfie"), .string("wolf"), .string("Beowulf"), .string(""), .null,
    ])
    #expect(try database.rows("text BEGINSWITH 'Wo'") == [0])
    #expect(try database.rows("text BEGINSWITH[c] 'Wo'") == [0, 1])
    #expect(try database.rows("text ENDSWITH 'lf'") == [1, 2])
    #expect(try database.rows("text CONTAINS 'olf'") == [0, 1])
    #expect(try database.rows("text CONTAINS[c] 'WU'") == [2])
    #expect(try database.rows("NOT text CONTAINS 'olf'") == [2, 3, 4])
    for format in ["text CONTAINS ''", "text BEGINSWITH ''", "text ENDSWITH ''", "text CONTAINS nil"] {
      #expect(try database.rows(format) == [], "\(format)")
    }
    #expect(try database.rows("text == ''") == [3])
    #expect(try database.rows("text ==[c] nil") == [])
    #expect(try database.rows("text !=[c] nil") == [0, 1, 2, 3])
    #expect(try database.rows("text LIKE nil") == [4])
  }

  @Test(arguments: [
    ("*", [0, 1, 2, 3]), ("", [3]), ("a*", [0, 1]), ("?b*", [0, 1]), ("*c", [0, 1]), ("a?c", [0]),
    ("a??c", [1]),
    ("**b**", [0, 1]), ("?", [2]), ("??", []), ("é", [2]), ("ab", []), ("abc*", [0]),
  ])
  func like(pattern: String, rows: [Int]) throws {
    let database = try Self.database([.string("abc"), .string("abéc"), .string("é"), .string(""), .null])
    #expect(try database.rows("text LIKE %@", .string(pattern)) == rows)
  }

  @Test func caseFoldingFollowsUnicode() throws {
    let pairs = [
      ("straße", "STRASSE"), ("Ελλάς", "ΕΛΛΆΣ"), ("Привет", "ПРИВЕТ"), ("\u{212A}", "k"), ("ǅ", "ǆ"),
      ("ﬁ", "FI"),
      ("İ", "i\u{307}"), ("\u{1E9E}", "ss"),
    ]
    for (a, b) in pairs {
      let database = try Self.database([.string(a)])
      #expect(try database.rows("text ==[c] %@", .string(b)) == [0], "\(a) \(b)")
      #expect(try database.rows("text CONTAINS[c] %@", .string(b)) == [0], "\(a) \(b)")
      #expect(try database.rows("text == %@", .string(b)) == [], "\(a) \(b)")
    }
    let database = try Self.database([.string("\u{131}"), .string("é")])
    #expect(try database.rows("text ==[c] 'i'") == [])
    #expect(try database.rows("text ==[c] 'e'") == [])
  }

  @Test func diacriticFoldingDropsMarks() throws {
    let database = try Self.database([
      .string("é"), .string("e\u{301}"), .string("E"), .string("ø"), .string("Ệ"), .string("e"),
    ])
    #expect(try database.rows("text ==[d] 'e'") == [0, 1, 5])
    #expect(try database.rows("text ==[cd] 'e'") == [0, 1, 2, 4, 5])
    #expect(try database.rows("text ==[cd] 'ế'") == [0, 1, 2, 4, 5])
    #expect(try database.rows("text ==[d] 'o'") == [])
    #expect(try database.rows("text CONTAINS[cd] 'E'") == [0, 1, 2, 4, 5])
    #expect(try database.rows("text IN[cd] {'O', 'E'}") == [0, 1, 2, 4, 5])
  }

  /// Lengths around those where values are stored differently, in the middle of enough others to fill a heap.
  @Test(arguments: [1, 2, 7, 8, 9, 15, 16, 17, 127, 128, 129, 254, 255, 256, 5000])
  func everyLength(length: Int) throws {
    var texts = (0..<1000).map { Value.string("filler \($0 &* 7919)") }
    let needle = String(repeating: "x", count: length - 1) + "y"
    texts[17] = .string(needle)
    texts[959] = .string("-" + needle)
    texts[960] = .string(needle + "-")
    texts[999] = .string(needle)
    let database = try Self.database(texts)
    #expect(try database.rows("text == %@", .string(needle)) == [17, 999])
    #expect(try database.rows("text CONTAINS %@", .string(needle)) == [17, 959, 960, 999])
    #expect(try database.rows("text CONTAINS[c] %@", .string(needle.uppercased())) == [17, 959, 960, 999])
    #expect(try database.rows("text BEGINSWITH %@", .string(needle)) == [17, 960, 999])
    #expect(try database.rows("text ENDSWITH %@", .string(needle)) == [17, 959, 999])
    #expect(try database.rows("text LIKE %@", .string("*" + needle)) == [17, 959, 999])
    #expect(try database.rows("text > %@", .string(needle)) == [960])
  }

  /// Finds that begin in one value and end in the next are none.
  @Test func findsDoNotSpanValues() throws {
    let texts = (0..<960).map { Value.string($0 % 2 == 0 ? "aaab\($0)ab" : "cd\($0)aaa") }
    let database = try Self.database(texts)
    #expect(try database.rows("text CONTAINS 'abcd'") == [])
    #expect(try database.rows("text CONTAINS 'aaaa'") == [])
    #expect(try database.rows("text CONTAINS 'ab'").count == 480)
    #expect(try database.rows("text CONTAINS 'aaa'").count == 960)
  }

  @Test func dataComparesBytes() throws {
    let database = try TestDatabase([
      TableDescription(name: "Thing", columns: [Column(name: "bytes", type: .data, isNullable: true)])
    ])
    for bytes: [UInt8] in [[0, 1, 2], [0xFF, 0x41], [0x61], []] {
      database.insert(0, ["bytes": .data(bytes)])
    }
    #expect(try database.rows("bytes CONTAINS %@", .value(.data([1, 2]))) == [0])
    #expect(try database.rows("bytes BEGINSWITH %@", .value(.data([0xFF]))) == [1])
    // What is not UTF-8 never matches a folded comparison.
    #expect(try database.rows("bytes CONTAINS[c] %@", .value(.data([0x41]))) == [2])
    #expect(try database.rows("bytes !=[c] %@", .value(.data([0x41]))) == [0, 1, 3])
  }
}
