import Foundation
import TestSupport
import Testing

@testable import RealmTool

/// What exports write of values, rows and names.
struct ExportedFieldsTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("data.realm") }

  private func make(_ lines: String, _ words: String...) throws {
    let outcome = try RealmProgram.run(
      ["import", path, "-", "--class", "C", "--format", "jsonl"] + words, input: Data(lines.utf8))
    #expect(outcome.status == 0, "\(outcome)")
  }

  private func export(_ words: String...) throws -> String {
    try RealmProgram.run(["export", path] + words).output
  }

  @Test func decimalsAreInPlainDigits() throws {
    try make("{\"d\":89470000000000001234}{\"d\":1}")
    #expect(try export("--format", "csv") == "d\r\n89470000000000001234\r\n1\r\n")
    #expect(try export() == "{\"d\":\"89470000000000001234\"}\n{\"d\":\"1\"}\n")
  }

  /// Only links name objects by their rows.
  @Test func rowsAreWrittenOnlyOfClassesThatAreLinkedTo() throws {
    let schema = folder.path("schema.json")
    try """
    {"classes":[
      {"name":"Free","properties":[{"name":"n","type":"int"}]},
      {"name":"Linked","properties":[{"name":"n","type":"int"}]},
      {"name":"Any","properties":[{"name":"any","type":"mixed"}]},
      {"name":"C","properties":[{"name":"to","type":"object","class":"Linked"},{"name":"any","type":"mixed"}]}]}
    """.write(toFile: schema, atomically: true, encoding: .utf8)
    try make("{\"to\":{\"n\":1}}", "--schema", schema)
    for name in ["Free", "Any"] {
      #expect(
        try RealmProgram.run(
          "import", path, "-", "--class", name, "--format", "jsonl",
          input: name == "Free" ? "{\"n\":2}" : "{}"
        ).status == 0)
    }
    func first(_ name: String, _ format: String) throws -> Substring {
      try export("--class", name, "--format", format).split(whereSeparator: \.isNewline)[0]
    }
    #expect(try first("Linked", "csv") == "#row,n" && first("Linked", "jsonl") == "{\"$row\":0,\"n\":1}")
    #expect(try first("Free", "csv") == "n" && first("Free", "jsonl") == "{\"n\":2}")
    #expect(try first("C", "csv") == "to,any")
    // A mixed property may link to any class.
    let link = "{\"any\":{\"$class\":\"Free\",\"$key\":{\"n\":5}}}"
    #expect(
      try RealmProgram.run("import", path, "-", "--class", "Any", "--format", "jsonl", input: link).status
        == 0)
    #expect(try first("Free", "csv") == "#row,n" && first("Any", "csv") == "any")
    // What was exported is imported with its links.
    let (out, again) = (folder.path("out"), folder.path("again.realm"))
    #expect(try RealmProgram.run("export", path, "--to", out, "--format", "csv").status == 0)
    #expect(try RealmProgram.run("import", again, out).status == 0)
    #expect(try RealmProgram.run("diff", path, again) == .init(status: 0))
  }

  @Test func formulasAreEscapedOnRequest() throws {
    try make(
      #"{"=a":"=1+2","b":-5,"c":"+x","d":"@y"}{"=a":"\tz","b":7,"c":"\rz","d":"-z"}{"=a":"a=","b":0,"c":"'","d":""}"#
    )
    #expect(
      try export("--format", "csv", "--escape-formulas")
        == "'=a,b,c,d\r\n'=1+2,-5,'+x,'@y\r\n\"'\tz\",7,\"'\rz\",'-z\r\na=,0,',\"\"\r\n")
    let plain = try export("--format", "csv")
    #expect(plain.hasPrefix("=a,b,c,d\r\n=1+2,-5,+x,@y\r\n"), "\(plain)")
    let query = try RealmProgram.run("query", path, "C", "--format", "csv", "--escape-formulas").output
    #expect(query == (try export("--format", "csv", "--escape-formulas")))
    let out = folder.path("out")
    #expect(
      try RealmProgram.run("export", path, "--to", out, "--format", "csv", "--escape-formulas").status == 0)
    #expect(try String(contentsOfFile: out + "/C.csv", encoding: .utf8) == query)
  }

  @Test(arguments: [
    ("a\nb", "a%0ab.csv"), ("a\u{1B}[31m", "a%1b[31m.csv"), ("a\\b", "a%5cb.csv"),
    ("a/../b", "a%2f.%2e%2fb.csv"),
    ("..", "%2e%2e.csv"), ("a\u{85}\u{202E}b", "a%c2%85%e2%80%aeb.csv"), ("é日", "é日.csv"),
    ("50%", "50%25.csv"),
    (".a.b", "%2ea.b.csv"),
  ]) func namesOfFilesHaveNoControlCharactersAndSeparators(className: String, file: String) {
    #expect(ExportedName.file(className, "csv") == file)
    #expect(ExportedName.className(of: file) == className)
  }
}
