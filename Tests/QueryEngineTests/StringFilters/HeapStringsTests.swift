import TestSupport
import Testing

@testable import QueryEngine
@testable import Storage

/// Conditions on strings, and the first of a sort, where nearly all strings differ and so lie one behind the other.
@Suite struct HeapStringsTests {
  private static let thing = TableDescription(
    name: "Thing", columns: [Column(name: "text", type: .string, isNullable: true)])

  /// Short and long ones that have much in common: of a few letters, zeros among them, or of one beginning.
  private static func text(_ random: inout SeededGenerator, longest: Int) -> String {
    let letters = ["a", "b", "\u{0}", "é", "7"]
    let beginning = Bool.random(using: &random) ? "" : "Name0"
    return beginning
      + (0..<Int.random(in: 0...longest, using: &random)).map { _ in letters.randomElement(using: &random)! }
      .joined()
  }

  /// With long values and nulls, with one of them, or neither.
  private static func database(
    _ random: inout SeededGenerator, chunks: Int, hasNulls: Bool, hasLong: Bool
  ) throws -> (TestDatabase, [String?]) {
    var seen: Set<String> = []
    let texts: [String?] = (0..<chunks * chunkCapacity + 77).map { _ in
      if hasNulls && Int.random(in: 0..<9, using: &random) == 0 { return nil }
      let longest = hasLong && Int.random(in: 0..<30, using: &random) == 0 ? 400 : 11
      let text = text(&random, longest: longest)
      return seen.insert(text).inserted ? text : text + "\(seen.count)"
    }
    let database = try TestDatabase([thing])
    for text in texts { database.insert(0, ["text": text.map(Value.string) ?? .null]) }
    try database.commit()
    #expect(database.snapshot.table(0).chunk(0, number: 1).encoding == .heap)
    return (database, texts)
  }

  /// What to look for: parts of what is there, some of them changed.
  private static func pattern(_ random: inout SeededGenerator, _ texts: [String?]) -> String {
    let scalars = Array((texts.randomElement(using: &random)! ?? "ab").unicodeScalars)
    let start = Int.random(in: 0...scalars.count, using: &random)
    let part = scalars[start...].prefix(Int.random(in: 1...12, using: &random))
    let text = part.reduce(into: "") { $0.unicodeScalars.append($1) }
    return text.isEmpty ? "a7" : Int.random(in: 0..<6, using: &random) == 0 ? text + "b" : text
  }

  @Test(arguments: TestLength.seeds([11, 12], short: 1), [false, true])
  func conditionsHoldAsSwiftSays(seed: UInt64, isPlain: Bool) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let (database, texts) = try Self.database(&random, chunks: 2, hasNulls: !isPlain, hasLong: !isPlain)
    let bytes = texts.map { $0.map { Array($0.utf8) } }
    for _ in 0..<60 {
      let text = Self.pattern(&random, texts)
      let wanted = Array(text.utf8)
      func rows(where holds: ([UInt8]) -> Bool) -> [Int] {
        bytes.indices.filter { bytes[$0].map(holds) ?? false }
      }
      func contains(_ bytes: [UInt8]) -> Bool {
        bytes.count >= wanted.count
          && (0...bytes.count - wanted.count).contains { bytes[$0...].starts(with: wanted) }
      }
      #expect(try database.rows("text CONTAINS %@", .string(text)) == rows(where: contains))
      #expect(
        try database.rows("text BEGINSWITH %@", .string(text)) == rows { $0.starts(with: wanted) })
      #expect(
        try database.rows("text ENDSWITH %@", .string(text))
          == rows { $0.suffix(wanted.count) == wanted[...] })
      #expect(try database.rows("text == %@", .string(text)) == rows { $0 == wanted })
    }
  }

  // With more rows than are kept before the first are told from the others.
  @Test(arguments: TestLength.seeds([21, 22], short: 1), [false, true])
  func theFirstOfASortAreThoseOfAPlainSort(seed: UInt64, isPlain: Bool) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let (database, texts) = try Self.database(&random, chunks: 9, hasNulls: !isPlain, hasLong: !isPlain)
    let (snapshot, bytes) = (database.snapshot, texts.map { $0.map { Array($0.utf8) } })
    for isAscending in [true, false] {
      let key = try SortKey(
        keyPath: "text", isAscending: isAscending, table: 0, catalogue: snapshot.catalogue)
      let some = bytes.indices.filter { $0 % 64 < 16 || Int.random(in: 0..<3, using: &random) > 0 }
      for (selection, rows) in [(RowSelection.all, Array(bytes.indices)), (.set(RowSet(rows: some)), some)] {
        let expected = rows.sorted { first, second in
          let isBefore =
            switch (bytes[first], bytes[second]) {
            case (let a?, let b?):
              isAscending ? a.lexicographicallyPrecedes(b) : b.lexicographicallyPrecedes(a)
            case (nil, _?): isAscending
            case (_?, nil): !isAscending
            case (nil, nil): false
            }
          return isBefore || (bytes[first] == bytes[second] && first < second)
        }
        for limit in [1, 10, 100] {
          let sorted = snapshot.sort(selection, count: rows.count, by: [key], table: 0, limit: limit)
          #expect(sorted.rows == Array(expected.prefix(limit)) && sorted.method == .leaders)
        }
      }
    }
  }
}
