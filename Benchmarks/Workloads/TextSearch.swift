import Foundation
import RealmSwift

class Note: Object {
  @Persisted var id = 0
  @Persisted(fullText: true) var text = ""

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Searches for words in a million short texts, beside SQLite's FTS5.
///
/// Each text has eight words; a few words of the vocabulary are in very many texts, most in few.
struct TextSearch {
  static let works = [
    "text-insert", "text-common", "text-rare", "text-two", "text-prefix", "text-excluded", "text-read",
    "text-ranked",
  ]
  private static let vocabularySize = 20_000
  private static let wordsPerText = 8

  let files: FileStore
  let options: Options
  let log: RunLog

  func run() throws -> [Measurement] {
    let texts = Self.texts(count: options.rows)
    var insertion = Measurement(
      work: "text-insert", title: "insert texts, words indexed", target: .ratio(0.9))
    let realmPath = files.newPath(for: OpenRealmSubject.self, label: "texts")
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: realmPath), objectTypes: [Note.self])
    let realm = try Realm(configuration: configuration)
    insertion.figures[.openRealm] = try Stopwatch.seconds { try Self.insert(texts, realm) }
    let peer = try SQLitePeer(path: files.newPath(for: SQLitePeer.self, label: "texts"), durability: .full)
    try peer.execute("CREATE VIRTUAL TABLE note USING fts5(text)")
    insertion.figures[.sqlite] = try Self.secondsOfInserting(texts, peer)
    var measurements = options.includes("text-insert") ? [insertion] : []
    let notes = realm.objects(Note.self)
    measurements += try measureSearches(notes, peer)
    if options.includes("text-read") { measurements.append(try measureReading(notes, peer)) }
    if options.includes("text-ranked") { measurements.append(try measureRanking(notes, peer)) }
    return measurements
  }

  private static func insert(_ texts: [String], _ realm: Realm) throws {
    try realm.write {
      for (id, text) in texts.enumerated() {
        let note = Note()
        note.id = id
        note.text = text
        realm.add(note)
      }
    }
  }

  private static func secondsOfInserting(_ texts: [String], _ peer: SQLitePeer) throws -> Double {
    let insert = try peer.statement("INSERT INTO note(rowid, text) VALUES(?, ?)")
    return try Stopwatch.seconds {
      try peer.transaction {
        for (id, text) in texts.enumerated() {
          insert.bind(id, at: 1)
          insert.bind(text, at: 2)
          try insert.execute()
        }
      }
    }
  }

  private func measureSearches(_ notes: Results<Note>, _ peer: SQLitePeer) throws -> [Measurement] {
    let searches = [
      ("text-common", "count texts with a common word", "baba", "baba"),
      ("text-rare", "count texts with a rare word", "\(Self.word(9_999))", "\(Self.word(9_999))"),
      ("text-two", "count texts with two words", "baba beba", "baba beba"),
      ("text-prefix", "count texts with a beginning", "bab*", "bab*"),
      ("text-excluded", "count texts with one, not another", "beba -baba", "beba NOT baba"),
    ]
    return try searches.filter { options.includes($0.0) }.map { work, title, own, other in
      let count = try peer.statement("SELECT count(*) FROM note WHERE note MATCH ?")
      return try measure(work, title) {
        notes.where { $0.text.fullTextSearch(own) }.count
      } sqlite: {
        count.bind(other, at: 1)
        return try count.firstInteger() ?? 0
      }
    }
  }

  private func measureReading(_ notes: Results<Note>, _ peer: SQLitePeer) throws -> Measurement {
    let select = try peer.statement("SELECT rowid, text FROM note WHERE note MATCH 'beba'")
    return try measure("text-read", "read texts with a word") {
      notes.where { $0.text.fullTextSearch("beba") }.reduce(0) { $0 + $1.id + $1.text.utf8.count }
    } sqlite: {
      defer { select.reset() }
      var sum = 0
      while try select.step() { sum += select.integer(at: 0) + select.utf8Length(at: 1) }
      return sum
    }
  }

  private func measureRanking(_ notes: Results<Note>, _ peer: SQLitePeer) throws -> Measurement {
    let select = try peer.statement("SELECT rowid FROM note WHERE note MATCH 'beba bibi' ORDER BY bm25(note)")
    return try measure("text-ranked", "two words, all by relevance") {
      notes.ranked(by: \.text, "beba bibi").count
    } sqlite: {
      defer { select.reset() }
      var count = 0
      while try select.step() { count += 1 }
      return count
    }
  }

  private func measure(
    _ work: String, _ title: String, own: () throws -> Int, sqlite: () throws -> Int
  ) throws -> Measurement {
    var measurement = Measurement(work: work, title: title, target: .ratio(1))
    var samples: [System: Samples] = [:]
    for _ in 0..<(options.repetitions ?? 5) {
      var answers: [Int] = []
      for system in [System.openRealm, .sqlite] {
        let start = Stopwatch.now()
        answers.append(try system == .openRealm ? own() : sqlite())
        samples[system, default: Samples()].append(Stopwatch.now() - start)
      }
      guard answers[0] == answers[1] else {
        throw BenchmarkError("\(work): the answers are \(answers[0]) and \(answers[1]).")
      }
    }
    measurement.figures = samples.compactMapValues(\.median)
    log.samples(samples, of: work)
    return measurement
  }

  // MARK: Texts

  /// Syllables that spell a number: 0 is `baba`.
  private static func word(_ number: Int) -> String {
    let consonants = Array("bdfgklmnprstvz")
    let vowels = Array("aeiou")
    var word = ""
    var rest = number
    repeat {
      word.append(consonants[rest / vowels.count % consonants.count])
      word.append(vowels[rest % vowels.count])
      rest /= consonants.count * vowels.count
    } while rest > 0 || word.count < 4
    return word
  }

  private static func texts(count: Int) -> [String] {
    let words = (0..<vocabularySize).map { word($0) }
    var random = SplitMix64(seed: 11)
    return (0..<count).map { _ in
      (0..<wordsPerText).map { _ in
        // The product of three numbers below 1 is mostly small: low numbers are common words.
        var share = 1.0
        for _ in 0..<3 { share *= Double(random.next(below: 1 << 20)) / Double(1 << 20) }
        return words[Int(share * Double(vocabularySize))]
      }.joined(separator: " ")
    }
  }
}
