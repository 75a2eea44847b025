import Foundation
import TestSupport
import Testing

@testable import RealmTool

/// copy, compact, encrypt, decrypt and convert.
struct CopyTests {
  private func key(_ folder: ScratchFolder, _ name: String = "key") throws -> String {
    try Data((0..<64).map { UInt8($0) ^ UInt8(name.utf8.count) }).write(to: folder.file(name))
    return folder.path(name)
  }

  @Test func copiesAreEqual() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let copy = folder.path("copy.realm")
    #expect(
      try RealmProgram.run("copy", path, copy) == .init(status: 0, output: "Copied 3 objects to '\(copy)'.\n")
    )
    #expect(try RealmProgram.run("diff", path, copy) == .init(status: 0))
    let again = try RealmProgram.run("copy", path, copy)
    #expect(
      again.status == 3
        && again.error == "realm: '\(copy)' exists already: use another name, or delete it first.\n")
  }

  @Test func encryptedAndBack() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let (secret, plain) = (folder.path("secret.realm"), folder.path("plain.realm"))
    let key = try key(folder)
    #expect(try RealmProgram.run("encrypt", path, secret, "--key-file", key).status == 0)
    #expect(try !Data(contentsOf: URL(fileURLWithPath: secret)).contains(Data("Iceland".utf8)))
    let without = try RealmProgram.run("query", secret, "Country")
    #expect(without.status == 3)
    #expect(without.error.contains("Name the file with its key: --key-file KEYFILE"), "\(without.error)")
    let needless = try RealmProgram.run("query", path, "Country", "--key-file", key)
    #expect(needless.status == 3 && needless.error.contains("Leave the key out."), "\(needless.error)")
    // Both ways round.
    for words in [
      ["diff", secret, path, "--key-file", key, "--other-key-file", "none"],
      ["diff", path, secret, "--other-key-file", key],
    ] { #expect(try RealmProgram.run(words) == .init(status: 0)) }
    #expect(
      try RealmProgram.run("query", secret, "Country", "--key-file", try self.key(folder, "other")).status
        == 3)
    #expect(try RealmProgram.run("query", secret, "Country", "--count", "--key-file", key).output == "3\n")
    // Hexadecimal digits do, too.
    let digits = folder.path("digits")
    try Data(contentsOf: URL(fileURLWithPath: key)).map { String(format: "%02X", $0) }.joined()
      .appending("\n").write(toFile: digits, atomically: true, encoding: .utf8)
    #expect(
      try RealmProgram.run("info", secret, "--key-file", digits).output.contains("key:      encrypted\n"))
    #expect(try RealmProgram.run("decrypt", secret, plain, "--key-file", key).status == 0)
    #expect(try RealmProgram.run("diff", path, plain).status == 0)
    let short = folder.path("short")
    try "1234".write(toFile: short, atomically: true, encoding: .utf8)
    let outcome = try RealmProgram.run("info", secret, "--key-file", short)
    #expect(outcome.status == 3)
    #expect(outcome.error.contains("it has 4 bytes, and needs 64, or 128 hexadecimal digits"))
    #expect(
      try RealmProgram.run("info", secret, "--key-file", folder.path("none")).error.contains("No such file"))
  }

  @Test func aFileInUseIsNotCompacted() throws {
    let folder = ScratchFolder()
    let path = folder.path("world.realm")
    try FileManager.default.copyItem(atPath: World.path, toPath: path)
    #expect(
      try RealmProgram.run("delete", path, "City", "--where", "population > 20000", "--yes").status == 0)
    let watcher = try RunningTool("watch", path)
    _ = watcher.firstNote()
    let inUse = try RealmProgram.run("compact", path)
    #expect(inUse.status == 3 && inUse.error.contains("is open in another process and was not changed"))
    watcher.signal(SIGINT)
    #expect(watcher.end() == 128 + SIGINT)
    func size() throws -> String {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return Numbers.bytes(attributes[.size] as! Int)
    }
    let before = try size()
    let done = try RealmProgram.run("compact", path)
    #expect(done.status == 0)
    #expect(done.output == "Compacted '\(path)' from \(before) to \(try size()).\n")
    #expect(try RealmProgram.run("verify", path).status == 0)
    #expect(try RealmProgram.run("compact", folder.path("none.realm")).status == 3)
  }

  @Test func officialFilesAreConverted() throws {
    let folder = ScratchFolder()
    let new = folder.path("new.realm")
    #expect(
      try RealmProgram.run("convert", World.official("schema"), new)
        == .init(
          status: 0,
          output: """
            Converted 65 objects to '\(new)'.
            Left out: class 'Event' with 3 objects, which is for a server only.
            Left out: 1 table of the engine or of sync, which is no class: 'private_table'.

            """))
    #expect(try RealmProgram.run("verify", new).status == 0)
    #expect(try RealmProgram.run("convert", World.official("schema"), new).status == 3)
    let own = try RealmProgram.run("convert", new, folder.path("x.realm"))
    #expect(own.status == 3 && own.error.contains("realm copy copies it"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("x.realm")))
  }

  @Test func stoppedNothingIsLeft() throws {
    let folder = ScratchFolder()
    // As large as it takes to be stopped within: the reader of a fifo waits for its writer.
    let fifo = folder.path("City.jsonl")
    #expect(mkfifo(fifo, 0o600) == 0)
    let tool = try RunningTool("import", folder.path("new.realm"), fifo)
    let writer = tool.openToWrite(fifo)
    _ = write(writer, "{\"id\":1}\n", 9)
    tool.signal(SIGINT)
    #expect(tool.end() == 128 + SIGINT)
    close(writer)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["City.jsonl"])
  }
}
