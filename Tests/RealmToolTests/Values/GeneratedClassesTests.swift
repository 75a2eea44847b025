import Foundation
import TestSupport
import Testing

@testable import RealmTool

/// Classes that `realm schema --swift` writes compile, and open the file they are of.
struct GeneratedClassesTests {
  private let folder = ScratchFolder()

  private func check(_ path: String, version: Int) throws {
    let classes = try RealmProgram.run("schema", path, "--swift")
    #expect(classes.status == 0)
    let program = try GeneratedProgram(classes.output)
    let checked = try program.typecheck()
    #expect(checked.status == 0, "\(checked.error.prefix(3000))")
    if checked.status != 0 { return }
    let new = folder.path("new.realm")
    let outcome = try program.run(path, new, version: version)
    #expect(outcome.status == 0, "\(outcome.error.prefix(3000))")
    // Declarations have no index for mixed values, as official files may have.
    let schema = try RealmProgram.run("schema", path).output.replacing("mixed  indexed", with: "mixed")
    #expect(try RealmProgram.run("schema", new).output == schema)
  }

  @Test(arguments: ["types-small", "collections-small", "schema"]) func ofTheSampleFiles(name: String) throws
  {
    let path = try World.converted(name, in: folder)
    let json = try RealmProgram.run("schema", path, "--json").output
    let version = try #require(json.firstMatch(of: #/"schemaVersion": (\d+)/#)).1
    try check(path, version: Int(version)!)
  }

  private static let sources: [String] = {
    let files = FileManager.default.enumerator(
      at: Repository.folder.appending(path: "Sources/RealmSwift"), includingPropertiesForKeys: nil)!
    return files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { try! String(contentsOf: $0, encoding: .utf8) }
  }()

  private static func names(_ expression: Regex<(Substring, Substring)>) -> Set<String> {
    Set(sources.flatMap { $0.matches(of: expression).map { String($0.1) } })
  }

  /// The types of the library that programs can name.
  private static let types = names(
    #/(?m)^(?:@[\w()]+ )*(?:public|open) (?:final |indirect )?(?:class|struct|enum|protocol|typealias|actor) ([A-Za-z]\w*)/#
  )

  @Test func everyTypeOfTheLibraryIsReserved() {
    #expect(Self.types.subtracting(ReservedNames.types) == [])
    #expect(Self.types.isSuperset(of: ["Object", "List", "Realm"]))
  }

  private static let keywords = [
    "self", "Self", "init", "Type", "Protocol", "class", "in", "let", "default", "subscript", "operator",
    "some",
    "any", "async", "await", "actor", "lazy", "weak", "get", "set", "willSet", "didSet", "open", "inout",
    "super",
    "nil", "true", "Any", "throws", "rethrows", "repeat", "macro", "each", "borrowing", "consuming",
    "sending",
    "nonisolated", "isolated", "unowned", "optional", "required", "final", "override", "dynamic", "mutating",
    "static",
    "func", "var", "is", "as", "try", "catch", "deinit", "deinitializer", "extension", "package", "prefix",
  ]

  /// Names of properties that mean something to Swift or to the library, and others that are difficult.
  private static let properties: [String] = {
    let members = names(#/(?m)^  (?:public|open) (?:[a-z() ]+ )?var `?(\w+)/#)
    let own = [
      "id", "_id", "__id", "description", "_description", "debugDescription", "hash", "hashValue", "realm",
      "copy",
      "Int", "String", "Persisted", "a.b", "a_b", "a b", "_", "__", "1x", "é", "日本", "😀", "\"", "\\(x)",
      "\n", "isEqual", "isProxy", "mutableCopy", "perform", "rlmReference", "superclass", "cfTypeID",
    ]
    return (members.union(keywords).union(own)).sorted()
  }()

  private func column(_ name: String, _ rest: String = "") throws -> String {
    let text = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
    return "{\"name\":\(text),\"type\":\"int\"\(rest)}"
  }

  @Test func ofNamesThatMeanSomethingElse() throws {
    let properties = try Self.properties.map { try column($0) }.joined(separator: ",")
    let names = Set(Self.keywords).union(Self.types).union(ReservedNames.types).union([
      "a b", "日本", "é", "1x", "Task", "Category", "Object_",
    ]).sorted()
    let classes = try names.map { name in
      let text = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
      return
        "{\"name\":\(text),\"properties\":[{\"name\":\"next\",\"type\":\"object\",\"class\":\(text)},{\"name\":\"text\",\"type\":\"string\",\"collection\":\"list\"}]}"
    }
    try FileManager.default.createDirectory(atPath: folder.path("source"), withIntermediateDirectories: false)
    try """
    {"schemaVersion":1,"classes":[
      {"name":"Members","properties":[\(properties)],"indexes":[{"kind":"plain","properties":["realm","in"]}]},
      {"name":"EmbeddedMembers","embedded":true,"properties":[\(properties)]},
      {"name":"Owner","properties":[{"name":"child","type":"object","class":"EmbeddedMembers"}]},
      \(classes.joined(separator: ",\n"))
    ]}
    """.write(toFile: folder.path("source/schema.json"), atomically: true, encoding: .utf8)
    let path = folder.path("nasty.realm")
    let made = try RealmProgram.run("import", path, folder.path("source"))
    #expect(made.status == 0, "\(made)")
    try check(path, version: 1)
  }
}
