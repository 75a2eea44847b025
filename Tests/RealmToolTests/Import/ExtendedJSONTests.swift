import Foundation
import TestSupport
import Testing

/// JSON that MongoDB's programs and Realm Studio write.
struct ExtendedJSONTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("new.realm") }

  private func write(_ name: String, _ content: String) throws -> String {
    try Data(content.utf8).write(to: folder.file(name))
    return folder.path(name)
  }

  private func lines(_ name: String = "C") throws -> [String] {
    try RealmProgram.run("query", path, name, "--format", "jsonl").output.split(separator: "\n").map(
      String.init)
  }

  @Test func valuesOfExtendedJSONAreOfTheirTypes() throws {
    let source = try write(
      "C.jsonl",
      #"""
      {"_id":{"$oid":"65d2c0ffee65d2c0ffee1234"},"iso":{"$date":"2024-01-01T00:00:00Z"},"long":{"$date":{"$numberLong":"1700000000123"}},
       "legacy":{"$date":1700000000123},"i":{"$numberInt":"5"},"l":{"$numberLong":"9223372036854775807"},"x":{"$numberDouble":"1.5"},
       "dec":{"$numberDecimal":"1.25"},"bin":{"$binary":{"base64":"AQID","subType":"00"}},"old":{"$binary":"AQID","$type":"00"},
       "u":{"$binary":{"base64":"VQ6EAOKbQdSnFkRmVUQAAA==","subType":"04"}},"uu":{"$uuid":"550e8400-e29b-41d4-a716-446655440001"},
       "ids":[{"$oid":"65d2c0ffee65d2c0ffee1234"}]}
      """#)
    let outcome = try RealmProgram.run("import", path, source, "--key-property", "_id")
    #expect(outcome.error == "")
    #expect(
      outcome.output.hasPrefix(
        """
        Inferred:
        C
          _id     objectId  primary key
          iso     date
          long    date
          legacy  date
          i       int
          l       int
          x       double
          dec     decimal128
          bin     data
          old     data
          u       uuid
          uu      uuid
          ids     list of objectId

        """), "\(outcome)")
    #expect(
      try lines() == [
        #"{"_id":"65d2c0ffee65d2c0ffee1234","iso":"2024-01-01T00:00:00Z","long":"2023-11-14T22:13:20.123Z","legacy":"2023-11-14T22:13:20.123Z","i":5,"l":9223372036854775807,"x":1.5,"dec":"1.25","bin":"AQID","old":"AQID","u":"550e8400-e29b-41d4-a716-446655440000","uu":"550e8400-e29b-41d4-a716-446655440001","ids":["65d2c0ffee65d2c0ffee1234"]}"#
      ])
    // Also where the class is known, or anything may be.
    let more = try write("D.jsonl", #"{"m":[1,{"$oid":"65d2c0ffee65d2c0ffee1234"},{"$numberLong":"7"}]}"#)
    #expect(try RealmProgram.run("import", path, more).status == 0)
    #expect(try lines("D") == [#"{"m":[1,{"$objectId":"65d2c0ffee65d2c0ffee1234"},7]}"#])
    let again = try RealmProgram.run("import", path, source, "--class", "C", "--update", "modified")
    #expect(again.output == "C: 0 objects added, 1 unchanged, from \(source)\n")
  }

  @Test func decimalsAndIntegersAreDecimals() throws {
    let source = try write("C.jsonl", #"{"d":{"$numberDecimal":"0.5"}}{"d":{"$numberLong":"2"}}"#)
    #expect(try RealmProgram.run("import", path, source).output.contains("  d  decimal128\n"))
    for predicate in ["d < 1", "d == 2"] {
      #expect(try RealmProgram.run("query", path, "C", predicate, "--count").output == "1\n")
    }
  }

  @Test(arguments: [
    #"{"$date":"yesterday"}"#, #"{"$oid":"65"}"#, #"{"$binary":{"base64":"?","subType":"00"}}"#,
  ])
  func valuesThatAreNoneAreRefused(value: String) throws {
    let source = try write("C.jsonl", "{\"a\":1}\n{\"a\":\(value)}")
    let outcome = try RealmProgram.run("import", path, source)
    #expect(outcome.status == 3)
    #expect(outcome.error.contains("\(source), line 2: "), "\(outcome)")
    #expect(outcome.error.contains("is not a value. Nothing was imported."), "\(outcome)")
  }

  /// A key of the user's may begin with a dollar sign or have a dot in it.
  @Test func keysWithDollarSignsAreData() throws {
    let source = try write(
      "C.jsonl", #"{"e":{"$ref":"dogs","$id":1},"m":[1,{"$ref":"x","a.b":{"$dictionary":{"$oid":"y"}}}]}"#)
    #expect(try RealmProgram.run("import", path, source).error == "")
    let found =
      #"{"e":{"$ref":"dogs","$id":1},"m":[1,{"$dictionary":{"$ref":"x","a.b":{"$dictionary":{"$oid":"y"}}}}]}"#
    #expect(try lines() == [found])
    // What is exported is imported as it was.
    let exported = folder.path("exported")
    let again = folder.path("again.realm")
    #expect(try RealmProgram.run("export", path, "--to", exported).status == 0)
    #expect(try RealmProgram.run("import", again, exported).error == "")
    #expect(try RealmProgram.run("diff", path, again) == .init(status: 0))
  }

  // MARK: Several classes

  @Test func fileOfSeveralClassesIsImported() throws {
    let source = try write(
      "world.json",
      """
      {
        "Dog": [{"name": "Rex ]}", "tags": [["a"], []]}, {"name": "\\"", "tags": []}],
        "Nothing": [],
        "Pers\\u006fn": [
          {"name": "Ada", "dog": {"name": "Rex"}}
        ]
      }
      """)
    let outcome = try RealmProgram.run("import", path, source)
    #expect(outcome.status == 0)
    #expect(
      outcome.error
        == "\(source): class 'Nothing' has no objects that would tell its properties, and was left out.\n")
    #expect(
      outcome.output.hasSuffix(
        "Dog: 2 objects added, from \(source)\nPerson: 1 object added, from \(source)\n"))
    #expect(try lines("Dog") == [#"{"name":"Rex ]}","tags":[["a"],[]]}"#, #"{"name":"\"","tags":[]}"#])
    #expect(try lines("Person") == [#"{"name":"Ada","dog":{"name":"Rex"}}"#])
    // Mistakes are told with their line in the whole file.
    let wrong = try write("wrong.json", "{\"Dog\": [{\"name\":\"a\"}],\n\"Person\": [\n{\"name\":1}]}")
    let refused = try RealmProgram.run("import", path, wrong)
    #expect(
      refused.error.contains(
        "\(wrong), line 3: property 'name' of class 'Person' is of type string: 1 is not valid"),
      "\(refused)")
    #expect(try lines("Dog").count == 2)
  }

  /// It is one object where the user says what class it is of, and where anything in it is no array of objects.
  @Test func objectOfArraysCanBeOneObject() throws {
    let content = #"{"dogs":[{"name":"a"}],"cats":[{"name":"b"}]}"#
    let source = try write("Kennel.json", content)
    #expect(try RealmProgram.run("import", path, source, "--class", "Kennel").status == 0)
    #expect(try lines("Kennel") == [content])
    for (number, content) in [
      #"{"dogs":[{"name":"a"}],"count":1}"#, #"{"dogs":[{"name":"a"}]}{"dogs":[]}"#, #"{"dogs":[1]}"#,
      #"{"dogs":[]}"#,
    ].enumerated() {
      let source = try write("K\(number).json", content)
      #expect(try RealmProgram.run("import", path, source).status == 0)
      #expect(try lines("K\(number)").first?.hasPrefix("{\"dogs\":[") == true)
    }
  }

  @Test func severalClassesComeFromTheStandardInput() throws {
    let content = #"{"Dog":[{"name":"a"}],"Cat":[{"name":"b"}]}"#
    #expect(try RealmProgram.run("import", path, "-", "--format", "json", input: content).status == 0)
    #expect(try lines("Cat") == [#"{"name":"b"}"#])
    let one = try RealmProgram.run("import", path, "-", "--format", "json", input: "{\"a\":1}")
    #expect(one.status == 2)
    #expect(one.error.contains("--class is missing"))
  }

  // MARK: Mistakes

  @Test(arguments: [#"{"":1}"#, #"{"b":{"":1}}"#, #"{"b":[{"":1}]}"#])
  func emptyNamesAreRefusedWithFileAndLine(line: String) throws {
    let source = try write("C.jsonl", "\n\(line)\n")
    let outcome = try RealmProgram.run("import", path, source)
    #expect(outcome.status == 3)
    #expect(
      outcome.error
        == "realm: \(source), line 2: a member of an object has the empty name, which no property can have. Nothing was imported.\n"
    )
  }

  /// The depth is noticed while the source is read: no class is made for each level.
  @Test func objectsThatLieTooDeepAreRefusedWithFileAndLine() throws {
    let deep = String(repeating: "{\"a\":", count: 3_000) + "1" + String(repeating: "}", count: 3_000)
    let source = try write("C.jsonl", "{\"a\":null}\n\(deep)\n")
    let outcome = try RealmProgram.run("import", path, source)
    #expect(outcome.status == 3)
    #expect(
      outcome.error
        == "realm: \(source), line 2: objects lie more than 500 deep within each other. Nothing was imported.\n"
    )
    // A value of any type may be deeper.
    let mixed = try write(
      "D.jsonl",
      "{\"a\":1}\n" + String(repeating: "{\"a\":", count: 900) + "1" + String(repeating: "}", count: 900))
    #expect(try RealmProgram.run("import", path, mixed).status == 0)
    #expect(try RealmProgram.run("schema", path).output == "D\n  a  mixed\n")
  }
}
