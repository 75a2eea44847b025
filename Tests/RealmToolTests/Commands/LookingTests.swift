import Foundation
import TestSupport
import Testing

@testable import RealmTool

/// info, schema, get and verify.
struct LookingTests {
  @Test func infoCountsAndMeasures() throws {
    // A file of its own: other tests read the other one meanwhile.
    let folder = ScratchFolder()
    let path = folder.path("world.realm")
    try FileManager.default.copyItem(atPath: World.path, toPath: path)
    let text = try RealmProgram.run("info", path)
    #expect(text.status == 0 && text.error == "")
    #expect(text.output.contains("objects:  \(Numbers.separated(World.cityCount + 504))\n"))
    #expect(text.output.contains("key:      not encrypted\n"))
    #expect(text.output.contains("readers:  none but this process\n"))
    let city = try #require(text.output.split(separator: "\n").first { $0.hasPrefix("City ") })
    #expect(city.contains(Numbers.separated(World.cityCount)))
    let object = try JSONSerialization.jsonObject(
      with: Data(try RealmProgram.run("info", path, "--json").output.utf8))
    let information = try #require(object as? [String: Any])
    let classes = try #require(information["classes"] as? [[String: Any]])
    #expect(classes.map { $0["name"] as? String } == ["City", "Country", "CountryCurrency"])
    #expect(classes.map { $0["objects"] as? Int } == [World.cityCount, 252, 252])
    #expect(classes.map { $0["embedded"] as? Bool } == [false, false, true])
    // What is stored is at least the text itself, and at most the file.
    let bytes = classes.compactMap { $0["valueBytes"] as? Int }.reduce(0, +)
    let size = try #require(information["size"] as? Int)
    #expect(bytes > World.cityCount * 120 && bytes < size)
    let properties = try #require(classes[0]["properties"] as? [[String: Any]])
    let ofProperties = properties.compactMap { $0["valueBytes"] as? Int }.reduce(0, +)
    let ofClass = try #require(classes[0]["valueBytes"] as? Int)
    // The rest is which rows are there.
    #expect(ofProperties <= ofClass && ofProperties > ofClass * 9 / 10)
    let names = properties.map { $0["name"] as? String }
    #expect(
      names == ["id", "name", "country", "latitude", "longitude", "population", "timezone", "alternateNames"])
    #expect(properties[0]["indexBytes"] as? Int ?? 0 > 0)
  }

  @Test func infoTellsWhoReads() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let watcher = try RunningTool("watch", path)
    #expect(watcher.firstNote().contains("Watching"))
    #expect(
      try RealmProgram.run("info", path).output.contains(
        "readers:  the process \(watcher.identifier), version "))
    watcher.signal(SIGTERM)
    #expect(watcher.end() == 128 + SIGTERM)
    #expect(try RealmProgram.run("info", path).output.contains("readers:  none but this process"))
  }

  @Test func schemaForPeople() throws {
    let folder = ScratchFolder()
    let outcome = try RealmProgram.run("schema", try World.converted("schema", in: folder))
    #expect(
      outcome
        == .init(
          status: 0,
          output: """
            Address (embedded)
              street  string
              town    string

            Company
              name       string  primary key
              employees  list of Person

            New
              id      uuid  primary key
              when    date
              person  Person?

            Person
              id         int  primary key
              givenName  string
              lastName   string
              height     float?
              address    Address?
              note       string?  indexed
              age        int?
              zip        string
              email      string
              tags       set of string

            Untouched
              v  mixed

            """))
  }

  @Test func schemaForPrograms() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    #expect(
      try RealmProgram.run("schema", path, "--swift").output == """
        import Foundation
        import RealmSwift

        class Country: Object {
          @Persisted(primaryKey: true) var code: String
          @Persisted var name: String
          @Persisted var population: Int
          @Persisted var area: Double
          @Persisted var neighbours: List<String>
          @Persisted var since: Date?
        }

        """)
    #expect(
      try RealmProgram.run("schema", path, "--json").output == """
        {
          "schemaVersion": 0,
          "classes": [
            {"name": "Country", "properties": [
              {"name": "code", "type": "string", "primaryKey": true},
              {"name": "name", "type": "string"},
              {"name": "population", "type": "int"},
              {"name": "area", "type": "double"},
              {"name": "neighbours", "type": "string", "collection": "list"},
              {"name": "since", "type": "date", "optional": true}
            ]}
          ]
        }

        """)
  }

  @Test func getShowsAnObjectAndWhoLinksToIt() throws {
    let folder = ScratchFolder()
    let path = folder.path("links.realm")
    try Self.links.write(to: folder.file("schema.json"), atomically: true, encoding: .utf8)
    try #"{"id":1,"best":2,"all":[2,2,3],"any":{"$class":"Node","$key":2}}{"id":2}{"id":3,"best":2}"#
      .write(to: folder.file("Node.json"), atomically: true, encoding: .utf8)
    #expect(
      try RealmProgram.run("import", path, folder.path("Node.json"), "--schema", folder.path("schema.json"))
        .error == "")
    #expect(
      try RealmProgram.run("get", path, "Node", "2").output == """
        Node 2
          id    2
          best  null
          all   []
          any   null
        linked to by
          Node.best  1, 3
          Node.all  1
          Node.any  1

        """)
    #expect(
      try RealmProgram.run("get", path, "Node", "3", "--json").output
        == #"{"class":"Node","object":{"id":3,"best":2,"all":[],"any":null},"incoming":[{"class":"Node","property":"all","key":1}]}"#
        + "\n")
    #expect(
      try RealmProgram.run("get", path, "Node", "7") == .init(status: 1, error: "There is no Node '7'.\n"))
    #expect(try RealmProgram.run("get", path, "Node", "x").status == 2)
    #expect(try RealmProgram.run("get", path, "Node", "#0").output.hasPrefix("Node 1\n"))
    #expect(try RealmProgram.run("get", path, "Node", "#9").status == 1)
  }

  static let links = """
    {"classes": [{"name": "Node", "properties": [
      {"name": "id", "type": "int", "primaryKey": true},
      {"name": "best", "type": "object", "class": "Node", "optional": true},
      {"name": "all", "type": "object", "class": "Node", "collection": "list"},
      {"name": "any", "type": "mixed"}
    ]}]}
    """

  @Test func verifyFindsWhatIsDamaged() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let sound = try RealmProgram.run("verify", path)
    #expect(sound.status == 0)
    #expect(sound.output.hasPrefix("\(path): sound, 3 objects, "))
    #expect(try RealmProgram.run("verify", path, "--json").output.hasPrefix(#"{"sound":true,"objects":3,"#))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(bytes.range(of: Data("Iceland".utf8)))
    bytes[place.lowerBound] ^= 1
    let damaged = folder.path("damaged.realm")
    try bytes.write(to: URL(fileURLWithPath: damaged))
    let outcome = try RealmProgram.run("verify", damaged)
    #expect(outcome.status == 3)
    #expect(outcome.error.contains("realm salvage '\(damaged)' NEW"))
    #expect(outcome.output.contains("the checksum of unit "))
  }
}
