import Foundation
import TestSupport
import Testing

@testable import Storage

/// The word index of a column against the words of its texts.
@Suite struct WordIndexTests {
  private static let catalogue = Catalogue(
    schemaVersion: 1,
    tables: [
      TableDescription(
        name: "Note",
        columns: [
          Column(name: "text", type: .string, isFullText: true),
          Column(name: "title", type: .string, isNullable: true, isIndexed: true, isFullText: true),
          Column(name: "part", type: .link, isNullable: true, target: 1),
        ]),
      TableDescription(
        name: "Part", isEmbedded: true, columns: [Column(name: "text", type: .string, isFullText: true)]),
    ])

  private static let vocabulary = [
    "the", "The", "a", "Café", "cafe", "STRASSE", "straße", "Ёж", "еж", "東京", "don't", "dog", "dogs", "dogma",
    "3.14",
    String(repeating: "long", count: 40), String(repeating: "long", count: 40) + "er", "!", "-", "",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    let count = Int.random(in: 0..<20, using: &random) == 0 ? 200 : Int.random(in: 0..<7, using: &random)
    return (0..<count).map { _ in
      Int.random(in: 0..<4, using: &random) == 0
        ? "w\(Int.random(in: 0..<3000, using: &random))" : vocabulary.randomElement(using: &random)!
    }.joined(separator: " ")
  }

  /// A text with its words, which are found once.
  private struct Text {
    let content: String
    let words: Set<[UInt8]>

    init(_ content: String) {
      self.content = content
      words = Set(WordReader.words(of: content))
    }
  }

  /// The texts of a column, by row.
  private typealias Texts = [Int: Text?]
  private struct Model {
    var texts: Texts = [:]
    /// The rows of the notes, ascending.
    var rows: [Int] = []
    var titles: Texts = [:]
    var parts: [Int: (row: Int, text: Text)] = [:]
  }

  private func rows(
    _ snapshot: Snapshot, _ table: Int, _ column: Int, _ word: [UInt8], isBeginning: Bool
  ) -> [Int] {
    var rows: [Int] = []
    snapshot.forEachRow(table: table, column: column, withWord: word, isBeginning: isBeginning) {
      rows.append($0)
      return true
    }
    return rows
  }

  /// What the word index of some texts should find.
  private struct Expected {
    var rows: [[UInt8]: [Int]] = [:]
    var rowsOfBeginnings: [[UInt8]: [Int]] = [:]

    init(_ texts: Texts) {
      for (row, text) in texts.sorted(by: { $0.key < $1.key }) {
        for word in text?.words ?? [] { rows[word, default: []].append(row) }
      }
      for beginning in ["d", "dog", "w1", "w29", "caf", "東", "long", "nothing"].map({ Array($0.utf8) }) {
        rowsOfBeginnings[beginning] =
          rows.filter { $0.key.starts(with: beginning) }.flatMap(\.value).sorted()
      }
    }
  }

  private func check(
    _ snapshot: Snapshot, _ table: Int, _ column: Int, _ expected: Expected, _ state: String
  ) {
    for (word, rows) in expected.rows {
      let found = self.rows(snapshot, table, column, word, isBeginning: false)
      #expect(found == rows, "\(state): \(String(decoding: word, as: UTF8.self))")
    }
    for (beginning, all) in expected.rowsOfBeginnings {
      #expect(rows(snapshot, table, column, beginning, isBeginning: true).sorted() == all, "\(state)")
    }
    #expect(rows(snapshot, table, column, Array("nothing".utf8), isBeginning: false) == [])
    if !snapshot.isWriting {
      let verification = snapshot.indexReader(IndexNumber.words(table: table, column: column)).verify()
      #expect(verification.problems == [], "\(state)")
      #expect(verification.pairs == expected.rows.values.reduce(0) { $0 + $1.count }, "\(state)")
    }
  }

  /// What the indexes of a model should find, which is compared several times.
  private struct ExpectedModel {
    let texts: Expected
    let titles: Expected
    let parts: Expected

