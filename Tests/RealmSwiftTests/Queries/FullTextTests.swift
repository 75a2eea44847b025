import Foundation
import RealmSwift
import TestSupport
import Testing

class FullTextNote: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(fullText: true) var text: String
  @Persisted(indexed: true, fullText: true) var title: String?
  @Persisted(wrappedValue: "plain", indexed: false, fullText: false) var plain: String
  @Persisted(fullText: true) var tone = FullTextTone.calm
  @Persisted var author: FullTextAuthor?
  @Persisted var parts: List<FullTextPart>
  @Persisted var readers: List<FullTextAuthor>
  @Persisted var tags: List<String>
}

class FullTextAuthor: Object {
  @Persisted(fullText: true) var about = "nobody"
  @Persisted(originProperty: "author") var notes: LinkingObjects<FullTextNote>
}

class FullTextPart: EmbeddedObject {
  @Persisted(fullText: true) var text: String?
}

enum FullTextTone: String, PersistableEnum {
  case calm = "very calm"
  case loud = "quite loud"
}

/// Searches in the words of texts, through the public interface.
@Suite struct FullTextTests {
  private static let types: [ObjectBase.Type] = [FullTextNote.self, FullTextAuthor.self, FullTextPart.self]

  private static func note(_ id: Int, _ text: String, title: String? = nil) -> FullTextNote {
    let note = FullTextNote()
    note.id = id
    note.text = text
    note.title = title
    return note
  }

  private static func filled() throws -> ScratchRealm {
    let scratch = try ScratchRealm(opening: types)
    try scratch.realm.write {
      let author = FullTextAuthor(value: ["about": "Émile writes about wolves"])
      let notes = [
        note(0, "The black wolf in Straßburg", title: "Wolf"), note(1, "a WOLF, and a dog", title: "Dog"),
        note(2, "dogs don't bark", title: nil), note(3, "", title: ""),
      ]
      notes[0].author = author
      notes[1].readers.append(author)
      notes[1].readers.append(FullTextAuthor())
      notes[2].parts.append(FullTextPart(value: ["text": "élan"]))
      notes[2].tone = .loud
      scratch.realm.add(notes)
    }
    return scratch
  }

  private func ids(_ results: Results<FullTextNote>) -> [Int] { results.map(\.id).sorted() }

  @Test func searching() throws {
    let scratch = try Self.filled()
    let notes = scratch.realm.objects(FullTextNote.self)
    #expect(ids(notes.where { $0.text.fullTextSearch("wolf") }) == [0, 1])
    #expect(ids(notes.filter("text TEXT %@", "wolf")) == [0, 1])
    #expect(ids(notes.where { $0.text.fullTextSearch("wolf -dog") }) == [0])
    #expect(ids(notes.where { $0.text.fullTextSearch("dog*") }) == [1, 2])
    #expect(ids(notes.where { $0.text.fullTextSearch("\"WOLF in strassburg\"") }) == [0])
    #expect(ids(notes.where { $0.text.fullTextSearch("NEAR(STRASSBURG wolf, 1)") }) == [0])
    #expect(ids(notes.where { $0.text.fullTextSearch("NEAR(STRASSBURG wolf, 0)") }) == [])
    #expect(ids(notes.where { $0.text.fullTextSearch("") }) == [])
    #expect(ids(notes.where { $0.text.fullTextSearch("-wolf") }) == [2, 3])
    #expect(ids(notes.where { $0.title.fullTextSearch("-wolf") }) == [1, 3])
    #expect(ids(notes.where { !$0.title.fullTextSearch("wolf") }) == [1, 2, 3])
    #expect(ids(notes.where { $0.title == "Dog" && $0.text.fullTextSearch("wolf") }) == [1])
    #expect(ids(notes.where { $0.title == nil || $0.text.fullTextSearch("straßburg") }) == [0, 2])
    #expect(ids(notes.where { $0.tone.fullTextSearch("loud") }) == [2])
  }

