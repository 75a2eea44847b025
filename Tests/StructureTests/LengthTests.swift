import Foundation
import TestSupport
import Testing

/// What is longer than a screen or two is read by nobody: limits of files and functions.
struct LengthTests {
  private static let linesOfFile = 400
  private static let linesOfFunction = 60

  @Test(arguments: ["Sources", "Tests", "Benchmarks", "Examples"]) func lengths(folder: String) throws {
    let folder = Repository.folder.appending(path: folder)
    for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)!
    where file.pathExtension == "swift" {
      let name = file.path.dropFirst(Repository.folder.path.count + 1)
      let lines = SourceLines(try Data(contentsOf: file))
      #expect(lines.count <= Self.linesOfFile, "\(name)")
      for function in lines.functions {
        #expect(function.count <= Self.linesOfFunction, "\(name):\(function.lowerBound + 1)")
      }
    }
  }

  @Test func functionsAreFound() {
    let lines = SourceLines(
      Data(
        """
        struct Some {
          let value: Int
          static let made: Int = {
            1
          }()
          @Test(arguments: [1]) private static func first(
            _ number: Int
          ) {
            if true {
            }
          }
          var one: Int { 1 }
          // func none() {
          public init<A>() where A: B {

          }
        }
        """.utf8))
    #expect(lines.count == 17)
    #expect(lines.functions == [2..<5, 5..<11, 13..<16])
  }
}

/// The lines of a source file in the layout that `swift format` gives it: what begins at a column ends at the same.
private struct SourceLines {
  private var lines: [ArraySlice<UInt8>]

  init(_ data: Data) {
    lines = Array(data).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
  }

  var count: Int { lines.count }

  /// The lines of each function, initialiser, accessor, computed property and closure that makes a property.
  var functions: [Range<Int>] {
    lines.indices.compactMap { first in
      Self.declares(lines[first]) ? end(of: first).map { first..<$0 } : nil
    }
  }

  private func end(of first: Int) -> Int? {
    let margin = Self.margin(lines[first])
    for next in (first + 1)..<max(first + 1, lines.count) where !lines[next].isEmpty {
      let line = lines[next].dropFirst(margin)
      guard Self.margin(lines[next]) <= margin else { continue }
      if line.first == UInt8(ascii: "}") { return Self.margin(lines[next]) == margin ? next + 1 : nil }
      // The head of the function goes on.
      let isHead = [")", "{", "where "].contains { line.starts(with: $0.utf8) }
      if !isHead || Self.margin(lines[next]) < margin { return nil }
    }
    return nil
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private", "static", "class", "final", "override",
    "mutating",
    "nonmutating", "consuming", "borrowing", "nonisolated", "convenience", "required", "lazy", "prefix",
    "postfix",
    "infix", "dynamic", "open", "indirect", "weak", "unowned",
  ]
  private static let keywords: Set<Substring> = [
    "func", "init", "deinit", "subscript", "var", "let", "get", "set", "_read", "_modify", "willSet",
    "didSet",
  ]

  /// Whether a line begins something that may have a body, and has not ended it.
  private static func declares(_ line: ArraySlice<UInt8>) -> Bool {
    if line.last == UInt8(ascii: "}") { return false }
    var depth = 0
    for word in String(decoding: line, as: UTF8.self).split(separator: " ") {
      let isAttribute = depth > 0 || word.hasPrefix("@")
      depth += word.count { $0 == "(" } - word.count { $0 == ")" }
      if isAttribute { continue }
      let name = word.prefix { $0.isLetter || $0 == "_" }
      if keywords.contains(name) { return true }
      if !modifiers.contains(name) { return false }
      depth = 0
    }
    return false
  }

  private static func margin(_ line: ArraySlice<UInt8>) -> Int {
    line.prefix { $0 == UInt8(ascii: " ") }.count
  }
}