    init(_ model: Model) {
      texts = Expected(model.texts)
      titles = Expected(model.titles)
      parts = Expected(Dictionary(uniqueKeysWithValues: model.parts.values.map { ($0.row, $0.text) }))
    }
  }

  private func check(_ snapshot: Snapshot, _ expected: ExpectedModel, _ state: String) {
    check(snapshot, 0, 0, expected.texts, state)
    check(snapshot, 0, 1, expected.titles, state)
    check(snapshot, 1, 0, expected.parts, state)
  }

  private func step(_ snapshot: Snapshot, _ model: inout Model, _ random: inout SeededGenerator) {
    let notes = snapshot.table(0)
    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    let choice = model.texts.count < 5 ? 0 : below(100)
    if choice < 35 {
      let row = notes.insertRow()
      let text = Self.text(&random)
      let title = below(4) == 0 ? nil : Self.text(&random)
      notes.setString(0, row, text)
      notes.setValue(1, row, title.map(Value.string) ?? .null)
      notes.setValue(2, row, .null)
      model.texts[row] = Text(text)
      model.rows.insert(row, at: (model.rows.lastIndex { $0 < row } ?? -1) + 1)
      model.titles[row] = .some(title.map(Text.init))
      return
    }
    let place = below(model.rows.count)
    let row = model.rows[place]
    switch choice {
    case 35..<60:
      let text = Self.text(&random)
      notes.setValue(0, row, .string(text))
      model.texts[row] = Text(text)
    case 60..<70:
      let title = below(3) == 0 ? nil : Self.text(&random)
      notes.setValue(1, row, title.map(Value.string) ?? .null)
      model.titles[row] = .some(title.map(Text.init))
    case 70..<75:
      let all = model.rows.filter { _ in below(3) == 0 }
      let rows = all.prefix(TestLength.count(30, long: .max))
      let text = Self.text(&random)
      notes.setValue(0, rows: Array(rows), .string(text))
      let known = Text(text)
      for row in rows { model.texts[row] = known }
    case 75..<88:
      // A new part replaces one that was there.
      let part = snapshot.table(1).insertRow()
      let text = Self.text(&random)
      snapshot.table(1).setString(0, part, text)
      notes.setLink(2, row, part)
      model.parts[row] = (part, Text(text))
    case 88..<90:
      notes.setLink(2, row, nil)
      model.parts[row] = nil
    default:
      notes.deleteRow(row)
      model.texts[row] = nil
      model.rows.remove(at: place)
      model.titles[row] = nil
      model.parts[row] = nil
    }
  }

  @Test(arguments: TestLength.seeds([1, 2, 3], short: 1))
  func randomOperations(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    var snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    try Writer(snapshot).commit(durability: .relaxed)
    var committed = Model()
    var expected = ExpectedModel(committed)
    for number in 0..<40 {
      try Writer(snapshot).begin()
      var model = committed
      let steps = Int.random(in: 0..<8, using: &random) == 0 ? 600 : 25
      for _ in 0..<steps { step(snapshot, &model, &random) }
      let written = ExpectedModel(model)
      check(snapshot, written, "writing \(number)")
      if Int.random(in: 0..<4, using: &random) == 0 {
        Writer(snapshot).cancel()
      } else {
        try Writer(snapshot).commit(durability: .relaxed)
        (committed, expected) = (model, written)
      }
      check(snapshot, expected, "after \(number)")
      if Int.random(in: 0..<5, using: &random) == 0 {
        snapshot = try Snapshot(file: snapshot.file)
        check(snapshot, expected, "reopened \(number)")
      }
    }
    #expect(committed.texts.count > 50)
  }

