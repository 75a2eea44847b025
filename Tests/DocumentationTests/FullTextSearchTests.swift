import RealmSwift
import Testing

struct FullTextSearchTests {
  @Test func search() throws {
    let mountains = try Mountains()
    let trails = mountains.trails
    try mountains.realm.write {
      mountains.ridge.notes = "Steep, with two screes."
      mountains.trails.where { $0.name == "Valley" }.first!.notes = "Steep scree, and snow in June."
    }
    let found = trails.where { $0.notes.fullTextSearch("steep scree* -snow") }
    let same = trails.filter("notes TEXT %@", "steep scree* -snow")
    #expect(found.map(\.name) == ["Ridge"])
    #expect(same.map(\.name) == ["Ridge"])
    #expect(trails.where { $0.notes.fullTextSearch("\"with two\"") }.count == 1)
    #expect(trails.where { $0.notes.fullTextSearch("\"two steep\"") }.isEmpty)
  }

  @Test func ranking() throws {
    let mountains = try Mountains()
    let trails = mountains.trails
    let ridge = mountains.ridge
    try mountains.realm.write {
      ridge.notes = "An iron ladder, then scree, then another ladder, and scree again below the top."
      mountains.trails.where { $0.name == "Valley" }.first!.notes =
        "No ladders, and no scree but at the end of it."
    }
    for found in trails.ranked(by: \.notes, "ladder* scree", limit: 10) {
      print(found.score, found.object.name)
    }
    #expect(trails.ranked(by: \.notes, "ladder* scree").map(\.object.name) == ["Ridge", "Valley"])
    #expect(trails.where { $0.difficulty < 3 }.ranked(by: \.notes, "scree").map(\.object.name) == ["Valley"])
    let search = TextSearch("scree* \"iron ladder\"")
    let snippet = search.snippet(of: ridge.notes, wordCount: 6)
    print(snippet.text)
    for range in snippet.ranges { print(snippet.text[range]) }
    #expect(snippet.text == "An iron ladder, then scree, then…")
    #expect(snippet.ranges.map { snippet.text[$0] } == ["iron", "ladder", "scree"])
  }
}
