import Foundation
import RealmSwift
import TestSupport
import Testing

class SearchedNote: Object {
  @Persisted var number: Int
  @Persisted(fullText: true) var title: String?
  @Persisted(fullText: true) var body: String
  @Persisted var plain: String
  @Persisted var author: SearchedAuthor?
  @Persisted var parts: List<SearchedPart>
  @Persisted var readers: List<SearchedAuthor>
  @Persisted var critics: Map<String, SearchedAuthor?>
}

class SearchedAuthor: Object {
  @Persisted(fullText: true) var about: String
  @Persisted(originProperty: "author") var notes: LinkingObjects<SearchedNote>
}

class SearchedPart: EmbeddedObject {
  @Persisted(fullText: true) var text: String?
}

/// Full-text searches over several properties, through the public interface.
@Suite struct SeveralTextsTests {
  static let types: [ObjectBase.Type] = [SearchedNote.self, SearchedAuthor.self, SearchedPart.self]

  private static func filled() throws -> ScratchRealm {
    let scratch = try ScratchRealm(opening: types)
    try scratch.realm.write {
      let anna = SearchedAuthor(value: ["about": "Anna compiles engines"])
      let notes = [
        ["number": 0, "title": "Swift", "body": "An engine", "author": anna],
        ["number": 1, "title": "Swift engine", "body": "A swift query engine", "parts": [["text": "rock"]]],
        ["number": 2, "body": "engine", "parts": [["text": "swift"], ["text": "rolls"]]],
        ["number": 3, "title": "Java", "body": "virtual machine", "readers": [anna]],
      ].map { SearchedNote(value: $0 as [String: Any]) }
      scratch.realm.add(notes)
    }
    return scratch
  }

  private func numbers(_ notes: Results<SearchedNote>) -> [Int] { notes.map(\.number).sorted() }