  /// The mark comes and goes, and other rules of words come, with rows there.
  @Test func theIndexIsBuiltAndDropped() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    var notes = try MarkedNotes(path: path)
    // Built, and changed in the same transaction.
    try notes.setRule(WordReader.rule)
    Writer(notes.snapshot).buildWordIndex(table: 0, column: 0)
    notes.change(3, "dog")
    notes.delete(5)
    check(notes, "building")
    try notes.commit()
    check(notes, "built")
    try notes.reopen()
    #expect(notes.isFullText)
    check(notes, "reopened")
    try buildAgain(&notes)
    try drop(&notes)
    // An index of another rule is none.
    try notes.setRule(99)
    try notes.commit()
    try notes.reopen()
    #expect(notes.rule == 99)
    #expect(!notes.isFullText)
    try notes.setRule(WordReader.rule)
    Writer(notes.snapshot).buildWordIndex(table: 0, column: 0)
    try notes.commit()
    check(notes, "at last")
    // Removing the column removes its words.
    try notes.removeColumn()
    #expect(try notes.indexEntryCount() == 0)
  }

  private func check(_ notes: MarkedNotes, _ state: String) {
    check(notes.snapshot, 0, 0, Expected(notes.texts), state)
  }

  /// Over an index that is there.
  private func buildAgain(_ notes: inout MarkedNotes) throws {
    let before = notes
    func build() throws {
      try Writer(notes.snapshot).begin()
      notes.change(6, "東京")
      Writer(notes.snapshot).buildWordIndex(table: 0, column: 0)
      notes.change(7, nil)
    }
    try build()
    check(notes, "building again")
    Writer(notes.snapshot).cancel()
    notes = before
    check(notes, "not built again")
    try build()
    try notes.commit()
    check(notes, "built again")
  }

  private func drop(_ notes: inout MarkedNotes) throws {
    try Writer(notes.snapshot).begin()
    notes.change(8, "the end")
    Writer(notes.snapshot).dropWordIndex(table: 0, column: 0)
    notes.mark(0)
    notes.change(9, "the very end")
    #expect(rows(notes.snapshot, 0, 0, Array("the".utf8), isBeginning: false) == [])
    try notes.commit()
    #expect(try notes.indexEntryCount() == 0)
    #expect(!notes.isFullText)
  }

  /// Texts whose column is marked for full-text search, and no longer.
  private struct MarkedNotes {
    private(set) var snapshot: Snapshot
    private(set) var texts: Texts = [:]
    private var catalogue = Catalogue(tables: [
      TableDescription(name: "Note", columns: [Column(name: "text", type: .string, isNullable: true)])
    ])

    init(path: String) throws {
      var random = SeededGenerator(seed: 9)
      snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try Writer(snapshot).begin()
      Writer(snapshot).setCatalogue(catalogue)
      for row in 0..<2000 {
        #expect(snapshot.table(0).insertRow() == row)
        change(row, row % 7 == 0 ? nil : WordIndexTests.text(&random))
      }
      try commit()
    }

    var rule: UInt8 { snapshot.catalogue.tables[0].columns[0].wordRule }
    var isFullText: Bool { snapshot.catalogue.tables[0].columns[0].isFullText }
    func indexEntryCount() throws -> Int { try snapshot.entryCount(.indexes) }

    /// In a transaction that it begins.
    mutating func setRule(_ rule: UInt8) throws {
      try Writer(snapshot).begin()
      mark(rule)
    }

    mutating func mark(_ rule: UInt8) {
      catalogue.tables[0].columns[0].wordRule = rule
      Writer(snapshot).setCatalogue(catalogue)
    }

    mutating func change(_ row: Int, _ text: String?) {
      snapshot.table(0).setValue(0, row, text.map(Value.string) ?? .null)
      texts[row] = .some(text.map(Text.init))
    }

    mutating func delete(_ row: Int) {
      snapshot.table(0).deleteRow(row)
      texts[row] = nil
    }

    func commit() throws { try Writer(snapshot).commit(durability: .relaxed) }
    mutating func reopen() throws { snapshot = try Snapshot(file: snapshot.file) }

    mutating func removeColumn() throws {
      try Writer(snapshot).begin()
      Writer(snapshot).eraseColumn(table: 0, column: 0)
      catalogue.tables[0].columns[0].isRemoved = true
      Writer(snapshot).setCatalogue(catalogue)
      try commit()
    }
  }
}
