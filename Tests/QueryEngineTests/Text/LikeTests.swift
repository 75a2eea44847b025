import TestSupport
import Testing

@testable import QueryEngine

/// LIKE against a plain definition of it, and with patterns at which trying all places takes minutes.
@Suite struct LikeTests {
  private func isLike(_ text: String, _ pattern: String) -> Bool {
    Array(text.utf8).withUnsafeBytes { text in
      Array(pattern.utf8).withUnsafeBytes { text.isLike($0) }
    }
  }

  /// Scalar by scalar: which places of the pattern the text so far can have reached.
  private func definition(_ text: String, _ pattern: String) -> Bool {
    let pattern = Array(pattern.unicodeScalars)
    var reached: Set<Int> = [0]
    func withStars(_ places: Set<Int>) -> Set<Int> {
      var all = places
      for place in places.sorted() {
        var next = place
        while next < pattern.count, pattern[next] == "*" {
          next += 1
          all.insert(next)
        }
      }
      return all
    }
    reached = withStars(reached)
    for scalar in text.unicodeScalars {
      var next: Set<Int> = []
      for place in reached where place < pattern.count {
        if pattern[place] == "*" { next.insert(place) }
        if pattern[place] == "?" || pattern[place] == scalar { next.insert(place + 1) }
      }
      reached = withStars(next)
    }
    return reached.contains(pattern.count)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func randomPatterns(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var matches = 0
    for _ in 0..<3000 {
      let text = String(
        (0..<Int.random(in: 0...9, using: &random)).map { _ in "abé🐶".randomElement(using: &random)! })
      let pattern = String(
        (0..<Int.random(in: 0...7, using: &random)).map { _ in "abé🐶??**".randomElement(using: &random)! })
      let expected = definition(text, pattern)
      if expected { matches += 1 }
      #expect(isLike(text, pattern) == expected, "\(text) LIKE \(pattern)")
    }
    #expect(matches > 300)
  }

  /// Pieces of more than 64 bytes with question marks between the letters.
  @Test(arguments: [4, 5] as [UInt64])
  func longPieces(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var matches = 0
    for _ in 0..<40 {
      let text = (0..<300).map { _ in "aaaé".randomElement(using: &random)! }
      let start = Int.random(in: 0..<150, using: &random)
      var piece = text[start..<start + Int.random(in: 66..<140, using: &random)]
      for place in piece.indices where Int.random(in: 0..<3, using: &random) == 0 { piece[place] = "?" }
      if Bool.random(using: &random) { piece[piece.startIndex + 40] = "b" }
      let pattern = "a*" + String(piece) + "*"
      let whole = "a" + String(text)
      let expected = definition(whole, pattern)
      if expected { matches += 1 }
      #expect(isLike(whole, pattern) == expected, "\(whole) LIKE \(pattern)")
    }
    #expect(4...36 ~= matches)
  }

  @Test(arguments: [
    (["*", "?", "b"], false), (["*", "?", "b*"], false), (["*", "?", "*", "?"], true),
    (["*", "?", "*a*", "?"], false), (["?", "a", "*"], true),
  ])
  func manyWildcards(pieces: [String], expected: Bool) {
    let text = String(repeating: "a", count: 200_000)
    let marks = String(repeating: "?", count: 100_000)
    let isMatch = isLike(text, pieces.map { $0 == "?" ? marks : $0 }.joined())
    #expect(isMatch == expected)
  }

  @Test func alternatingWildcards() {
    let text = String(repeating: "a", count: 20_000)
    let all = isLike(text, String(repeating: "*?", count: 20_000))
    #expect(all)
    let more = isLike(text, String(repeating: "?*", count: 20_001))
    #expect(!more)
    let inside = isLike(text, "*a" + String(repeating: "?", count: 10_000) + "b*")
    #expect(!inside)
  }
}
