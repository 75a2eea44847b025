import RealmSwift
import TestSupport
import Testing

class Post: Object {
  @Persisted(fullText: true) var title: String
  @Persisted(fullText: true) var body: String
  @Persisted var author: Contributor?
  @Persisted var replies: List<Reply>
}

class Contributor: Object {
  @Persisted(fullText: true) var name: String
}

class Reply: EmbeddedObject {
  @Persisted(fullText: true) var text: String
}

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

  @Test func severalProperties() throws {
    let scratch = ScratchFolder()
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: scratch.file("posts.realm"), objectTypes: [Post.self, Contributor.self, Reply.self]))
    try realm.write {
      for (title, body, name, reply) in [
        ("Swift", "How the compiler works", "Ann", "What an engine"),
        ("Swift and Java", "An engine", "Bo", ""), ("Query", "A swift bird", "Engine", ""),
        ("Engine", "A long text about the Swift engine", "Cy", ""),
      ] {
        realm.create(
          Post.self,
          value: [
            "title": title, "body": body, "author": ["name": name], "replies": [["text": reply]],
          ] as [String: Any])
      }
    }
    let posts = realm.objects(Post.self)
    let anywhere = posts.where {
      $0.fullTextSearch("swift engine -java", in: $0.title, $0.body, $0.author.name, $0.replies.text)
    }
    let anywhereAsText = posts.filter(
      "{title, body, author.name, replies.text} TEXT %@", "swift engine -java")
    #expect(anywhere.map(\.title) == ["Swift", "Query", "Engine"])
    #expect(anywhereAsText.map(\.title) == ["Swift", "Query", "Engine"])
    let best = posts.ranked(
      by: [\.title, \.body, \.author?.name, \.replies[0].text], "swift engine", limit: 10)
    let bestByName = posts.ranked(
      by: ["title", "body", "author.name", "replies.text"], "swift engine", limit: 10)
    #expect(best.count == 4)
    #expect(best.first?.object.title == "Engine")
    #expect(best.map(\.score) == bestByName.map(\.score))
    #expect(best.map(\.object.title) == bestByName.map(\.object.title))
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
