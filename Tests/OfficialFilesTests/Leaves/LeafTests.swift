import Testing

@testable import OfficialFiles

/// Leaves made by hand: the examples of the format's description, and what the samples do not show.
struct LeafTests {
  typealias Column = FileBuilder.Column

  private static let nullable: Int64 = 16

  @Test func integersOfAllWidths() throws {
    func values(_ width: UInt8, _ payload: [UInt8], _ count: Int) throws -> [Content] {
      try FileBuilder.values(Column(type: 0), count: count) {
        $0.node([], width: width, count: count, payload)
      }
    }
    #expect(try values(0, [], 2) == [.int(0), .int(0)])
    #expect(try values(1, [0b10], 3) == [.int(0), .int(1), .int(0)])
    #expect(try values(2, [0x3D], 3) == [.int(1), .int(3), .int(3)])
    #expect(try values(3, [0xF1], 2) == [.int(1), .int(15)])
    #expect(try values(4, [1, 0xFB, 0], 3) == [.int(1), .int(-5), .int(0)])
    #expect(try values(5, [0, 0x80], 1) == [.int(-32_768)])
    #expect(try values(6, [255, 255, 255, 255], 1) == [.int(-1)])
  }

  @Test func nullOfIntegersIsTheFirstOfTheLeaf() throws {
    let values = try FileBuilder.values(Column(type: 0, attributes: Self.nullable), count: 3) {
      $0.node([], width: 3, count: 4, [0x7F, 0xFF])
    }
    #expect(values == [.int(7), .null, .null])
    expectDamage("means null") {
      _ = try FileBuilder.values(Column(type: 0, attributes: Self.nullable), count: 0) {
        $0.node([], count: 0)
      }
    }
  }

  @Test func booleans() throws {
    let values = try FileBuilder.values(Column(type: 1, attributes: Self.nullable), count: 3) {
      $0.node([], width: 2, count: 3, [0b11_01_00])
    }
    #expect(values == [.bool(false), .bool(true), .null])
    expectDamage("truth value") {
      _ = try FileBuilder.values(Column(type: 1), count: 1) { $0.node([], width: 2, count: 1, [2]) }
    }
  }

  @Test func shortStrings() throws {
    let column = Column(type: 2, attributes: Self.nullable)
    let values = try FileBuilder.values(column, count: 3) {
      $0.node(.byteWidths, width: 3, count: 3, [0x61, 0x62, 0, 1, 0, 0, 0, 3, 0, 0, 0, 4])
    }
    #expect(values == [.text("ab"), .text(""), .null])
    #expect(try FileBuilder.values(column, count: 2) { $0.node(.byteWidths, count: 2) } == [.null, .null])
    expectDamage("unused bytes") {
      _ = try FileBuilder.values(column, count: 1) { $0.node(.byteWidths, width: 3, count: 1, [0, 0, 0, 5]) }
    }
  }

  @Test func mediumStrings() throws {
    func values(_ ends: [Int64], _ text: String = "sixteen letters!\0\0\0") throws -> [Content] {
      try FileBuilder.values(Column(type: 2, attributes: Self.nullable), count: 3) {
        let ends = $0.integers(ends)
        let bytes = $0.blob(Array(text.utf8))
        let nulls = $0.node([], width: 1, count: 3, [0b110])
        return $0.references([ends, bytes, nulls])
      }
    }
    #expect(try values([17, 18, 19]) == [.text("sixteen letters!"), .null, .null])
    expectDamage("lies at") { _ = try values([17, 16, 19]) }
    expectDamage("lies at") { _ = try values([17, 18, 20]) }
    expectDamage("lies at") { _ = try values([-1, 18, 19]) }
    expectDamage("without its end") { _ = try values([16, 18, 19]) }
    expectDamage("flags") { _ = try values([17, 18]) }
  }

  @Test func bigValuesAndThoseInPieces() throws {
    let values = try FileBuilder.values(Column(type: 4, attributes: Self.nullable), count: 4) {
      let whole = $0.blob([1, 2, 3])
      let first = $0.blob([4, 5])
      let second = $0.blob([6])
      let pieces = $0.references([first, second], .context)
      let nothing = $0.blob([])
      return $0.references([whole, 0, pieces, nothing], .context)
    }
    #expect(values == [.data([1, 2, 3]), .null, .data([4, 5, 6]), .data([])])
    // Pieces have no end of their own.
    let strings = try FileBuilder.values(Column(type: 2), count: 2) {
      let whole = $0.blob([0x61, 0])
      let piece = $0.blob([0x62])
      let pieces = $0.references([piece], .context)
      return $0.references([whole, pieces], .context)
    }
    #expect(strings == [.text("a"), .text("b")])
  }

