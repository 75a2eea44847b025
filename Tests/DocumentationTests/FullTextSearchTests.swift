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
    #expect(trails.where { $0.notes.fullTextSearch("\"two steep\"") }.count == 1)
  }
}
