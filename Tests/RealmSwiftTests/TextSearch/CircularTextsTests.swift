import RealmSwift
import TestSupport
import Testing

/// Searches and rankings along links that lead in circles.
@Suite struct CircularTextsTests {
  /// Each step through a collection leads to the same objects again: they are visited once for each step, instead of
  /// once for each of the 40⁶ ways.
  @Test func longPathsThroughCirclesCountEachTextOnce() throws {
    let scratch = try ScratchRealm(opening: SeveralTextsTests.types)
    let realm = scratch.realm
    try realm.write {
      let authors = (0..<40).map { realm.create(SearchedAuthor.self, value: ["about": "engine \($0)"]) }
      for (number, author) in authors.enumerated() {
        let note = realm.create(SearchedNote.self, value: ["number": number, "author": author])
        note.readers.append(objectsIn: authors)
        // An object that a list has twice counts once, too.
        note.readers.append(author)
      }
    }
    let notes = realm.objects(SearchedNote.self)
    let circular = String(repeating: "readers.notes.", count: 5) + "readers.about"
    let direct = notes.ranked(by: ["readers.about"], "engine 7")
    let long = notes.ranked(by: [circular], "engine 7")
    #expect(direct.count == 40)
    #expect(long.map(\.object.number) == direct.map(\.object.number))
    #expect(long.map(\.score) == direct.map(\.score))
    #expect(notes.filter("{\(circular)} TEXT 'engine 7'").count == 40)
    #expect(notes.filter("ANY \(circular) == title").isEmpty)
  }
}
