import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool
@testable import Storage

/// The routes about the file as a whole.
struct StudioFileTests {
  private static func object(_ answer: StudioAnswer) throws -> [String: Any] {
    #expect(answer.status == 200, "\(answer.text)")
    return try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
  }

  private static let schema = """
    {"schemaVersion": 7, "classes": [
      {"name": "Shelf of \\"books\\"", "properties": [
        {"name": "room", "type": "string"}, {"name": "number", "type": "int"},
        {"name": "books", "type": "object", "class": "Book", "collection": "list", "onDelete": "cascade"},
        {"name": "place", "type": "object", "class": "Place"}],
       "indexes": [{"kind": "primaryKey", "properties": ["room", "number"]}]},
      {"name": "Book", "properties": [
        {"name": "id", "type": "int", "primaryKey": true, "autoIncrement": true},
        {"name": "isbn", "type": "string", "unique": true, "optional": true},
        {"name": "text", "type": "string", "fullText": true}, {"name": "year", "type": "int", "indexed": true},
        {"name": "tags", "type": "string", "collection": "set"}, {"name": "any", "type": "mixed"}],
       "indexes": [{"kind": "plain", "properties": ["year", "isbn"]}]},
      {"name": "Place", "embedded": true, "properties": [{"name": "x", "type": "double"}]}]}
    """