  @Test func whatIsNoUnicodeIsReplaced() throws {
    var builder = FileBuilder()
    let leaf = builder.node(.byteWidths, width: 3, count: 1, [0x61, 0xFF, 0, 1])
    let table = builder.table([Column(type: 2)], clusters: builder.cluster(count: 1, [leaf]))
    let file = try OfficialFile(builder.file([("class_A", table)]))
    try file.tables[0].forEachBlock { block in
      try block.forEachValue(ofProperty: 0) { _, value in
        guard case .string(let bytes) = value else { return #expect(value.isNull) }
        #expect(bytes.string == "a\u{FFFD}")
      }
    }
  }

  @Test func enumeratedStrings() throws {
    func values(_ numbers: [Int64]) throws -> [Content] {
      try FileBuilder.values(Column(type: 2), count: numbers.count, enumeration: ["red", "blue"]) {
        $0.integers(numbers)
      }
    }
    #expect(try values([1, 0, 1]) == [.text("blue"), .text("red"), .text("blue")])
    expectDamage("enumeration of 2") { _ = try values([2]) }
    expectDamage("enumeration of 2") { _ = try values([-1]) }
    expectDamage("no leaf of strings") {
      _ = try FileBuilder.values(Column(type: 2), count: 1) { $0.integers([0]) }
    }
  }

  @Test func nullOfFloatsIsOnePatternOfBits() throws {
    let bits: [UInt8] = [0xAA, 0, 0xC0, 0x7F, 0, 0, 0xC0, 0x7F]
    func values(_ attributes: Int64) throws -> [Content] {
      try FileBuilder.values(Column(type: 9, attributes: attributes), count: 2) {
        $0.node(.byteWidths, width: 3, count: 2, bits)
      }
    }
    #expect(try values(Self.nullable) == [.null, .float(0x7FC0_0000)])
    #expect(try values(0) == [.float(0x7FC0_00AA), .float(0x7FC0_0000)])
    let doubles = try FileBuilder.values(Column(type: 10, attributes: Self.nullable), count: 1) {
      $0.node(.byteWidths, width: 4, count: 1, FileBuilder.bytes(0x7FF8_0000_0000_00AA))
    }
    #expect(doubles == [.null])
    expectDamage("floating-point numbers of 4 bytes") {
      _ = try FileBuilder.values(Column(type: 10), count: 1) {
        $0.node(.byteWidths, width: 3, count: 1, [0, 0, 0, 0])
      }
    }
  }

  @Test func objectIds() throws {
    let id: [UInt8] = [0x62, 0x74, 0x2A, 0xB9, 0x59, 0xD7, 0xF2, 0xE4, 0x8F, 0x59, 0xF7, 0x5D]
    let filler = Array(repeating: UInt8(0xDE), count: 24)
    let column = Column(type: 15, attributes: Self.nullable)
    let values = try FileBuilder.values(column, count: 3) {
      $0.node(.byteWidths, width: 1, count: 37, [6] + id + filler)
    }
    #expect(values == [.objectId(id), .null, .null])
    expectDamage("whole number of ids") {
      _ = try FileBuilder.values(column, count: 2) { $0.node(.byteWidths, width: 1, count: 24, filler) }
    }
  }

  @Test func decimals() throws {
    func values(_ width: UInt8, _ payload: [UInt8], _ count: Int, context: Bool = false) throws -> [Content] {
      try FileBuilder.values(Column(type: 11), count: count) {
        $0.node(context ? [.byteWidths, .context] : .byteWidths, width: width, count: count, payload)
      }
    }
    let tenth: UInt64 = 0x303E_0000_0000_0000
    #expect(try values(3, [15, 0, 0, 0x32], 1) == [.decimal(high: tenth, low: 15)])
    #expect(try values(3, [0xAA, 0, 0, 0x7C], 1) == [.null])
    #expect(try values(3, [0, 0, 0, 0x78], 1) == [.decimal(high: 0x7800_0000_0000_0000, low: 0)])
    // The second form of a coefficient, 2²³ + 1 at 10⁻¹; and one that is too large.
    #expect(try values(3, [1, 0, 128, 108], 1) == [.decimal(high: tenth, low: 8_388_609)])
    #expect(try values(3, [255, 255, 159, 108], 1) == [.decimal(high: tenth, low: 0)])
    #expect(try values(4, FileBuilder.bytes(0x31A0_0000_0000_000F), 1) == [.decimal(high: tenth, low: 15)])
    #expect(try values(0, [], 2) == [.null, .null])
    #expect(try values(0, [], 1, context: true) == [.decimal(high: 0x3040_0000_0000_0000, low: 0)])
    expectDamage("decimals of 2 bytes") { _ = try values(2, [0, 0], 1) }
  }

  @Test func dates() throws {
    func values(_ nanoseconds: [Int64]) throws -> [Content] {
      try FileBuilder.values(Column(type: 8, attributes: Self.nullable), count: 2) {
        let seconds = $0.integers([99, -1, 99])
        return $0.references([seconds, $0.integers(nanoseconds)])
      }
    }
    #expect(try values([-500_000_000, 0]) == [.date(seconds: -1, nanoseconds: -500_000_000), .null])
    expectDamage("nanoseconds") { _ = try values([1_000_000_000, 0]) }
    expectDamage("nanoseconds") { _ = try values([.min, 0]) }
    expectDamage("2 seconds with 1") { _ = try values([0]) }
  }
}
