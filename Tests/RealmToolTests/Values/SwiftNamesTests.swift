import Foundation
import TestSupport
import Testing

@testable import RealmTool

struct SwiftNamesTests {
  @Test func namesThatSwiftDoesNotHave() {
    let names = SwiftNames(
      ["a", "a.b", "a_b", "class", "self", "1x", "", "é", "日本", "a b", "😀", "_", "`"], .properties)
    let expected = [
      "a": "a", "a.b": "a_b_", "a_b": "a_b", "class": "`class`", "self": "_self", "1x": "_1x", "é": "é",
      "日本": "日本",
      "a b": "a_b__",
    ]
    for (name, identifier) in expected { #expect(names.identifier(name) == identifier) }
    let all = ["", "😀", "_", "`"].map { names.identifier($0) }
    #expect(all.allSatisfy { SwiftNames.isPlain($0) } && Set(all).count == all.count)
    #expect(SwiftNames.literal("a\"b\\\u{1B}\nc") == #""a\"b\\\u{1b}\u{a}c""#)
  }

  @Test func theSchemaMapsThem() throws {
    let folder = ScratchFolder()
    let path = folder.path("odd.realm")
    #expect(
      try RealmProgram.run(
        "import", path, "-", "--class", "my class", "--format", "jsonl",
        input: #"{"a.b":1,"in":2,"say \"hi\"":3}"#
      ).status == 0)
    #expect(
      try RealmProgram.run("schema", path, "--swift").output == #"""
        import Foundation
        import RealmSwift

        class my_class: Object {
          @Persisted var a_b: Int
          @Persisted var `in`: Int
          @Persisted var say__hi_: Int

          override class func _realmObjectName() -> String? { "my class" }

          override class func propertiesMapping() -> [String: String] {
            [
              "a_b": "a.b",
              "say__hi_": "say \"hi\"",
            ]
          }
        }

        """#)
    #expect(
      try RealmProgram.run("query", path, "my class", "--properties", "a.b").output == "{\"a.b\":1}\n")
    #expect(
      try RealmProgram.run("query", path, "my class", #"`a.b` == 1 AND `say "hi"` == 3"#, "--count").output
        == "1\n")
    for words in [["a.b == 1"], ["--sort", "a.b"]] {
      let outcome = try RealmProgram.run(["query", path, "my class"] + words)
      #expect(outcome.status == 2)
      #expect(
        outcome.error.contains("In predicates, 'a.b' of class 'my class' needs backticks"),
        "\(outcome.error)")
    }
  }
}
