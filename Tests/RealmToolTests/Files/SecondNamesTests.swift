import Foundation
import TestSupport
import Testing

/// File systems that have no second names for files, and can not rename one only when nothing is there.
struct SecondNamesTests {
  private let folder = ScratchFolder()

  private func run(_ line: String, _ error: Int32) throws -> RealmProgram.Outcome {
    let variables = FailingCalls.environment("link,renameat2", error: error, in: folder.url.path)
      .map { "\($0)='\($1)'" }.joined(separator: " ")
    return try RealmProgram.shell("\(variables) realm \(line)")
  }

  @Test(
    arguments: [
      "convert '\(World.official("schema"))' OUT", "copy '\(World.path)' OUT",
      "import OUT '\(World.countries)' --class Country", "export '\(World.path)' --to OUT",
      "export '\(World.path)' --to OUT --format sqlite",
    ], [EPERM, ENOSYS, EOPNOTSUPP])
  func newFiles(line: String, error: Int32) throws {
    let out = folder.path("out")
    let line = line.replacing("OUT", with: "'\(out)'")
    let outcome = try run(line, error)
    #expect(outcome.status == 0, "\(outcome)")
    let isRealm = !line.hasPrefix("export")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names == ["out"])
    if isRealm { #expect(try RealmProgram.run("verify", out).status == 0) }
    // What is there stays.
    if line.hasPrefix("import") { return }
    let again = try run(line, error)
    #expect(again.status == 3 && again.error.contains("exists already"), "\(again)")
  }
}
