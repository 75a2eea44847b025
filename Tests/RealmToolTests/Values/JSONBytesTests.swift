import Foundation
import QueryEngine
import Storage
import TestSupport
import Testing

@testable import RealmTool

struct JSONBytesTests {
  /// Texts come back from a parser as they were, and a terminal that shows the document obeys none of their characters.
  @Test func textsAreEscaped() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let pool = (0...0x2FF).compactMap { Unicode.Scalar(UInt32($0)) } + "👩‍🚀\u{2028}\u{10FFFF}".unicodeScalars
    for _ in 0..<500 {
      let scalars = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        pool.randomElement(using: &generator)!
      }
      let text = String(String.UnicodeScalarView(scalars))
      var bytes: [UInt8] = []
      bytes.appendJSON(text)
      #expect(try JSONParser.parse(String(decoding: bytes, as: UTF8.self)) == .string(text), "seed \(seed)")
      let found = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) as? String
      #expect(found.map { Array($0.utf8) } == Array(text.utf8), "seed \(seed)")
      let written = String(decoding: bytes, as: UTF8.self).unicodeScalars
      #expect(written.allSatisfy { $0.properties.generalCategory != .control }, "seed \(seed)")
    }
  }

  @Test func partsAreAppended() {
    var bytes: [UInt8] = []
    bytes.appendArray(["a", nil]) { $1.appendJSON(orNull: $0) }
    bytes.append(numbers: [])
    bytes.append(numbers: [1, -2])
    bytes.append(json: .object([.init(name: "a", value: .array([.bool(true), .int(.min), .number("1e3")]))]))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"["a",null][][1,-2]{"a":[true,-9223372036854775808,1e3]}"#)
  }

  @Test func datesHaveExtremesOnly() {
    let ofDates = [AggregateOperation.minimum, .maximum, .sum, .average].filter {
      $0.propertyTypes.contains(.date)
    }
    #expect(ofDates == [.minimum, .maximum])
    #expect(!AggregateOperation.maximum.propertyTypes.contains(.string))
  }
}
