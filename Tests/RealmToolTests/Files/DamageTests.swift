import Foundation
import TestSupport
import Testing

/// Files that the disk has damaged: the tool says so, and what to do, whatever it was doing.
struct DamageTests {
  private let folder = ScratchFolder()

  /// A file in which a byte of a stored text is another one.
  private func damaged() throws -> String {
    let path = try World.small(in: folder)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    while let place = bytes.range(of: Data("Iceland".utf8)) { bytes[place.lowerBound] = 0x21 }
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  #if !OWN_PAGES
    /// Where keys are lost in their column and in its index, what was salvaged has no key, and is sound.
    @Test func whatWasSalvagedIsSound() throws {
      let (path, rescued) = (folder.path("keys.realm"), folder.path("rescued.realm"))
      let lines = (0..<3).map { "{\"id\":\"unmistakable\($0)\",\"n\":\($0)}" }.joined()
      let made = try RealmProgram.run(
        "import", path, "-", "--class", "C", "--key-property", "id", "--format", "jsonl", input: lines)
      #expect(made.status == 0)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      while let place = bytes.range(of: Data("unmistakable".utf8)) { bytes[place.lowerBound] = 0x21 }
      try bytes.write(to: URL(fileURLWithPath: path))
      #expect(try RealmProgram.run("verify", path).status == 3)
      let salvage = try RealmProgram.run("salvage", path, rescued)
      #expect(salvage.status == 1)
      #expect(salvage.output.contains("- C.id: objects have the same primary key where theirs are lost"))
      #expect(try RealmProgram.run("verify", rescued).status == 0)
      #expect(
        try RealmProgram.run("query", rescued, "C").output.split(separator: "\n").map { String($0.suffix(6)) }
          == ["\"n\":0}", "\"n\":1}", "\"n\":2}"])
      // The keys can be written again, and the class gets its key back on the way to another file.
      for row in 0..<3 {
        #expect(try RealmProgram.run("set", rescued, "C", "#\(row)", "id=k\(row)").status == 0)
      }
      let again = try RealmProgram.shell(
        "realm query '\(rescued)' C --format jsonl | realm import '\(folder.path("again.realm"))' - --class C --format jsonl --key-property id"
      )
      #expect(again.output.contains("id  string  primary key"), "\(again)")
    }
  #endif

  @Test func truncatedFilesGetAdvice() throws {
    let path = try World.small(in: folder)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #if OWN_PAGES
      // The file has grown ahead. What only reads it finds the end where something is missing.
      let (size, words) = (17_000, "is damaged: ")
    #else
      let (size, words) = (bytes.count / 2, "file is truncated (")
    #endif
    try bytes.prefix(size).write(to: URL(fileURLWithPath: path))
    let outcome = try RealmProgram.run("query", path, "Country")
    #expect(outcome.status == 3)
    #expect(
      outcome.error.contains(words)
        && outcome.error.hasSuffix(
          "\nrealm verify '\(path)' lists what is damaged, and realm salvage '\(path)' NEW copies what is sound to a new file.\n"
        ), "\(outcome)")
  }

  #if !OWN_PAGES
    /// All properties of a class whose columns are missing are one line, and each is an entry of the JSON.
    @Test func equalFaultsAreOneLine() throws {
      let (path, lines) = (
        folder.path("many.realm"),
        (0..<20_000).map {
          "{\"a\":\"text \($0)\",\"b\":\"text \($0)\",\"c\":\"text \($0)\",\"d\":\"text \($0)\"}"
        }
      )
      let made = try RealmProgram.run(
        "import", path, "-", "--class", "Row", "--format", "jsonl", input: lines.joined(separator: "\n"))
      #expect(made.status == 0)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      try bytes.prefix(bytes.count / 4).write(to: URL(fileURLWithPath: path))
      let text = try RealmProgram.run("verify", path)
      let json = try RealmProgram.run("verify", path, "--json")
      #expect(text.status == 3 && json.status == 3)
      let entries = json.output.components(separatedBy: "\"reason\"").count - 1
      let listed = text.output.split(separator: "\n").filter { $0.hasPrefix("- ") }
      #expect(listed.count < entries, "\(text.output)\(json.output)")
      #expect(
        text.output.contains(
          /- Row \(.*c, d\), in rows \d+ to \d+, \d+ faults: it is missing \(values are lost\)/),
        "\(text.output)")
      #expect(Set(listed).count == listed.count)
    }
  #endif

  @Test(arguments: [
    ["query", "%", "Country"], ["aggregate", "%", "Country", "--group-by", "name"],
    ["get", "%", "Country", "IS"], ["export", "%", "--to", "OUT"],
    ["export", "%", "--to", "OUT", "--format", "sqlite"], ["diff", "%", "%"],
  ]) func whatReadsDamageEndsInOrder(words: [String]) throws {
    let path = try damaged()
    let words = words.map { $0 == "%" ? path : $0 == "OUT" ? folder.path("out") : $0 }
    let outcome = try RealmProgram.run(words)
    #expect(outcome.status == 3, "\(outcome)")
    #if OWN_PAGES
      // A small file is one node, without which nothing can be read.
      let advice = "realm salvage '\(path)' NEW"
    #else
      let advice = "realm salvage FILE NEW"
    #endif
    #expect(outcome.error.contains("damaged") && outcome.error.contains(advice))
    #expect(outcome.error.contains("realm verify"))
    // The lock file belongs to the file.
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(left.filter { !$0.hasSuffix("-lock") } == ["small.realm"])
  }
}
