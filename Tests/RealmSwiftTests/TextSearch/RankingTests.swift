import Foundation
import RealmSwift
import TestSupport
import Testing

class RankedNote: Object {
  @Persisted var number: Int
  @Persisted(fullText: true) var text: String?
  @Persisted var plain: String
}

class RankedShelf: Object {
  @Persisted var notes: List<RankedNote>
}

/// Texts in the order of their relevance, compared with the formula worked out over plain strings.
@Suite struct RankingTests {
  private static let vocabulary = ["wolf", "wolves", "dog", "forest", "black", "the", "a", "rare"]

  private static func text(_ random: inout SeededGenerator) -> String? {
    if Int.random(in: 0..<12, using: &random) == 0 { return nil }
    return (0..<Int.random(in: 0..<15, using: &random)).map { _ in
      vocabulary[min(Int.random(in: 0..<8, using: &random), Int.random(in: 0..<9, using: &random), 7)]
    }.joined(separator: " ")
  }

  /// BM25 as `ranked(by:_:)` describes it.
  private static func scores(
    _ texts: [Int: String?], found: [Int], words: [String], prefixes: [String]
  ) -> [(Int, Double)] {
    let isWord: [(String) -> Bool] =
      words.map { word in { $0 == word } } + prefixes.map { prefix in { $0.hasPrefix(prefix) } }
    let parts = texts.mapValues { ($0 ?? "").split(separator: " ").map(String.init) }
    let words = isWord.map { isWord in
      let all = Double(parts.values.count { $0.contains(where: isWord) })
      return (isWord: isWord, weight: log(1 + (Double(texts.count) - all + 0.5) / (all + 0.5)))
    }
    let average = max(
      1, found.reduce(0.0) { $0 + Double(parts[$1]!.count) } / Double(max(1, found.count)))
    return found.map { number in
      let parts = parts[number]!
      let score = words.reduce(0.0) { score, word in
        let count = Double(parts.count(where: word.isWord))
        let length = 0.25 + 0.75 * Double(parts.count) / average
        return score + word.weight * count * 2.2 / (count + 1.2 * length)
      }
      return (number, score)
    }.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0 < $1.0 }
  }

  @Test(arguments: [71, 72] as [UInt64])
  func agreesWithTheFormula(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let file = try ScratchRealm(opening: [RankedNote.self, RankedShelf.self])
    let realm = file.realm
    var texts: [Int: String?] = [:]
    try realm.write {
      for number in 0..<400 {
        texts[number] = Self.text(&random)
        realm.create(RankedNote.self, value: ["number": number, "text": texts[number]! as Any])
      }
    }
    let notes = realm.objects(RankedNote.self)
    func compare(_ notes: Results<RankedNote>, _ kept: (Int) -> Bool) {
      for (search, words, prefixes) in [
        ("wolf", ["wolf"], []), ("wolf forest", ["wolf", "forest"], []), ("wol* rare", ["rare"], ["wol"]),
        ("dog -the", ["dog"], []), ("\"black wolf\"", ["black", "wolf"], []), ("nothing", ["nothing"], []),
      ] as [(String, [String], [String])] {
        let finder = TextSearch(search)
        let found = texts.keys.filter { number in kept(number) && texts[number]!.map(finder.matches) ?? false
        }
        let expected = Self.scores(texts, found: found, words: words, prefixes: prefixes)
        let ranked = notes.ranked(by: \.text, search)
        // The order of words is that of the search, not of the model: sums may differ in the last digit.
        #expect(Set(ranked.map(\.object.number)) == Set(expected.map(\.0)), "\(search)")
        for (first, second) in zip(ranked, expected) {
          #expect(abs(first.score - second.1) < 1e-9, "\(search)")
        }
        #expect(
          notes.ranked(by: \.text, search, limit: 3).map(\.object.number)
            == ranked.prefix(3).map(\.object.number))
      }
    }
    compare(notes) { _ in true }
    compare(notes.where { $0.number < 100 }) { $0 < 100 }
    compare(notes.sorted(by: \.number, ascending: false)) { _ in true }
    realm.beginWrite()
    realm.delete(notes.where { $0.number > 300 })
    texts = texts.filter { $0.key <= 300 }
    notes.where { $0.number == 7 }[0].text = "wolf wolf wolf"
    texts[7] = "wolf wolf wolf"
    compare(notes) { _ in true }
    try realm.commitWrite()
    compare(notes) { _ in true }
    compare(notes.freeze()) { _ in true }
  }

  @Test func lists() throws {
    let file = try ScratchRealm(opening: [RankedNote.self, RankedShelf.self])
    try file.realm.write {
      let notes = ["wolf", "wolf and dog", "dog"].enumerated().map {
        RankedNote(value: ["number": $0.offset, "text": $0.element])
      }
      file.realm.add(RankedShelf(value: ["notes": [notes[1], notes[0], notes[2], notes[1]]]))
    }
    let shelf = file.realm.objects(RankedShelf.self)[0]
    #expect(shelf.notes.ranked(by: \.text, "wolf").map(\.object.number) == [0, 1, 1])
    #expect(shelf.notes.ranked(by: \.text, "").isEmpty)
  }

  @Test func aPropertyWithoutAnIndexStops() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try ScratchRealm(opening: [RankedNote.self, RankedShelf.self])
      _ = file.realm.objects(RankedNote.self).ranked(by: \.plain, "wolf")
    }
    expectStop(result, saying: "Property 'RankedNote.plain' has no full-text index")
  }
}