  @Test func eachTermMayOccurInAnyProperty() throws {
    let scratch = try Self.filled()
    let notes = scratch.realm.objects(SearchedNote.self)
    #expect(numbers(notes.where { $0.fullTextSearch("swift engine", in: $0.title, $0.body) }) == [0, 1])
    #expect(
      numbers(notes.where { $0.fullTextSearch("swift eng*", in: $0.title, $0.body, $0.parts.text) })
        == [0, 1, 2])
    #expect(numbers(notes.where { $0.fullTextSearch("swift -query", in: $0.title, $0.body) }) == [0])
    #expect(numbers(notes.where { $0.fullTextSearch("\"swift engine\"", in: $0.title, $0.body) }) == [1])
    #expect(numbers(notes.where { $0.fullTextSearch("anna swift", in: $0.title, $0.author.about) }) == [0])
    #expect(numbers(notes.where { $0.fullTextSearch("java anna", in: $0.title, $0.readers.about) }) == [3])
    #expect(numbers(notes.where { $0.fullTextSearch("swift rolls", in: $0.parts.text) }) == [2])
    // The words of one term are searched in one text.
    #expect(numbers(notes.where { $0.fullTextSearch("swift-rolls", in: $0.parts.text, $0.body) }) == [])
    #expect(numbers(notes.where { $0.fullTextSearch("-swift", in: $0.title, $0.body) }) == [2, 3])
    #expect(numbers(notes.where { $0.fullTextSearch("-rock", in: $0.parts.text) }) == [2])
    #expect(numbers(notes.where { !$0.fullTextSearch("swift engine", in: $0.title, $0.body) }) == [2, 3])
    #expect(notes.where { $0.fullTextSearch("", in: $0.title, $0.body) }.isEmpty)
    #expect(numbers(notes.where { $0.fullTextSearch("swift", in: $0.title) && $0.number > 0 }) == [1])
    let java = notes.where { $0.number == 3 }[0]
    try scratch.realm.write { java.critics["first"] = java.readers[0] }
    #expect(java.critics.where { $0.fullTextSearch("anna swift", in: $0.about, $0.notes.title) }.count == 1)
    #expect(
      numbers(notes.where { $0.fullTextSearch("engines java", in: $0.title, $0.critics.values.about) }) == [3]
    )
    let authors = scratch.realm.objects(SearchedAuthor.self)
    #expect(authors.where { $0.fullTextSearch("compiles swift", in: $0.about, $0.notes.title) }.count == 1)
    #expect(
      authors.where { ($0.notes.number == 0 && $0.fullTextSearch("swift", in: $0.notes.title)).count == 1 }
        .count == 1)
  }

  @Test func predicates() throws {
    let scratch = try Self.filled()
    let notes = scratch.realm.objects(SearchedNote.self)
    #expect(numbers(notes.filter("{title, body} TEXT 'swift engine' AND number < 5")) == [0, 1])
    #expect(numbers(notes.filter("{title, %K} TEXT %@", "parts.text", "swift rock")) == [1])
    let predicate = NSPredicate(format: "NOT {title, body} TEXT 'swift'")
    #expect(predicate.description == "NOT {title, body} TEXT 'swift'")
    #expect(numbers(notes.filter(predicate)) == [2, 3])
    #expect(predicate.evaluate(with: notes.where { $0.number == 3 }[0]))
    #expect(!predicate.evaluate(with: SearchedNote(value: ["title": "Swift"])))
    let root = Query<SearchedNote>._constructForTesting()
    let (text, arguments) = root.fullTextSearch("x", in: root.title, root.parts.text)._constructPredicate()
    #expect(text == "({title, parts.text} TEXT %@)")
    #expect(arguments as? [String] == ["x"])
    #expect(numbers(notes.filter(text, "rock engine")) == [1])
    let plan = notes.where { $0.fullTextSearch("swift", in: $0.title, $0.body) }.explain()
    #expect(plan.contains("title TEXT \"swift\" OR body TEXT \"swift\""), "\(plan)")
  }

  @Test func resultsAreLive() throws {
    let scratch = try Self.filled()
    let realm = scratch.realm
    let notes = realm.objects(SearchedNote.self)
    let found = notes.where { $0.fullTextSearch("anna java", in: $0.title, $0.author.about, $0.parts.text) }
    #expect(found.isEmpty)
    let anna = realm.objects(SearchedAuthor.self)[0]
    try realm.write {
      notes.where { $0.number == 3 }[0].author = anna
      #expect(numbers(found) == [3])
      notes.where { $0.number == 1 }[0].parts.append(SearchedPart(value: ["text": "java, anna"]))
      #expect(numbers(found) == [1, 3])
    }
    let frozen = found.freeze()
    try realm.write { realm.delete(anna) }
    #expect(numbers(found) == [1])
    #expect(numbers(frozen) == [1, 3])
  }

  @Test func collectionsInMemory() {
    let list = List<SearchedNote>()
    list.append(SearchedNote(value: ["title": "Java", "body": "swift"] as [String: Any]))
    list.append(
      SearchedNote(value: ["title": "Swift", "parts": [["text": "an engine"]]] as [String: Any]))
    #expect(list.index(matching: { $0.fullTextSearch("swift engine", in: $0.title, $0.parts.text) }) == 1)
    #expect(list.index(matching: { $0.fullTextSearch("swift", in: $0.title, $0.body) }) == 0)
    #expect(list.index(matching: "{title, body} TEXT '-java'") == 1)
    #expect(list.index(matching: "{author.about, title} TEXT 'machine'") == nil)
  }

  @Test func rankingSumsTheProperties() throws {
    let scratch = try Self.filled()
    let notes = scratch.realm.objects(SearchedNote.self)
    let both = notes.ranked(by: [\.title, \.body], "swift engine")
    #expect(both.map(\.object.number) == [1, 0])
    let all = notes.ranked(by: [\.title, \.body, \.parts[0].text, \.author?.about], "swift engine*")
    #expect(Set(all.map(\.object.number)) == [0, 1, 2])
    let same = notes.ranked(by: ["title", "body", "parts.text", "author.about"], "swift engine*")
    #expect(same.map(\.object.number) == all.map(\.object.number))
    #expect(same.map(\.score) == all.map(\.score))
    #expect(
      notes.ranked(by: [\.title], "swift").map(\.score) == notes.ranked(by: \.title, "swift").map(\.score))
    #expect(notes.ranked(by: \.author?.about, "anna").map(\.object.number) == [0])
    let dynamic = scratch.realm.dynamicObjects("SearchedNote").ranked(by: ["title", "body"], "swift engine")
    #expect(dynamic.map { $0.object["number"] as? Int } == [1, 0])
    #expect(dynamic.map(\.score) == both.map(\.score))
  }

  @Test func tiesKeepTheOrderOfTheCollection() throws {
    let scratch = try ScratchRealm(opening: Self.types)
    try scratch.realm.write {
      for number in 0..<6 {
        scratch.realm.create(
          SearchedNote.self, value: ["number": number, "title": "swift", "body": "engine"])
      }
    }
    let notes = scratch.realm.objects(SearchedNote.self)
    #expect(notes.ranked(by: [\.title, \.body], "swift engine").map(\.object.number) == Array(0..<6))
    let reversed = notes.sorted(by: \.number, ascending: false)
    #expect(reversed.ranked(by: [\.title, \.body], "swift").map(\.object.number) == [5, 4, 3, 2, 1, 0])
    #expect(
      reversed.where { $0.number < 4 }.ranked(by: \.body, "engine").map(\.object.number) == [3, 2, 1, 0])
    #expect(reversed.freeze().ranked(by: \.body, "engine").map(\.object.number) == [5, 4, 3, 2, 1, 0])
    #expect(reversed.ranked(by: \.title, "swift", limit: 2).map(\.object.number) == [5, 4])
  }

  @Test func propertiesWithoutAnIndexAreRefused() async throws {
    let scratch = try Self.filled()
    let notes = scratch.realm.objects(SearchedNote.self)
    for (format, message) in [
      ("{title, plain} TEXT 'x'", "Property 'SearchedNote.plain' has no full-text index"),
      ("{title, nothing} TEXT 'x'", "Property 'nothing' not found in object of type 'SearchedNote'"),
      ("{title, number} TEXT 'x'", "Operator 'TEXT' not supported for type 'int'"),
      ("{title, 'x'} TEXT 'x'", "requires at least one key path, and nothing but key paths"),
    ] {
      #expect {
        _ = try notes.filter(checking: format)
      } throws: {
        ($0 as? Realm.Error)?.localizedDescription.contains(message) == true
      }
    }
    let unmarked = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try ScratchRealm(opening: SeveralTextsTests.types)
      _ = file.realm.objects(SearchedNote.self).ranked(by: [\.title, \.plain], "x")
    }
    expectStop(unmarked, saying: "Property 'SearchedNote.plain' has no full-text index")
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try ScratchRealm(opening: SeveralTextsTests.types)
      _ = file.realm.objects(SearchedNote.self).ranked(by: ["title", "nothing"], "x")
    }
    expectStop(unknown, saying: "Property 'nothing' not found in object of type 'SearchedNote'")
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try ScratchRealm(opening: SeveralTextsTests.types)
      _ = file.realm.objects(SearchedNote.self).ranked(by: [String](), "x")
    }
    expectStop(none, saying: "requires at least one key path")
  }
}
