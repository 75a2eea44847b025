import Foundation
import RealmSwift
import TestSupport
import Testing

/// Random searches over several properties, compared with a model of plain strings.
@Suite struct RandomSeveralTextsTests {
  /// What a note looks like to the model: the texts of each key path.
  private typealias Texts = [String: [String]]

  /// A part of a search: words that follow each other, of which the last may be a beginning.
  private struct Part {
    var words: [String]
    var isBeginning: Bool
    var isExcluded: Bool

    var text: String {
      let words = words.joined(separator: " ") + (isBeginning ? "*" : "")
      return (isExcluded ? "-" : "") + (self.words.count > 1 ? "\"\(words)\"" : words)
    }

    func matches(_ word: String, at place: Int) -> Bool {
      isBeginning && place == words.count - 1 ? word.hasPrefix(words[place]) : word == words[place]
    }

    func isTrue(of text: String) -> Bool {
      let found = text.split(separator: " ").map(String.init)
      return (0..<max(0, found.count - words.count + 1)).contains { start in
        words.indices.allSatisfy { matches(found[start + $0], at: $0) }
      }
    }
  }

  private static let vocabulary = ["wolf", "wolves", "dog", "forest", "black", "the", "a", "rare"]
  private static let paths = ["title", "body", "author.about", "parts.text", "readers.about"]