  @Test func overLinksAndCollections() throws {
    let scratch = try Self.filled()
    let notes = scratch.realm.objects(FullTextNote.self)
    #expect(ids(notes.where { $0.author.about.fullTextSearch("emile") }) == [0])
    #expect(ids(notes.where { $0.readers.about.fullTextSearch("wolv*") }) == [1])
    #expect(ids(notes.where { $0.parts.text.fullTextSearch("elan") }) == [2])
    #expect(ids(notes.filter("NONE parts.text TEXT 'elan'")) == [0, 1, 3])
    #expect(ids(notes.where { ($0.readers.about.fullTextSearch("nobody")).count == 1 }) == [1])
    let authors = scratch.realm.objects(FullTextAuthor.self)
    #expect(authors.where { $0.notes.text.fullTextSearch("black wolf") }.count == 1)
    let list = try #require(notes.where { $0.id == 1 }.first).readers
    #expect(list.where { $0.about.fullTextSearch("wolves") }.count == 1)
  }

  @Test func theIndexFollowsEveryChange() throws {
    let scratch = try Self.filled()
    let realm = scratch.realm
    let notes = realm.objects(FullTextNote.self)
    let wolves = notes.where { $0.text.fullTextSearch("wolf") }
    let first = try #require(realm.object(ofType: FullTextNote.self, forPrimaryKey: 0))
    try realm.write {
      first.text = "a bear"
      #expect(ids(wolves) == [1])
      first["text"] = "a wolf again"
      #expect(ids(wolves) == [0, 1])
      notes.where { $0.id >= 2 }.setValue("wolf pack", forKey: "text")
      #expect(ids(wolves) == [0, 1, 2, 3])
      realm.create(FullTextNote.self, value: ["id": 1, "text": "sheep"], update: .modified)
      realm.create(FullTextNote.self, value: ["id": 9, "text": "Wolf!"])
      #expect(ids(wolves) == [0, 2, 3, 9])
      realm.delete(try #require(realm.object(ofType: FullTextNote.self, forPrimaryKey: 3)))
    }
    #expect(ids(wolves) == [0, 2, 9])
    realm.beginWrite()
    first.text = "nothing"
    realm.delete(notes.where { $0.id == 9 })
    #expect(ids(wolves) == [2])
    realm.cancelWrite()
    #expect(ids(wolves) == [0, 2, 9])
    let second = try #require(realm.object(ofType: FullTextNote.self, forPrimaryKey: 2))
    #expect(ids(notes.where { $0.parts.text.fullTextSearch("elan") }) == [2])
    try realm.write { second.parts[0].text = nil }
    #expect(ids(notes.where { $0.parts.text.fullTextSearch("elan") }) == [])
    try realm.write { realm.deleteAll() }
    #expect(ids(wolves) == [])
  }

  @Test func inMemory() {
    let list = List<FullTextNote>()
    list.append(objectsIn: [Self.note(0, "the cat"), Self.note(1, "Ein Wölfchen", title: "wolf")])
    #expect(list.index(matching: { $0.text.fullTextSearch("wolf*") }) == 1)
    #expect(list.index(matching: { $0.title.fullTextSearch("-wolf") }) == nil)
    #expect(list.index(matching: "text TEXT 'cat -dog'") == 0)
    #expect(list.index(matching: "author.about TEXT 'cat'") == nil)
    let values = List<String>()
    values.append(objectsIn: ["one", "two words"])
    #expect(values.index(matching: "SELF TEXT 'WORDS'") == 1)
  }

  @Test func whatIsNotMarked() throws {
    let scratch = try Self.filled()
    let notes = scratch.realm.objects(FullTextNote.self)
    let message =
      "Property 'FullTextNote.plain' has no full-text index, which a search for words needs: declare it with '@Persisted(fullText: true)'."
    #expect {
      _ = try notes.filter(checking: "plain TEXT 'x'")
    } throws: {
      ($0 as? Realm.Error)?.localizedDescription.contains(message) == true
    }
    #expect {
      _ = try notes.filter(checking: "ANY tags TEXT 'x'")
    } throws: {
      ($0 as? Realm.Error)?.localizedDescription.contains("'FullTextNote.tags' has no full-text index")
        == true
    }
  }

  @Test func searchingWhatIsNotMarkedStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: "full text",
          objectTypes: [FullTextNote.self, FullTextAuthor.self, FullTextPart.self]))
      _ = realm.objects(FullTextNote.self).where { $0.plain.fullTextSearch("x") }
    }
    expectStop(result, saying: "Property 'FullTextNote.plain' has no full-text index")
    let inMemory = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = List<FullTextNote>()
      list.append(FullTextNote())
      _ = list.index(matching: { $0.plain.fullTextSearch("x") })
    }
    expectStop(inMemory, saying: "Property 'FullTextNote.plain' has no full-text index")
  }

  @Test func theMarkIsInTheSchema() throws {
    let scratch = try Self.filled()
    let schema = try #require(scratch.realm.schema["FullTextNote"])
    #expect(schema["text"]?.isFullText == true)
    #expect(schema["text"]?.isIndexed == false)
    #expect(schema["title"]?.isFullText == true)
    #expect(schema["title"]?.isIndexed == true)
    #expect(schema["plain"]?.isFullText == false)
    #expect(schema["text"]?.description.contains("fullText = YES") == true)
    #expect(schema["plain"]?.description.contains("fullText") == false)
    let part = try #require(scratch.realm.schema["FullTextPart"])
    #expect(part["text"]?.isFullText == true)
    #expect(schema["text"] != schema["plain"])
  }
}

