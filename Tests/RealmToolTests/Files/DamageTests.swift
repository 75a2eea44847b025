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

  @Test func truncatedFilesGetAdvice() throws {
    let path = try World.small(in: folder)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // The file has grown ahead. What only reads it finds the end where something is missing.
    let (size, words) = (17_000, "is damaged: ")
    try bytes.prefix(size).write(to: URL(fileURLWithPath: path))
    let outcome = try RealmProgram.run("query", path, "Country")
    #expect(outcome.status == 3)
    #expect(
      outcome.error.contains(words)
        && outcome.error.hasSuffix(
          "\nrealm verify '\(path)' lists what is damaged, and realm salvage '\(path)' NEW copies what is sound to a new file.\n"
        ), "\(outcome)")
  }

  @Test(arguments: [
    ["query", "%", "Country"], ["aggregate", "%", "Country", "--group-by", "name"],
    ["get", "%", "Country", "IS"], ["export", "%", "--to", "OUT"],
    ["export", "%", "--to", "OUT", "--format", "sqlite"], ["diff", "%", "%"],
  ]) func whatReadsDamageEndsInOrder(words: [String]) throws {
    let path = try damaged()
    let words = words.map { $0 == "%" ? path : $0 == "OUT" ? folder.path("out") : $0 }
    let outcome = try RealmProgram.run(words)
    #expect(outcome.status == 3, "\(outcome)")
    // A small file is one node, without which nothing can be read.
    let advice = "realm salvage '\(path)' NEW"
    #expect(outcome.error.contains("damaged") && outcome.error.contains(advice))
    #expect(outcome.error.contains("realm verify"))
    // The lock file belongs to the file.
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(left.filter { !$0.hasSuffix("-lock") } == ["small.realm"])
  }
}
