import Foundation
import TestSupport
import Testing

/// Sources that `realm import` cannot read: the message says what to do instead.
struct SourceAdviceTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("new.realm") }

  private func write(_ name: String, _ content: String) throws -> String {
    try Data(content.utf8).write(to: folder.file(name))
    return folder.path(name)
  }

  @Test(arguments: [
    ("gzip -c", "gz", "zcat"), ("bzip2 -c", "bz2", "bzcat"), ("xz -c", "xz", "xzcat"),
    ("zstd -qc", "zst", "zstdcat"),
  ]) func compressedSourcesAreNamed(program: String, ending: String, advice: String) throws {
    let source = try write("C.jsonl", #"{"a":1}"#)
    let packed = folder.path("C.jsonl.\(ending)")
    let command = program.prefix { $0 != " " }
    let made = try RealmProgram.shell(
      "command -v \(command) >/dev/null || exit 9; \(program) '\(source)' > '\(packed)'")
    if made.status == 9 {
      // Not every system has all of them: the names are enough then.
      try Data().write(to: folder.file("C.jsonl.\(ending)"))
    }
    let byName = try RealmProgram.run("import", path, packed)
    #expect(byName.status == 2)
    #expect(
      byName.error.hasPrefix(
        "realm: '\(packed)' is compressed: decompress it, as in \(advice) '\(packed)' | realm import FILE - --class C --format jsonl.\n"
      ), "\(byName)")
    if made.status == 9 { return }
    for form in ["json", "jsonl", "csv"] {
      let byContent = try RealmProgram.run("import", path, packed, "--format", form)
      #expect(byContent.status == 3)
      #expect(
        byContent.error.hasPrefix("realm: \(packed), line 1: it is compressed with ")
          && byContent.error.contains("as in \(advice) SOURCE | realm import FILE - "), "\(byContent)")
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    let piped = try RealmProgram.shell(
      "\(program.replacing(" -", with: " -d")) '\(packed)' | realm import '\(path)' - --class C --format jsonl"
    )
    #expect(piped.status == 0, "\(piped)")
  }

  @Test func swappedArgumentsAreRecognised() throws {
    let source = try write("C.jsonl", #"{"a":1}"#)
    let small = try World.small(in: folder, "world.database")
    for file in [folder.path("new.realm"), small] {
      let outcome = try RealmProgram.run("import", source, file)
      #expect(outcome.status == 2)
      #expect(
        outcome.error.hasPrefix(
          "realm: the Realm file comes first: realm import '\(file)' '\(source)'.\n"), "\(outcome)")
    }
    #expect(try String(contentsOfFile: source, encoding: .utf8) == #"{"a":1}"#)
  }

  /// The letters with which compressed files begin can begin a text.
  @Test(arguments: ["BZh", "BZh9", "BZhang"]) func aTextIsNoCompressedFile(name: String) throws {
    let outcome = try RealmProgram.run(
      "import", folder.path("text.realm"), "-", "--class", "C", "--format", "csv", input: "\(name),b\n1,2\n")
    #expect(outcome.status == 0, "\(outcome)")
  }
}