// The same class with and without the mark.
enum FullTextUnmarked {
  class Item: HiddenItem {
    @Persisted var number = 0
    @Persisted(fullText: false) var text: String?
  }
  static let types: [ObjectBase.Type] = [Item.self]
}

enum FullTextMarked {
  class Item: HiddenItem {
    @Persisted var number = 0
    @Persisted(fullText: true) var text: String?
  }
  static let types: [ObjectBase.Type] = [Item.self]
}

/// The same class with a text that is required, which needs a migration.
enum FullTextRequired {
  class Item: HiddenItem {
    @Persisted var number = 0
    @Persisted(fullText: true) var text: String
    @Persisted(fullText: true) var added: String
  }
  static let types: [ObjectBase.Type] = [Item.self]
}

/// Opening files whose properties were marked otherwise.
@Suite struct FullTextMigrationTests {
  let file = ScratchRealm()

  private func numbers(_ search: String) throws -> [Int] {
    try file.open(FullTextMarked.types).objects(FullTextMarked.Item.self)
      .where { $0.text.fullTextSearch(search) }.map(\.number).sorted()
  }

  @Test func theMarkComesAndGoes() throws {
    do {
      let realm = try file.open(FullTextUnmarked.types)
      try realm.write {
        for number in 0..<2000 {
          let item = FullTextUnmarked.Item()
          item.number = number
          item.text = number % 3 == 0 ? nil : "Número \(number), teenth \(number % 10)"
          realm.add(item)
        }
      }
      #expect(throws: Realm.Error.self) {
        _ = try realm.objects(FullTextUnmarked.Item.self).filter(checking: "text TEXT 'x'")
      }
    }
    #expect(try numbers("numero 17") == [17])
    #expect(try numbers("1999 9") == [1999])
    #expect(try numbers("-numero") == [])
    do {
      // Without the mark the texts change, and the index is not kept.
      let realm = try file.open(FullTextUnmarked.types)
      let items = realm.objects(FullTextUnmarked.Item.self)
      try realm.write {
        items.where { $0.number == 17 }.setValue("other words", forKey: "text")
        realm.delete(items.where { $0.number > 1000 })
      }
    }
    #expect(try numbers("numero 17") == [])
    #expect(try numbers("words") == [17])
    #expect(try numbers("1999") == [])
    do {
      let realm = try file.open(FullTextRequired.types, version: 1)
      let items = realm.objects(FullTextRequired.Item.self)
      #expect(items.where { $0.text.fullTextSearch("words") }.map(\.number) == [17])
      #expect(items.where { $0.text.fullTextSearch("-numero -words") }.count == 334)
      #expect(items.where { $0.added.fullTextSearch("-x") }.count == 1001)
      try realm.write { items.where { $0.number == 3 }.setValue("ADDED", forKey: "added") }
      #expect(items.where { $0.added.fullTextSearch("added") }.map(\.number) == [3])
    }
  }
}