  private static func shelves(in folder: ScratchFolder) throws -> StudioFixture {
    try Data(schema.utf8).write(to: folder.file("schema.json"))
    let path = folder.path("shelves.realm")
    let outcome = try RealmProgram.run(
      "import", path, "-", "--class", "Book", "--format", "jsonl", "--schema", folder.path("schema.json"),
      input: #"{"id":1,"isbn":"a","text":"b","year":3,"tags":["x"],"any":1}"#)
    if outcome.status != 0 { throw ToolError(outcome.error) }
    return try StudioFixture(path: path)
  }

  @Test func classesAndTheirRules() async throws {
    let folder = ScratchFolder()
    let studio = try Self.shelves(in: folder)
    let file = try Self.object(await studio.answer(studio.head("GET", "/api/file")))
    #expect(file["name"] as? String == "shelves.realm")
    #expect(file["schemaVersion"] as? Int == 7)
    #expect(file["writable"] as? Bool == false)
    #expect(file["encrypted"] as? Bool == false)
    #expect(file["size"] as? Int == StudioRoute.size(studio.path))
    let classes = try #require(file["classes"] as? [[String: Any]])
    #expect(classes.map { $0["name"] as? String } == ["Book", "Place", "Shelf of \"books\""])
    #expect(classes.map { $0["count"] as? Int } == [1, 0, 0])
    #expect(classes.map { $0["embedded"] as? Bool } == [false, true, false])
    #expect(classes.map { $0["primaryKey"] as? [Int] } == [[0], [], [0, 1]])
    let rules = classes.map {
      ($0["rules"] as? [[String: Any]] ?? []).map { "\($0["kind"]!) \($0["properties"] as! [Int])" }
    }
    #expect(rules == [["sequence [0]", "unique [1]", "index [3, 1]"], [], ["cascade [2]"]])
    let texts = (classes[0]["properties"] as? [[String: Any]] ?? []).map { property in
      ["number", "name", "type", "collection", "optional", "index"].map { "\(property[$0]!)" }.joined(
        separator: " ")
    }
    #expect(texts[0].hasPrefix("0 id int none"))
    #expect(texts[2].hasSuffix("fullText"))
    #expect(texts[3].hasSuffix("general"))
    #expect(texts[4].hasPrefix("4 tags string set"))
    #expect(texts[5].hasPrefix("5 any mixed none"))
    let books = (classes[2]["properties"] as? [[String: Any]])?[2]
    #expect(books?["target"] as? String == "Book")
    #expect(books?["deleteRule"] as? String == "cascade")
  }

  @Test func declarationsInSwift() async throws {
    let folder = ScratchFolder()
    let studio = try Self.shelves(in: folder)
    let all = try Self.object(await studio.answer(studio.head("GET", "/api/swift")))
    #expect((all["text"] as? String)?.contains("class Book: Object {") == true)
    let name = "Shelf%20of%20%22books%22"
    let one = try Self.object(await studio.answer(studio.head("GET", "/api/swift?class=\(name)")))
    #expect((one["text"] as? String)?.contains("class Book") == false)
    #expect(await studio.answer(studio.head("GET", "/api/swift?class=Nothing")).status == 404)
  }

  @Test func sizesAndReaders() async throws {
    let studio = try StudioFixture()
    let storage = try Self.object(await studio.answer(studio.head("GET", "/api/storage")))
    let sizes = ["size", "used", "free"].map { storage[$0] as? Int ?? -1 }
    #expect(sizes[0] == sizes[1] + sizes[2])
    let classes = try #require(storage["classes"] as? [[String: Any]])
    let properties = try #require(classes[0]["properties"] as? [[String: Any]])
    #expect(properties.count == 6)
    #expect(properties.allSatisfy { ($0["bytes"] as? Int ?? 0) > 0 })
    // A program that reads the file.
    let watcher = try RunningTool("watch", studio.path)
    #expect(watcher.firstNote().contains("Watching"))
    let again = try Self.object(await studio.answer(studio.head("GET", "/api/storage")))
    let readers = try #require(again["readers"] as? [[String: Any]])
    #expect(readers.contains { $0["process"] as? String == "the process \(watcher.identifier)" })
  }

  // MARK: Work on the whole file

  private static func end(_ events: StudioEvents) async throws -> [String: Any] {
    var text = ""
    try await eventually {
      text += String(decoding: events.take {}, as: UTF8.self)
      return text.contains("event: done\n")
    }
    let data = try #require(text.range(of: "event: done\ndata: ")).upperBound
    let line = text[data...].prefix { $0 != "\n" }
    return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test func verifyingTellsClientsOfItsEnd() async throws {
    let studio = try StudioFixture()
    let events = studio.session.clients.add()
    let begun = try Self.object(await studio.answer(studio.head("POST", "/api/verify")))
    let done = try await Self.end(events)
    #expect(done["job"] as? Int == begun["job"] as? Int)
    #expect(done["ok"] as? Bool == true)
    #expect((done["text"] as? String)?.hasPrefix("Sound: 3 objects, ") == true)
  }

  @Test func oneWorkRunsAtATime() async throws {
    let clients = StudioClients()
    let events = clients.add()
    let (begin, end) = AsyncStream<Void>.makeStream()
    let first = try clients.jobs.start(clients) { update in
      for number in 0..<10_000 { update.function(number, 10_000) }
      for await _ in begin { break }
      throw ToolError("<b>damaged</b>")
    }
    #expect(throws: StudioFault.self) {
      try clients.jobs.start(clients) { _ in .init(isSound: true, text: "") }
    }
    end.yield()
    let done = try await Self.end(events)
    #expect(done["job"] as? Int == first)
    #expect(done["ok"] as? Bool == false)
    #expect(done["text"] as? String == "<b>damaged</b>")
    let second = try clients.jobs.start(clients) { _ in .init(isSound: true, text: "") }
    #expect(second == first + 1)
  }

  /// Progress comes at most ten times a second, however often it is reported.
  @Test func progressIsThinnedOut() async throws {
    let clients = StudioClients()
    let events = clients.add()
    let seconds = Clock.seconds
    _ = try clients.jobs.start(clients) { update in
      for number in 0..<100_000 { update.function(number, 100_000) }
      return .init(isSound: true, text: "")
    }
    var text = ""
    try await eventually {
      text += String(decoding: events.take {}, as: UTF8.self)
      return text.contains("event: done\n")
    }
    let count = text.components(separatedBy: "event: progress").count - 1
    #expect(count >= 1)
    #expect(Double(count) <= 2 + (Clock.seconds - seconds) * 10)
    #expect(text.contains(#"data: {"job":1,"done":0,"total":100000}"#))
  }

  @Test func compactingNeedsTheFileAlone() async throws {
    let studio = try StudioFixture(isWritable: true)
    let events = studio.session.clients.add()
    let watcher = try RunningTool("watch", studio.path)
    #expect(watcher.firstNote().contains("Watching"))
    _ = try Self.object(await studio.answer(studio.head("POST", "/api/compact")))
    let refused = try await Self.end(events)
    #expect(refused["ok"] as? Bool == false)
    #expect((refused["text"] as? String)?.contains("open in another process") == true)
    watcher.signal(SIGKILL)
    _ = watcher.end()
    _ = try Self.object(await studio.answer(studio.head("POST", "/api/compact")))
    let done = try await Self.end(events)
    #expect(done["ok"] as? Bool == true, "\(done)")
    #expect((done["text"] as? String)?.hasPrefix("Compacted from ") == true)
    #expect(await studio.answer(studio.head("GET", "/api/file")).status == 200)
  }
}
