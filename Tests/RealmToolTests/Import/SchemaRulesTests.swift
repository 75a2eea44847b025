import Foundation
import RealmSwift
import TestSupport
import Testing

/// Schemas that no file can have, and those with rules of their own.
struct SchemaRulesTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("new.realm") }

  private func write(_ name: String, _ content: String) throws -> String {
    try Data(content.utf8).write(to: folder.file(name))
    return folder.path(name)
  }

  /// What would make a file unreadable is refused, of a new file as of one that is there.
  @Test(arguments: [
    (
      #"{"name":"C","properties":[{"name":"a","type":"int"},{"name":"a","type":"string"}]}"#,
      "Property 'a' is declared multiple times"
    ),
    (
      #"{"name":"C","properties":[{"name":"a","type":"int","primaryKey":true},{"name":"b","type":"int","primaryKey":true}]}"#,
      "are both marked as the primary key of 'C'"
    ),
    (
      #"{"name":"C","properties":[{"name":"a","type":"int"}]},{"name":"C","properties":[{"name":"b","type":"int"}]}"#,
      "Class 'C' is described more than once"
    ),
    (
      #"{"name":"C","embedded":true,"properties":[{"name":"a","type":"int","primaryKey":true}]}"#,
      "Embedded object type 'C' cannot have a primary key"
    ),
    (
      #"{"name":"E","embedded":true,"properties":[{"name":"a","type":"int"}]},{"name":"C","properties":[{"name":"s","type":"object","class":"E","collection":"set"}]}"#,
      "Set property 'C.s' cannot contain embedded object type 'E'"
    ),
    (
      #"{"name":"E","embedded":true,"properties":[{"name":"e","type":"object","class":"E"}]}"#,
      "Cycles containing embedded objects"
    ),
    (
      #"{"name":"C","properties":[{"name":"a","type":"string","autoIncrement":true}]}"#, "cannot be numbered"
    ),
    (#"{"name":"C","properties":[{"name":"a","type":"int","onDelete":"deny"}]}"#, "it never has links"),
    (
      #"{"name":"C","properties":[{"name":"a","type":"int"}],"indexes":[{"properties":["a","b"]}]}"#,
      "is over the property 'b', which the class does not have"
    ),
    (
      #"{"name":"C","properties":[{"name":"a","type":"int"},{"name":"b","type":"double"}],"indexes":[{"kind":"unique","properties":["a","b"]}]}"#,
      "Property 'C.b' of type 'double' cannot be in an index over several properties"
    ),
    (
      #"{"name":"C","properties":[{"name":"a","type":"int"}],"indexes":[{"kind":"odd","properties":["a"]}]}"#,
      "is none of plain, unique, primaryKey"
    ),
    (
      #"{"name":"C","properties":[{"name":"a","type":"double","unique":true}]}"#, "cannot be unique"
    ),
    (
      #"{"name":"C","properties":[{"name":"a","type":"mixed","onDelete":"never"}]}"#,
      "is none of nullify, cascade, cascadeUnlessShared, deny"
    ),
  ]) func whatNoFileCanHave(classes: String, message: String) throws {
    let schema = try write("schema.json", "{\"classes\":[\(classes)]}")
    let source = try write("C.jsonl", "")
    let outcome = try RealmProgram.run("import", path, source, "--schema", schema)
    #expect(outcome.status == 3)
    #expect(outcome.error.contains(message), "\(outcome.error)")
    #expect(!FileManager.default.fileExists(atPath: path))
    let present = try World.small(in: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: present))
    #expect(try RealmProgram.run("import", present, source, "--schema", schema).status == 3)
    #expect(try Data(contentsOf: URL(fileURLWithPath: present)) == before)
  }

  private static let owners = """
    {"classes":[
      {"name":"Dog","properties":[{"name":"name","type":"string"}]},
      {"name":"Person","properties":[
        {"name":"id","type":"int","primaryKey":true,"autoIncrement":true},
        {"name":"dogs","type":"object","class":"Dog","collection":"list","onDelete":"cascade"},
        {"name":"any","type":"mixed","onDelete":"cascadeUnlessShared"}]}]}
    """

  private func people(_ lines: String, dogs: String = "") throws {
    let outcome = try RealmProgram.run(
      "import", path, write("Person.jsonl", lines), write("Dog.jsonl", dogs), "--schema",
      write("schema.json", Self.owners))
    #expect(outcome.error == "")
  }

  private func person(_ key: String) throws -> String {
    try RealmProgram.run("query", path, "Person", "id == \(key)", "--format", "jsonl").output
  }

  @Test func objectsAreNumbered() throws {
    try people("{}{\"id\":7}{\"id\":null}{\"id\":0}{\"id\":3}")
    let keys = ["1", "7", "8", "9", "3"]
    #expect(
      try RealmProgram.run("query", path, "Person", "--format", "csv").output.split(separator: "\r\n")
        .dropFirst().map { String($0.prefix { $0 != "," }) } == keys)
    #expect(try RealmProgram.run("create", path, "Person", "any=x") == .init(status: 0, output: "10\n"))
    #expect(try RealmProgram.run("create", path, "Person", "id=20", "any=x").output == "20\n")
    #expect(try RealmProgram.run("create", path, "Person", "any=x").output == "21\n")
    // Numbers are given once for all times.
    #expect(try RealmProgram.run("delete", path, "Person", "21", "--yes").status == 0)
    #expect(try RealmProgram.run("create", path, "Person", "any=x").output == "22\n")
    #expect(try RealmProgram.run("verify", path).status == 0)
  }

  @Test func rulesAreShownAndCarried() throws {
    try people(#"{"id":5,"dogs":[{"name":"a"}]}"#)
    let plain = try RealmProgram.run("schema", path).output
    #expect(plain.contains("  id    int  primary key, auto-increment\n"))
    #expect(plain.contains("  dogs  list of Dog  on delete cascade\n"))
    let swift = try RealmProgram.run("schema", path, "--swift").output
    #expect(swift.contains("@Persisted(primaryKey: true, autoIncrement: true) var id: Int\n"))
    #expect(swift.contains("@Persisted(onDelete: .cascade) var dogs: List<Dog>\n"))
    let (out, again) = (folder.path("out"), folder.path("again.realm"))
    #expect(try RealmProgram.run("export", path, "--to", out).status == 0)
    #expect(try RealmProgram.run("import", again, out).error == "")
    #expect(try RealmProgram.run("diff", path, again) == .init(status: 0))
    #expect(
      try RealmProgram.run("schema", path, "--json") == RealmProgram.run("schema", again, "--json"))
    #expect(try RealmProgram.run("create", again, "Person", "any=x").output == "6\n")
    // Another rule is another schema.
    let schema = try write("schema.json", Self.owners.replacing("\"cascade\"", with: "\"deny\""))
    let other = folder.path("other.realm")
    #expect(
      try RealmProgram.run("import", other, write("Person.jsonl", ""), "--schema", schema).status == 0)
    let difference = try RealmProgram.run("diff", path, other)
    #expect(
      difference.output.contains(
        "~ class Person.dogs  list of object, of Dog, on delete cascade → list of object, of Dog, on delete deny\n"
      ), "\(difference.output)")
    let differing = try RealmProgram.run("import", path, write("Person.jsonl", ""), "--schema", schema)
    #expect(differing.status == 3)
    #expect(differing.error.contains("property 'dogs' is list of object, on delete cascade"), "\(differing)")
  }

  @Test func whatIsOwnedIsDeletedAndCounted() throws {
    try people(
      #"{"id":1,"dogs":[{"name":"a"},{"name":"b"}],"any":{"$class":"Dog","$key":{"name":"c"}}}{"id":2}"#)
    let question = try RealmProgram.run("delete", path, "Person", "1")
    #expect(question.error.contains("Delete the Person 1, and what its delete rules say?"), "\(question)")
    #expect(
      try RealmProgram.run("delete", path, "Person", "1", "--yes")
        == .init(status: 0, output: "Deleted 4 objects.\n"))
    #expect(try RealmProgram.run("query", path, "Dog", "--count").output == "0\n")
  }

  private static let described = [
    DescribedClass(
      "Person",
      [
        DescribedProperty("id", .int, primaryKey: true, autoIncrement: true),
        DescribedProperty(
          "name", .string, optional: true, fullText: true, columnName: "called", unique: true),
        DescribedProperty("dogs", .object, of: "Dog", in: .list, onDelete: .cascade),
        DescribedProperty("byName", .object, of: "Dog", in: .map), DescribedProperty("any", .any, in: .set),
        DescribedProperty("address", .object, of: "Address"),
      ]),
    DescribedClass(
      "Dog",
      [
        DescribedProperty("tag", .string, columnName: "label"), DescribedProperty("born", .date),
        DescribedProperty("owners", .linkingObjects, of: "Person", originProperty: "dogs"),
      ], indexes: [Index(.primaryKey, ["tag", "born"]), Index(.plain, ["born", "tag"])]),
    DescribedClass(
      "Address", embedded: true, [DescribedProperty("lines", .string, in: .list, optional: true)]),
  ]

  /// Schemas have one form in JSON: the tool reads what the library writes, and the other way round.
  @Test func schemasOfTheLibrary() throws {
    let json = String(decoding: try JSONEncoder().encode(Self.described), as: UTF8.self)
    let schema = try write("schema.json", json)
    #expect(
      try RealmProgram.run("import", path, write("Person.jsonl", "{}"), "--schema", schema).error == "")
    let shown = try RealmProgram.run("schema", path, "--json").output
    let other = folder.path("other.realm")
    func make(_ path: String, _ classes: [DescribedClass]) throws {
      _ = try Realm(
        configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: path), schema: .classes(classes)))
    }
    try make(other, Self.described)
    #expect(try RealmProgram.run("schema", other, "--json").output == shown)
    let root = try JSONSerialization.jsonObject(with: Data(shown.utf8)) as? [String: Any]
    let classes = try JSONSerialization.data(withJSONObject: #require(root?["classes"]))
    let again = folder.path("again.realm")
    try make(again, try JSONDecoder().decode([DescribedClass].self, from: classes))
    #expect(try RealmProgram.run("schema", again, "--json").output == shown)
    #expect(shown.contains(#""kind": "primaryKey", "properties": ["label", "born"]"#), "\(shown)")
  }

  /// What lies within a value is written once, though the value has to wait for an object that comes later.
  @Test func nestedObjectsAreWrittenOnce() throws {
    try people(
      #"{"dogs":[{"name":"a"},{"$row":7}]}{"any":[{"$class":"Dog","$key":{"name":"b"}},{"$class":"Dog","$key":{"$row":7}}]}"#,
      dogs: #"{"$row":7,"name":"late"}"#)
    let names = try RealmProgram.run("query", path, "Dog", "--format", "csv", "--sort", "name")
    #expect(names.output == "name\r\na\r\nb\r\nlate\r\n", "\(names)")
    #expect(try person("1").contains(#""dogs":[{"$row":1},{"$row":0}]"#))
  }

  /// Unique values and indexes over several properties are kept by export and import, shown, and hold.
  @Test func indexesOverSeveralProperties() throws {
    let classes = #"""
      {"name":"Line","properties":[{"name":"order","type":"int"},{"name":"place","type":"string"},{"name":"code","type":"string","optional":true,"unique":true}],"indexes":[{"kind":"primaryKey","properties":["order","place"]},{"properties":["place","code"]}]}
      """#
    let schema = try write("schema.json", "{\"classes\":[\(classes)]}")
    let source = try write(
      "Line.jsonl", #"{"order":1,"place":"a","code":"x"}"# + "\n" + #"{"order":1,"place":"b","code":null}"#)
    #expect(try RealmProgram.run("import", path, source, "--schema", schema).error == "")
    let shown = try RealmProgram.run("schema", path).output
    #expect(shown.contains("primary key over order, place\n") && shown.contains("index over place, code\n"))
    #expect(shown.contains("unique"))
    let json = try RealmProgram.run("schema", path, "--json").output
    let other = folder.path("other.realm")
    #expect(
      try RealmProgram.run("import", other, source, "--schema", try write("again.json", json)).status == 0)
    #expect(try RealmProgram.run("schema", other, "--json").output == json)
    let swift = try RealmProgram.run("schema", path, "--swift").output
    #expect(swift.contains(#".primaryKey(\.order, \.place),"#) && swift.contains("@Persisted(unique: true)"))
    let again = try RealmProgram.run("import", path, source)
    #expect(
      again.status == 3
        && again.error.contains(#"line 1: there is a Line with the primary key [1,"a"] already: --update"#))
    #expect(try RealmProgram.run("query", path, "Line", "--count").output == "2\n")
    #expect(try RealmProgram.run("verify", path).status == 0)
  }
}
