import Foundation
import TestSupport
import Testing

/// What was exported is imported, and exported again as it was.
struct ExportTests {
  private let folder = ScratchFolder()

  @Test(arguments: ["schema", "types-small", "collections-small", "world"], ["jsonl", "json", "csv"])
  func roundTrip(sample: String, format: String) throws {
    let path = sample == "world" ? World.path : try World.converted(sample, in: folder)
    let (first, second, again) = (folder.path("first"), folder.path("second"), folder.path("again.realm"))
    #expect(try RealmProgram.run("export", path, "--to", first, "--format", format).status == 0)
    #expect(try RealmProgram.run("import", again, first).error == "")
    #expect(try RealmProgram.run("export", again, "--to", second, "--format", format).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: first).sorted()
    #expect(try FileManager.default.contentsOfDirectory(atPath: second).sorted() == names)
    #expect(names.contains("schema.json"))
    for name in names {
      #expect(
        FileManager.default.contentsEqual(atPath: "\(first)/\(name)", andPath: "\(second)/\(name)"), "\(name)"
      )
    }
    #expect(try RealmProgram.run("diff", path, again) == .init(status: 0))
    #expect(try RealmProgram.run("verify", again).status == 0)
  }

  /// Classes may be called what no file can be called.
  @Test func namesOfClassesAreNoPaths() throws {
    let (path, out) = (folder.path("names.realm"), folder.path("out"))
    for name in ["../../up", "a.b", ".hidden", "100%", "schema"] {
      #expect(
        try RealmProgram.run("import", path, "-", "--class", name, "--format", "jsonl", input: "{\"n\":1}")
          .status == 0)
    }
    #expect(try RealmProgram.run("export", path, "--to", out).status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: out).sorted() == [
        "%2e%2e%2f.%2e%2fup.jsonl", "%2ehidden.jsonl", "100%25.jsonl", "a.b.jsonl", "schema.json",
        "schema.jsonl",
      ])
    let again = folder.path("again.realm")
    #expect(try RealmProgram.run("import", again, out).error == "")
    #expect(try RealmProgram.run("diff", path, again).status == 0)
    // Nor what the schema is called.
    let (json, third) = (folder.path("json"), folder.path("third.realm"))
    #expect(try RealmProgram.run("export", path, "--to", json, "--format", "json").error == "")
    #expect(FileManager.default.fileExists(atPath: "\(json)/%73chema.json"))
    #expect(try RealmProgram.run("import", third, json).error == "")
    #expect(try RealmProgram.run("diff", path, third).status == 0)
  }

  @Test func oneClassToTheStandardOutput() throws {
    let path = try World.small(in: folder)
    #expect(
      try RealmProgram.run("export", path, "--format", "csv").output
        == RealmProgram.run("query", path, "Country", "--format", "csv").output)
    let two = try RealmProgram.run("export", World.path)
    #expect(two.status == 2)
    #expect(two.error.contains("has 2 classes: choose one with --class, or give a folder with --to"))
    let countries = try RealmProgram.run("export", World.path, "--class", "Country")
    #expect(countries.output.split(separator: "\n").count == 252)
    let folder = self.folder.path("there")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    #expect(try RealmProgram.run("export", path, "--to", folder).error.contains("exists already"))
  }
}