  private static func word(_ random: inout SeededGenerator) -> String {
    vocabulary[min(Int.random(in: 0..<8, using: &random), Int.random(in: 0..<9, using: &random), 7)]
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0..<6, using: &random)).map { _ in word(&random) }.joined(separator: " ")
  }

  private static func part(_ random: inout SeededGenerator) -> Part {
    let isPhrase = Int.random(in: 0..<6, using: &random) == 0
    var words = (0..<(isPhrase ? 2 : 1)).map { _ in word(&random) }
    let isBeginning = Int.random(in: 0..<4, using: &random) == 0
    if isBeginning { words[words.count - 1] = String(words[words.count - 1].prefix(2)) }
    return Part(
      words: words, isBeginning: isBeginning, isExcluded: Int.random(in: 0..<4, using: &random) == 0)
  }

  // MARK: The model

  private static func finds(_ parts: [Part], _ paths: [String], _ texts: Texts) -> Bool {
    let all = paths.flatMap { texts[$0]! }
    if all.isEmpty { return false }
    return parts.allSatisfy { part in part.isExcluded != all.contains(where: part.isTrue) }
  }

  /// BM25 over the words of the required parts, summed over the paths.
  private static func scores(
    _ parts: [Part], _ paths: [String], found: [Int], _ notes: [Int: Texts], columns: [String: [String]]
  ) -> [Int: Double] {
    var terms: [Part] = []
    for part in parts where !part.isExcluded {
      for (place, word) in part.words.enumerated() {
        let term = Part(
          words: [word], isBeginning: part.isBeginning && place == part.words.count - 1, isExcluded: false)
        if !terms.contains(where: { $0.text == term.text }) { terms.append(term) }
      }
    }
    var scores = Dictionary(uniqueKeysWithValues: found.map { ($0, 0.0) })
    for path in paths {
      let column = columns[path]!
      let lengths = found.compactMap { number in
        notes[number]![path]!.isEmpty
          ? nil : notes[number]![path]!.reduce(0) { $0 + $1.split(separator: " ").count }
      }
      let average = max(1, Double(lengths.reduce(0, +)) / Double(max(1, lengths.count)))
      for term in terms {
        let having = Double(column.count(where: term.isTrue))
        let weight = log(1 + (Double(column.count) - having + 0.5) / (having + 0.5))
        for number in found {
          let words = notes[number]![path]!.flatMap { $0.split(separator: " ").map(String.init) }
          let count = Double(words.count { term.matches($0, at: 0) })
          let length = 0.25 + 0.75 * Double(words.count) / average
          scores[number]! += weight * count * 2.2 / (count + 1.2 * length)
        }
      }
    }
    return scores
  }

  // MARK: The test

  /// The model's view of what is stored.
  private static func model(_ realm: Realm) -> (notes: [Int: Texts], columns: [String: [String]]) {
    let objects = realm.objects(SearchedNote.self)
    var notes: [Int: Texts] = [:]
    for note in objects {
      notes[note.number] = [
        "title": note.title.map { [$0] } ?? [], "body": [note.body],
        "author.about": note.author.map { [$0.about] } ?? [],
        "parts.text": note.parts.compactMap(\.text), "readers.about": different(note.readers).map(\.about),
      ]
    }
    let authors = realm.objects(SearchedAuthor.self).map(\.about)
    let columns: [String: [String]] = [
      // A null has no word, but its object counts.
      "title": objects.map { $0.title ?? "" }, "body": objects.map(\.body), "author.about": Array(authors),
      "parts.text": objects.flatMap { $0.parts.map { $0.text ?? "" } }, "readers.about": Array(authors),
    ]
    return (notes, columns)
  }

  /// The objects of a list, each once.
  private static func different(_ readers: List<SearchedAuthor>) -> [SearchedAuthor] {
    readers.reduce(into: []) { found, reader in
      if !found.contains(where: { $0.isSameObject(as: reader) }) { found.append(reader) }
    }
  }

  private static func fill(_ realm: Realm, _ count: Int, _ random: inout SeededGenerator) {
    let authors = (0..<20).map { _ in
      realm.create(SearchedAuthor.self, value: ["about": text(&random)])
    }
    for number in 0..<count {
      let note = realm.create(SearchedNote.self, value: ["number": number, "body": text(&random)])
      if Int.random(in: 0..<3, using: &random) > 0 { note.title = text(&random) }
      if Int.random(in: 0..<2, using: &random) == 0 { note.author = authors.randomElement(using: &random) }
      for _ in 0..<Int.random(in: 0..<3, using: &random) {
        let isNull = Int.random(in: 0..<6, using: &random) == 0
        note.parts.append(SearchedPart(value: ["text": isNull ? nil : text(&random)]))
      }
      for _ in 0..<Int.random(in: 0..<3, using: &random) {
        note.readers.append(authors.randomElement(using: &random)!)
      }
    }
  }

  @Test(arguments: [91, 92] as [UInt64])
  func searchesAgreeWithTheModel(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let file = try ScratchRealm(opening: SeveralTextsTests.types)
    let realm = file.realm
    try realm.write { Self.fill(realm, 120, &random) }
    func compare(_ state: String) {
      let (notes, columns) = Self.model(realm)
      let objects = realm.objects(SearchedNote.self)
      for _ in 0..<TestLength.count(20, long: 200) {
        let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.part(&random) }
        let search = parts.map(\.text).joined(separator: " ")
        let paths = Array(
          Self.paths.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)))
        let expected = notes.keys.filter { Self.finds(parts, paths, notes[$0]!) }.sorted()
        let title = Comment(rawValue: "\(state): {\(paths.joined(separator: ", "))} TEXT \(search)")
        let found = objects.filter("{\(paths.joined(separator: ", "))} TEXT %@", search)
        #expect(found.map(\.number).sorted() == expected, title)
        let predicate = NSPredicate(format: "{\(paths.joined(separator: ", "))} TEXT %@", search)
        let some = objects.prefix(5)
        #expect(some.allSatisfy { predicate.evaluate(with: $0) == expected.contains($0.number) }, title)
        let scores = Self.scores(parts, paths, found: expected, notes, columns: columns)
        let ranked = objects.ranked(by: paths, search)
        #expect(ranked.map(\.object.number).sorted() == expected, title)
        #expect(zip(ranked, ranked.dropFirst()).allSatisfy { $0.score >= $1.score }, title)
        #expect(ranked.allSatisfy { abs($0.score - scores[$0.object.number]!) < 1e-9 }, title)
      }
    }
    compare("stored")
    realm.beginWrite()
    for note in realm.objects(SearchedNote.self) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: note.title = nil
      case 1: note.body = Self.text(&random)
      case 2: note.parts.append(SearchedPart(value: ["text": Self.text(&random)]))
      case 3: note.author?.about = Self.text(&random)
      case 4: realm.delete(note)
      default: break
      }
    }
    compare("changed")
    try realm.commitWrite()
    compare("committed")
  }
}
