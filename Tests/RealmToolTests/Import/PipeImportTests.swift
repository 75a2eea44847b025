import Foundation
import TestSupport
import Testing

/// Sources that can be read only once give what the same files give.
struct PipeImportTests {
  private let folder = ScratchFolder()
  private static let sources = [
    "jsonl": "{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n",
    "json": "[{\"id\":1,\"name\":\"a\"},{\"id\":2,\"name\":\"b\"}]",
    "csv": "id,name\n1,a\n2,b\n",
  ]

  private func objects(_ path: String) throws -> String {
    try RealmProgram.run("query", path, "Item", "--sort", "id", "--format", "jsonl").output
  }

  /// SOURCE is the file with the content, REALM the file that is imported to.
  @Test(
    arguments: [
      "realm import REALM <(cat SOURCE) --class Item --format FORMAT",
      "cat SOURCE | realm import REALM /dev/stdin --class Item --format FORMAT",
      "cat SOURCE | realm import REALM - --class Item --format FORMAT",
      "realm import REALM /dev/stdin --class Item --format FORMAT < SOURCE",
      "mkfifo Item.FORMAT; (cat SOURCE > Item.FORMAT &); realm import REALM Item.FORMAT",
    ], ["jsonl", "json", "csv"]) func pipesAreReadOnce(line: String, format: String) throws
  {
    try Self.sources[format]!.write(
      toFile: folder.path("source"), atomically: true, encoding: .utf8)
    let new = folder.path("new.realm")
    // Into a file whose classes are known, in another order, and into a new one.
    let known = folder.path("known.realm")
    let made = try RealmProgram.run(
      "import", known, "-", "--class", "Item", "--format", "jsonl", "--key-property", "id",
      input: "{\"id\":7,\"name\":\"z\"}")
    #expect(made.status == 0)
    for path in [new, known] {
      let words = line.replacing("FORMAT", with: format).replacing("SOURCE", with: folder.path("source"))
        .replacing("REALM", with: path)
      let outcome = try RealmProgram.shell("cd '\(folder.url.path)'; rm -f Item.*; " + words)
      #expect(outcome.status == 0 && outcome.output.contains("Item: 2 objects added"), "\(outcome)")
    }
    #expect(try objects(new) == "{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n")
    #expect(
      try objects(known)
        == "{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n{\"id\":7,\"name\":\"z\"}\n")
  }

  @Test func whatAPipeCannotSayIsAskedFor() throws {
    let path = folder.path("new.realm")
    let noClass = try RealmProgram.shell("echo '{}' | realm import '\(path)' /dev/stdin --format json")
    #expect(noClass.status == 2 && noClass.error.contains("--class is missing"), "\(noClass)")
    let twice = try RealmProgram.shell(
      "echo '{\"a\":1}' | realm import '\(path)' /dev/stdin - --class C --format json")
    #expect(twice.status == 2 && twice.error.contains("are the same pipe"), "\(twice)")
    let noRoom = try RealmProgram.shell(
      "echo '{\"a\":1}' | TMPDIR=/nowhere realm import '\(path)' - --class C --format json")
    #expect(noRoom.status == 3 && noRoom.error.contains("temporary file in '/nowhere'"), "\(noRoom)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
