import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

struct ParserTests {
  /// Whatever the size of the pieces in which a file is read: what the system's parser reads is read alike.
  @Test func randomDocumentsAreReadAsByFoundation() throws {
    var generator = SeededGenerator(seed: 15)
    for _ in 0..<500 {
      let value = Self.random(&generator, depth: 0)
      let data = try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed])
      let text = String(decoding: data, as: UTF8.self)
      #expect(Self.isEqual(try JSONParser.parse(text), value), "\(text)")
      // Cut anywhere, it needs more.
      let cut = Int.random(in: 0..<data.count, using: &generator)
      data.withUnsafeBytes { bytes in
        var parser = JSONParser(UnsafeRawBufferPointer(rebasing: bytes[..<cut]), at: 0, isComplete: false)
        if data.first! == UInt8(ascii: "{") {
          #expect(throws: JSONScanner.NeedsMore.self) { try parser.value() }
        }
      }
    }
  }

  private static func random(_ generator: inout SeededGenerator, depth: Int) -> Any {
    switch Int.random(in: 0..<(depth > 4 ? 5 : 7), using: &generator) {
    case 0: return NSNull()
    case 1: return Bool.random(using: &generator)
    case 2: return Int.random(in: .min ... .max, using: &generator)
    case 3: return Double.random(in: -1e10...1e10, using: &generator)
    case 4:
      return String(
        (0..<Int.random(in: 0..<8, using: &generator)).map { _ in
          "a\"\\\n\t\u{1}é日😀/".randomElement(using: &generator)!
        })
    case 5:
      return (0..<Int.random(in: 0..<4, using: &generator)).map { _ in random(&generator, depth: depth + 1) }
    default:
      var object: [String: Any] = [:]
      for number in 0..<Int.random(in: 0..<4, using: &generator) {
        object["k\(number)"] = random(&generator, depth: depth + 1)
      }
      return object
    }
  }

  private static func isEqual(_ value: JSONValue, _ other: Any) -> Bool {
    switch value {
    case .null: return other is NSNull
    case .bool(let flag): return other as? Bool == flag
    case .int(let number): return (other as? NSNumber)?.int64Value == number
    case .number(let text): return (other as? NSNumber)?.doubleValue == Double(text)
    case .string(let text): return other as? String == text
    case .field, .typed: return false
    case .array(let elements):
      guard let others = other as? [Any], others.count == elements.count else { return false }
      return zip(elements, others).allSatisfy(isEqual)
    case .object(let members):
      guard let others = other as? [String: Any], others.count == members.count else { return false }
      return members.allSatisfy { member in others[member.name].map { isEqual(member.value, $0) } ?? false }
    }
  }

  @Test func wordsOfAShell() throws {
    #expect(
      try ShellWords.split(#"  query C "a > 1 AND b == 'x'"  'it''s' a\ b "" "#) == [
        "query", "C", "a > 1 AND b == 'x'", "its", "a b", "",
      ])
    #expect(throws: UsageError.self) { try ShellWords.split("query 'x") }
  }
}
