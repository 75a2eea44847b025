import Foundation
import TestSupport
import Testing

/// Names and numbers that could be taken for others: nothing of them is lost silently.
struct ImportedNamesTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("new.realm") }
  // The same for Unicode, and for texts of Swift.
  private static let composed = "\u{E9}"
  private static let decomposed = "e\u{301}"

  private func run(
    _ content: String, _ form: String = "jsonl", _ options: String...
  ) throws
    -> RealmProgram.Outcome
  {
    try RealmProgram.run(
      ["import", path, "-", "--class", "C", "--format", form] + options, input: Data(content.utf8))
  }

  private func expectRefusal(
    _ content: String, _ message: String, form: String = "jsonl", _ place: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try run(content, form)
    #expect(outcome.status == 3, sourceLocation: place)
    #expect(outcome.error.contains(message), "\(outcome.error)", sourceLocation: place)
    #expect(!FileManager.default.fileExists(atPath: path), sourceLocation: place)
  }

  @Test func keysOfDictionariesAreTheirBytes() throws {
    let schema = folder.path("schema.json")
    try
      #"{"classes":[{"name":"C","properties":[{"name":"m","type":"int","collection":"map"},{"name":"a","type":"mixed"}]}]}"#
      .write(toFile: schema, atomically: true, encoding: .utf8)
    let entries = "{\"\(Self.composed)\":1,\"\(Self.decomposed)\":2}"
    let outcome = try run("{\"m\":\(entries),\"a\":\(entries)}", "jsonl", "--schema", schema)
    #expect(outcome.error == "")
    let found = Data(try RealmProgram.run("query", path, "C").output.utf8)
    let sorted = "{\"\(Self.decomposed)\":2,\"\(Self.composed)\":1}"
    #expect(found == Data("{\"m\":\(sorted),\"a\":\(sorted)}\n".utf8))
    // What differs in one entry only is different.
    let other = "{\"\(Self.composed)\":1,\"\(Self.decomposed)\":3}"
    #expect(try run("{\"m\":\(other)}", "jsonl").status == 0)
  }

  /// Nor are values the same that only look so: an update writes them, and a comparison tells them.
  @Test func valuesAreTheirBytes() throws {
    let other = folder.path("other.realm")
    for (file, text, number) in [(path, Self.composed, "0.0"), (other, Self.decomposed, "-0.0")] {
      let line =
        "{\"id\":1,\"s\":\"\(text)\",\"l\":[\"\(text)\"],\"m\":[\"\(text)\",1],\"d\":\(number),\"n\":1.5}"
      for target in Set([path, file]) {
        let outcome = try RealmProgram.run(
          "import", target, "-", "--class", "C", "--format", "jsonl", "--key-property", "id", "--update",
          "modified", input: line)
        #expect(outcome.status == 0)
        if target != file { #expect(outcome.output.contains("0 objects added, 1 updated"), "\(outcome)") }
      }
      if file == path { try FileManager.default.copyItem(atPath: path, toPath: folder.path("first.realm")) }
    }
    #expect(try RealmProgram.run("diff", path, other) == .init(status: 0))
    let difference = try RealmProgram.run("diff", folder.path("first.realm"), path)
    #expect(difference.status == 1)
    for name in ["s", "l", "m", "d"] { #expect(difference.output.contains(" \(name): "), "\(difference)") }
    #expect(!difference.output.contains(" n: "))
  }

  @Test func propertiesThatLookTheSame() throws {
    let message = "Class 'C' would have two properties"
    try expectRefusal("{\"\(Self.composed)\":1,\"\(Self.decomposed)\":2}", message)
    try expectRefusal("{\"\(Self.composed)\":1}{\"\(Self.decomposed)\":2}", message)
    try expectRefusal("\(Self.composed),\(Self.decomposed)\n1,2\n", message, form: "csv")
    #expect(try run("{\"\(Self.composed)\":1}").status == 0)
    let outcome = try run("{\"\(Self.decomposed)\":1}")
    #expect(outcome.status == 3)
    #expect(outcome.error.contains("but one that looks the same, of other characters of Unicode"))
  }

  /// No file has two such names. Of two files they are different ones.
  @Test func namesOfTwoFilesThatLookTheSame() throws {
    let (first, second) = (folder.path("first.realm"), folder.path("second.realm"))
    for (file, name) in [(first, Self.composed), (second, Self.decomposed)] {
      for className in ["C", name] {
        let outcome = try RealmProgram.run(
          "import", file, "-", "--class", className, "--format", "jsonl", input: "{\"\(name)\":1}")
        #expect(outcome.error == "")
      }
    }
    let lines = try RealmProgram.run("diff", first, second).output.split(separator: "\n").map {
      Data($0.utf8)
    }
    #expect(
      lines.prefix(2) == [
        Data("+ class C.\(Self.decomposed)  int".utf8), Data("- class C.\(Self.composed)  int".utf8),
      ])
    #expect(
      lines.suffix(2) == [Data("+ class \(Self.decomposed)".utf8), Data("- class \(Self.composed)".utf8)])
    // Whoever types it in another way means the one that is there.
    #expect(try RealmProgram.run("query", first, Self.decomposed, "--count").output == "1\n")
    let refused = try RealmProgram.run(
      "import", first, "-", "--class", "D", "--format", "jsonl",
      input: "{\"\(Self.composed)\":1,\"\(Self.decomposed)\":2}")
    #expect(refused.status == 3 && refused.error.contains("rename one of them"), "\(refused)")
  }

  @Test func namesThatComeTwice() throws {
    try expectRefusal("{\"a\":1}\n{\"a\":1,\n\"a\":2}", "line 3: the name 'a' is there twice in one object")
    try expectRefusal("{\"a\":{\"b\":1,\"b\":1}}", "line 1: the name 'b' is there twice in one object")
    let many = (0..<40).map { "\"k\($0)\":1" }.joined(separator: ",")
    try expectRefusal("{\(many),\"k39\":2}", "the name 'k39' is there twice in one object")
  }

  // MARK: Numbers

  @Test func numbersThatAreTooLarge() throws {
    try expectRefusal(
      "{\"a\":1e400}",
      "property 'a' of class 'C' is of type double: 1e400 is not valid, since it is too large")
    try expectRefusal("{\"a\":[1,\"x\",1e400]}", "1e400 is not a value, since it is too large")
    #expect(try run("{\"a\":1,\"f\":0.5}").status == 0)
    let integer = try run("{\"a\":9223372036854775808,\"f\":1}")
    #expect(integer.status == 3)
    #expect(
      integer.error.contains(
        "property 'a' of class 'C' is of type int: 9223372036854775808 is not valid, since 64 bits do not hold it"
      )
    )
    #expect(try RealmProgram.run("set", path, "C", "#0", "f=1e400").status == 2)
    // These are values, which exports write.
    #expect(try RealmProgram.run("set", path, "C", "#0", "f=-inf").status == 0)
    #expect(try RealmProgram.run("query", path, "C").output == "{\"a\":1,\"f\":\"-inf\"}\n")
  }

  @Test(arguments: ["jsonl", "csv"]) func integersBeyond64BitsAreDecimals(form: String) throws {
    let content =
      form == "csv"
      ? "a,b\n18446744073709551615,1.5\n2,2\n"
      : "{\"a\":18446744073709551615,\"b\":1.5}{\"a\":2,\"b\":2}"
    let outcome = try run(content, form)
    #expect(outcome.output.hasPrefix("Inferred:\nC\n  a  decimal128\n  b  double\n"), "\(outcome)")
    #expect(
      try RealmProgram.run("query", path, "C").output
        == "{\"a\":\"18446744073709551615\",\"b\":1.5}\n{\"a\":\"2\",\"b\":2.0}\n")
    let digits = String(repeating: "1", count: 35)
    #expect(try run("{\"a\":\(digits),\"b\":1}").error.contains("since it has more than 34 digits"))
  }

  /// No number type holds them: a refusal of the type that was inferred would help nobody.
  @Test(arguments: [
    String(repeating: "1", count: 35), "-" + String(repeating: "9", count: 40), "1e999", "-1e999",
  ])
  func numbersTooLargeForAnyTypeAreTextInCSV(number: String) throws {
    let outcome = try run("a,b\n\(number),1\n7,2\n", "csv")
    #expect(outcome.output.hasPrefix("Inferred:\nC\n  a  string\n  b  int\n"), "\(outcome)")
    #expect(
      try RealmProgram.run("query", path, "C").output
        == "{\"a\":\"\(number)\",\"b\":1}\n{\"a\":\"7\",\"b\":2}\n")
  }

  // MARK: Nothing at all

  @Test func sourcesWithoutObjects() throws {
    try expectRefusal("", "there are no objects to infer the properties of class 'C' from")
    try expectRefusal("[]", "there are no objects", form: "json")
    try expectRefusal("a,b\n", "describe the class with --schema", form: "csv")
    let empty = folder.path("empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
    let outcome = try RealmProgram.run("import", path, empty)
    #expect(outcome.status == 3)
    #expect(outcome.error.contains("The folder '\(empty)' has nothing to import"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func objectsWithoutKeysComeAgain() throws {
    #expect(try run("{\"a\":1}").error == "")
    #expect(
      try run("{\"a\":1}").error.hasPrefix("Class 'C' has no primary key: its objects were added"))
  }
}
