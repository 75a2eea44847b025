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

  @Test(arguments: [
    ["query", "%", "Country"], ["get", "%", "Country", "IS"], ["export", "%", "--to", "OUT"],
    ["export", "%", "--to", "OUT", "--format", "sqlite"], ["diff", "%", "%"],
  ]) func whatReadsDamageEndsInOrder(words: [String]) throws {
    let path = try damaged()
    let words = words.map { $0 == "%" ? path : $0 == "OUT" ? folder.path("out") : $0 }
    let outcome = try RealmProgram.run(words)
    #expect(outcome.status == 3, "\(outcome)")
    #expect(outcome.error.contains("damaged") && outcome.error.contains("realm salvage FILE NEW"))
    // The lock file belongs to the file.
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(left.filter { !$0.hasSuffix("-lock") } == ["small.realm"])
  }
}
