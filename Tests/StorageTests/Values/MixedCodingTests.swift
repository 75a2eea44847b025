import TestSupport
import Testing

@testable import Storage

/// Mixed values as bytes, compared with what they were made from.
@Suite struct MixedCodingTests {
  private func scalar(_ random: inout SeededGenerator) -> Value {
    let number = random.next()
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .null
    case 1: return .int(Int64(bitPattern: number))
    case 2: return .bool(number & 1 == 0)
    case 3: return .float(Float(number % 1000) / 3)
    case 4: return .double(Double(number % 1000) / 3)
    case 5: return .date(Double(number % 1_000_000) + 0.25)
    case 6: return .string(["", "a", "日本語", String(repeating: "x", count: 300)][Int(number % 4)])
    case 7: return .data((0..<Int(number % 40)).map { UInt8($0) })
    case 8: return .objectId(Fixed12(high: number, low: UInt32(truncatingIfNeeded: number)))
    case 9: return .uuid(Fixed16(high: number, low: ~number))
    case 10: return .decimal128(Fixed16(high: number, low: number / 3))
    default: return .link(table: Int(number % 5), row: Int(number % 100))
    }
  }

  private func value(_ depth: Int, _ random: inout SeededGenerator) -> Value {
    if depth == 0 || Int.random(in: 0..<3, using: &random) == 0 { return scalar(&random) }
    let count = Int.random(in: 0..<6, using: &random)
    if Bool.random(using: &random) { return .list((0..<count).map { _ in value(depth - 1, &random) }) }
    return .dictionary(
      (0..<count).map { .init(key: "k\($0)", value: value(depth - 1, &random)) })
  }

  @Test(arguments: [31, 32] as [UInt64])
  func bytesBecomeTheSameValue(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let value = value(4, &random)
      if value.isNull { continue }
      value.mixedBytes.withUnsafeBytes { #expect(Value(mixed: $0) == value) }
    }
  }

  @Test func removedLinksAreNulls() {
    var random = SeededGenerator(seed: 33)
    func expected(_ value: Value) -> Value {
      switch value {
      case .link(2, 7): .null
      case .list(let elements): .list(elements.map(expected))
      case .dictionary(let entries):
        .dictionary(entries.map { .init(key: $0.key, value: expected($0.value)) })
      default: value
      }
    }
    var changed = 0
    for _ in 0..<500 {
      let value = Value.list([.link(table: 2, row: 7), value(3, &random), .link(table: 7, row: 2)])
      let found = value.removingLinks(table: 2, row: 7)
      #expect(found == expected(value))
      if found != value { changed += 1 }
    }
    #expect(changed == 500)
  }

  @Test func elementsAreFoundWhereTheyLie() throws {
    var random = SeededGenerator(seed: 34)
    let elements = (0..<30).map { _ in value(2, &random) }
    try Value.list(elements).mixedBytes.withUnsafeBytes { bytes in
      let view = MixedView(bytes)
      #expect(view.element(at: elements.count) == nil)
      for (position, element) in elements.enumerated() {
        let found = try #require(view.element(at: position))
        #expect(found.value == element)
        let range = try #require(found.range(in: view))
        #expect(MixedView(UnsafeRawBufferPointer(rebasing: bytes[range])).value == element)
      }
    }
    let entries = (0..<9).map { Value.DictionaryEntry(key: "k\($0)", value: .int(Int64($0))) }
    Value.dictionary(entries).mixedBytes.withUnsafeBytes { bytes in
      let view = MixedView(bytes)
      for position in 0..<9 { #expect(view.key(at: position) == "k\(position)") }
      #expect(view.position(ofKey: "k4") == (4, true))
      #expect(view.position(ofKey: "k45") == (5, false))
      #expect(view.position(ofKey: "z") == (9, false))
      #expect(view.element(at: 8)?.value == .int(8))
    }
  }
}
