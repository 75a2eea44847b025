import Foundation
import TestSupport
import Testing

/// What the tool makes of a file is for the users of that file, and has its key.
struct FileUsersTests {
  private let folder = ScratchFolder()

  private func mode(_ name: String) -> mode_t? {
    var information = stat()
    return stat(folder.path(name), &information) == 0 ? information.st_mode & 0o7777 : nil
  }

  private func key(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: folder.file(name))
    return folder.path(name)
  }

  @Test(arguments: [0o600, 0o640] as [mode_t]) func filesHaveThePermissionsOfTheirSource(bits: mode_t) throws
  {
    let path = try World.small(in: folder)
    #expect(chmod(path, bits) == 0)
    let key = try key("key", [UInt8](repeating: 7, count: 64))
    func run(_ words: String...) throws {
      let outcome = try RealmProgram.run(words)
      #expect(outcome.status == 0, "\(outcome)")
    }
    try run("copy", path, folder.path("copy"))
    try run("encrypt", path, folder.path("encrypt"), "--key-file", key)
    try run("decrypt", folder.path("encrypt"), folder.path("decrypt"), "--key-file", key)
    try run("salvage", path, folder.path("salvage"))
    try run("export", path, "--to", folder.path("sqlite"), "--format", "sqlite")
    try run("export", path, "--to", folder.path("folder"))
    try run("compact", path)
    for name in ["copy", "encrypt", "decrypt", "salvage", "sqlite", "small.realm", "small.realm-lock"] {
      #expect(mode(name) == bits, "\(name)")
    }
    #expect(mode("folder") == bits | (bits >> 2 & 0o111))
    for name in ["Country.jsonl", "schema.json"] { #expect(mode("folder/\(name)") == bits, "\(name)") }
  }

  @Test func convertedFilesHaveThePermissionsOfTheirSource() throws {
    try FileManager.default.copyItem(atPath: World.official("schema"), toPath: folder.path("old.realm"))
    #expect(chmod(folder.path("old.realm"), 0o600) == 0)
    #expect(try RealmProgram.run("convert", folder.path("old.realm"), folder.path("new.realm")).status == 0)
    #expect(mode("new.realm") == 0o600)
  }

  /// Nothing that was encrypted becomes plain text unless that is asked for.
  @Test func copiesAndConvertedFilesKeepTheirKey() throws {
    let old = World.official("encrypted-small")
    let own = try key("own", (0..<64).map { UInt8(($0 * 7 + 13) & 255) })
    let other = try key("other", [UInt8](repeating: 9, count: 64))
    let converted = folder.path("convert-kept")
    for (command, source) in [("convert", old), ("copy", converted)] {
      for (name, words) in [
        ("kept", []), ("changed", ["--new-key-file", other]), ("plain", ["--new-key-file", "none"]),
      ] {
        let outcome = try RealmProgram.run(
          [command, source, folder.path("\(command)-\(name)"), "--key-file", own] + words)
        #expect(outcome.status == 0, "\(outcome)")
      }
      for (name, words) in [
        ("kept", ["--key-file", own]), ("changed", ["--key-file", other]), ("plain", []),
      ] {
        let path = folder.path("\(command)-\(name)")
        #expect(try RealmProgram.run(["schema", path] + words).output.contains("AllTypes"), "\(path)")
        let isPlain = try RealmProgram.run("schema", path).status == 0
        #expect(isPlain == (name == "plain"), "\(path)")
      }
    }
  }
}
