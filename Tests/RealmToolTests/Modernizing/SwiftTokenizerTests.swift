import Foundation
import TestSupport
import Testing

@testable import RealmTool

struct SwiftTokenizerTests {
  private func words(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    return SwiftTokenizer.tokens(of: bytes).filter { $0.kind != .space }
      .map { String(decoding: bytes[$0.range], as: UTF8.self) }
  }

  private func literals(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    return SwiftTokenizer.tokens(of: bytes).filter { $0.kind == .literal }
      .map { String(decoding: bytes[$0.range], as: UTF8.self) }
  }

  @Test func wordsNumbersAndSymbolsAreTokens() {
    #expect(
      words("let `in` = -1.5e3 + a.b?.c") == [
        "let", "`in`", "=", "-", "1.5e3", "+", "a", ".", "b", "?.", "c",
      ])
    #expect(words("Map<String, Int?>()") == ["Map", "<", "String", ",", "Int", "?>", "(", ")"])
    #expect(
      words("@objc #if x/*a/*b*/c*/y//z\nw") == ["@", "objc", "#", "if", "x", "/*a/*b*/c*/", "y", "//z", "w"])
  }

  @Test(arguments: [
    #""a\"}b""#, #""a\(f("}") + "\(1)")b""#, "\"\"\"\na \" { \"\" \\(x[\"}\"])\n\"\"\"", ##"#"a\("#"##,
    ##"#"a\#("}")"#"##,
    "#/a\"{/#", "##\"\"\"\n\"\"\"#\n\"\"\"##",
  ])
  func aStringWithWhateverIsInItIsOneLiteral(literal: String) {
    #expect(literals("x = \(literal) }") == [literal])
  }

  @Test func aSlashIsARegularExpressionOnlyWhereAnOperandIsExpected() {
    #expect(literals("let a = /[\"{]/") == ["/[\"{]/"])
    #expect(literals("a = b / c / d") == [])
    #expect(literals("f(x)/2 + y/3") == [])
  }

  @Test func aStringWithoutAnEndStopsAtTheEndOfItsLine() {
    #expect(words("a = \"b {\nc") == ["a", "=", "\"b {", "c"])
  }

  /// Every Swift file of the repository, and pieces of them that begin and end anywhere.
  @Test func tokensInARowAreTheFile() throws {
    var generator = SeededGenerator(seed: 36)
    var count = 0
    for folder in ["Sources", "Tests", "Benchmarks", "Examples"] {
      for path in try SourceFiles.find([Repository.folder.appending(path: folder).path]) {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        expectWhole(bytes, path)
        let begin = Int.random(in: 0...bytes.count, using: &generator)
        expectWhole(Array(bytes[begin..<Int.random(in: begin...bytes.count, using: &generator)]), path)
        #expect(SwiftSource(bytes) != nil, "the brackets of \(path) do not match")
        count += 1
      }
    }
    #expect(count > 800)
  }

  private func expectWhole(_ bytes: [UInt8], _ path: String) {
    var position = 0
    for token in SwiftTokenizer.tokens(of: bytes) {
      guard token.range.lowerBound == position, !token.range.isEmpty else {
        Issue.record("a gap at byte \(position) of \(path)")
        return
      }
      position = token.range.upperBound
    }
    #expect(position == bytes.count, "\(path)")
  }
}
