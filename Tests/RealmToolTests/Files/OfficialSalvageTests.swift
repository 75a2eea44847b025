import Foundation
import TestSupport
import Testing

struct OfficialSalvageTests {
  private let folder = ScratchFolder()
  private let sample = Repository.folder.appending(
    path: "Tests/OfficialFilesTests/Samples/Files/schema.realm")

  private func damagedFile() throws -> String {
    var bytes = [UInt8](try Data(contentsOf: sample))
    // The node of the class Address.
    for place in 3_992..<4_032 { bytes[place] = 0 }
    let path = folder.path("damaged.realm")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func whatIsSoundInADamagedOfficialFileIsBroughtOver() throws {
    let damaged = try damagedFile()
    let refused = try RealmProgram.run("convert", damaged, folder.path("converted.realm"))
    #expect(refused.status == 3)
    #expect(refused.error.contains("realm salvage '\(damaged)' NEW"), "\(refused.error)")
    let rescued = folder.path("rescued.realm")
    let outcome = try RealmProgram.run("salvage", damaged, rescued)
    #expect(outcome.status == 1, "\(outcome.error)")
    #expect(
      outcome.output.contains(
        """
        - Address: lost the class and its objects: a reference leads to no sound node (byte 1528)
        - Person.address: lost the property with its values
        """), "\(outcome.output)")
    #expect(try RealmProgram.run("verify", rescued).status == 0)
    let schema = try RealmProgram.run("schema", rescued).output
    #expect(schema.contains("Person\n") && !schema.contains("Address"))
  }

  @Test func aSoundOfficialFileLosesNothing() throws {
    let outcome = try RealmProgram.run("salvage", sample.path, folder.path("whole.realm"))
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.output.contains(": 0 faults."), "\(outcome.output)")
  }

  @Test func aFileWithoutItsHeaderIsRefused() throws {
    var bytes = [UInt8](try Data(contentsOf: sample))
    for place in 0..<16 { bytes[place] = 0x55 }
    let path = folder.path("headless.realm")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let outcome = try RealmProgram.run("salvage", path, folder.path("nothing.realm"))
    #expect(outcome.status == 3 && outcome.error.contains(path), "\(outcome.error)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("nothing.realm")))
  }
}
