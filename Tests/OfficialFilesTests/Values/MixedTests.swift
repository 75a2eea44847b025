import Testing

@testable import OfficialFiles

/// Mixed values, collections in them, and dictionaries made by hand.
struct MixedTests {
  typealias Column = FileBuilder.Column

  private static let mixed = Column(type: 6, attributes: 16)

  /// - Parameter slots: Those behind the words.
  private func values(
    _ words: [Int64], _ slots: (inout FileBuilder) -> [Int] = { _ in [0, 0, 0] }
  ) throws -> [Content] {
    try FileBuilder.values(Self.mixed, count: words.count) {
      let words = $0.integers(words)
      return $0.references([words] + slots(&$0))
    }
  }

  /// A word for a value in a payload array.
  private static func word(_ type: Int64, _ slot: Int64, _ index: Int64) -> Int64 {
    index << 8 | slot << 5 | (type + 1)
  }

  /// A string in the leaf for bytes, where all are followed by a 0.
  private static func bytes(_ builder: inout FileBuilder, _ content: [UInt8]) -> Int {
    let blob = builder.blob(content + [0])
    return builder.references([blob], .context)
  }

  @Test func wordsHaveValuesOrPlaces() throws {
    let found = try values([0x63, -0x2FF, 0x21, 0, 0x101 + 1]) {
      let integers = $0.integers([1 << 40])
      return [integers, 0, $0.strings(["hi"])]
    }
    #expect(found == [.text("hi"), .int(-3), .int(1 << 40), .null, .bool(true)])
  }

  @Test func placesThatAreNotThere() {
    expectDamage("without its content") { _ = try values([0x21]) }
    expectDamage("without its content") { _ = try values([0x63]) }
    expectDamage("without its content") { _ = try values([Self.word(8, 2, 0)]) }
    // Formats before 24 have no slot for collections.
    expectDamage("without its content") { _ = try values([Self.word(19, 4, 0)]) }
    expectDamage("no 1") { _ = try values([Self.word(0, 1, 1)]) { [$0.integers([1]), 0, 0] } }
    expectDamage("no 2") { _ = try values([Self.word(8, 2, 1)]) { [0, $0.integers([1, 2]), 0] } }
    expectDamage("no -1") { _ = try values([Self.word(0, 1, -1)]) { [$0.integers([1]), 0, 0] } }
    expectDamage("of type 20") { _ = try values([Self.word(20, 4, 0)]) }
    expectDamage("an id of 3 bytes") {
      _ = try values([Self.word(15, 3, 0)]) { [0, 0, Self.bytes(&$0, [1, 2, 3])] }
    }
  }

  @Test func linksThatLeadNowhere() throws {
    let found = try values([Self.word(16, 2, 0), Self.word(16, 2, 1), Self.word(16, 2, 2)]) {
      [0, $0.integers([0, 0, 0, -1, 9, -5]), 0]
    }
    #expect(found == [.link("A", 0), .null, .null])
    expectDamage("table 9") { _ = try values([Self.word(16, 2, 0)]) { [0, $0.integers([9, 0]), 0] } }
  }

  /// A leaf of one value: a list of the leaf before.
  private func nested(levels: Int) throws -> Content {
    try FileBuilder.values(Self.mixed, count: 1) {
      var leaf = $0.references([$0.integers([Self.word(0, 0, 7)]), 0, 0, 0, 0, 0])
      for _ in 0..<levels {
        let lists = $0.references([leaf])
        leaf = $0.references([$0.integers([Self.word(19, 4, 0)]), 0, 0, 0, lists, 0])
      }
      return leaf
    }[0]
  }

  @Test func listsInListsToTheEnginesLimit() throws {
    var value = try nested(levels: 100)
    var levels = 0
    while case .list(let elements) = value {
      value = elements[0]
      levels += 1
    }
    #expect(levels == 100 && value == .int(7))
    expectDamage("nested too deeply") { _ = try nested(levels: 101) }
  }

  @Test func emptyCollectionsHaveNoNodes() throws {
    let found = try values([Self.word(19, 4, 0), Self.word(21, 4, 1)]) {
      [0, 0, 0, $0.references([0, 0]), 0]
    }
    #expect(found == [.list([]), .dictionary([:])])
  }

  // MARK: Dictionaries

  private static let dictionary = Column(type: 0, attributes: 64)

  private func dictionary(_ keys: [String?], _ words: [Int64], format: UInt8) throws -> [Content] {
    try FileBuilder.values(Self.dictionary, count: 1, format: format) {
      let keys = $0.strings(keys)
      let values = $0.references([$0.integers(words), 0, 0, 0])
      // Before format 23 they are clusters, whose keys are hashes.
      let hashes = $0.integers(words.indices.map { Int64($0 * 1_000 + 5) })
      let root = format < 23 ? $0.references([hashes, keys, values]) : $0.references([keys, values])
      return $0.references([root])
    }
  }

  @Test(arguments: [21, 22, 23, 24] as [UInt8]) func dictionariesOfAllFormats(format: UInt8) throws {
    let found = try dictionary(["b", "a"], [0x101, 0], format: format)
    #expect(found == [.dictionary([Array("b".utf8): .int(1), Array("a".utf8): .null])])
    expectDamage("comes twice") { _ = try dictionary(["b", "a", "b"], [0, 0, 0], format: format) }
    expectDamage("comes twice") { _ = try dictionary([nil, ""], [0, 0], format: format) }
    expectDamage("2 keys and 1 values") { _ = try dictionary(["a", "b"], [0], format: format) }
  }
}
