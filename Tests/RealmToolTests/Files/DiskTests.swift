import Foundation
import TestSupport
import Testing

/// Disks that are full, and files that others write to.
struct DiskTests {
  private let folder = ScratchFolder()

  /// A limit of what a process may write to a file stands for a disk that is full.
  @Test(arguments: [
    "export '%' --to OUT --format csv", "export '%' --to OUT --format sqlite", "copy '%' OUT",
    "export '%' --to OUT",
    "import OUT CITIES --class City",
  ]) func nothingIsLeftOnAFullDisk(line: String) throws {
    let line = line.replacing("%", with: World.path).replacing("OUT", with: folder.path("out"))
      .replacing("CITIES", with: World.cities)
    let outcome = try RealmProgram.shell("ulimit -f 1000; realm \(line)")
    #expect(outcome.status == 3, "\(outcome)")
    #expect(outcome.error.hasPrefix("realm: "))
    #expect(
      outcome.error.contains("File too large") || outcome.error.contains("disk")
        || outcome.error.contains("full"), "\(outcome.error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    #expect(try RealmProgram.shell("realm \(line)").status == 0)
  }

  @Test func aFullDiskLeavesTheFileAsItWas() throws {
    let path = folder.path("world.realm")
    _ = try World.small(in: folder, "world.realm")
    let before = try RealmProgram.run("query", path, "Country").output
    let outcome = try RealmProgram.shell(
      "ulimit -f 1000; realm import '\(path)' '\(World.cities)' --class City")
    #expect(outcome.status == 3)
    #expect(try RealmProgram.run("query", path, "Country").output == before)
    #expect(try RealmProgram.run("schema", path).output.contains("City") == false)
    #expect(try RealmProgram.run("verify", path).status == 0)
  }

  /// The next transaction uses the space of what was written of one that failed.
  @Test func theSpaceOfATransactionThatFailedIsFree() throws {
    let path = try World.small(in: folder, "world.realm")
    let other = try World.small(in: folder, "other.realm")
    func size(_ path: String) throws -> Int {
      try URL(fileURLWithPath: path).resourceValues(forKeys: [.fileSizeKey]).fileSize!
    }
    let outcome = try RealmProgram.shell(
      "ulimit -f 2000; realm import '\(path)' '\(World.cities)' --class City")
    #expect(outcome.status == 3)
    #expect(try RealmProgram.run("verify", path).status == 0)
    for path in [path, other] {
      #expect(try RealmProgram.run("import", path, World.cities, "--class", "City").status == 0)
    }
    #expect(try size(path) <= size(other) + 64_000)
    #expect(try RealmProgram.run("verify", path).status == 0)
  }

  /// Without space for a lock file, files can be read all the same, as long as nobody writes to them.
  @Test func aFullDiskCanBeRead() throws {
    let path = try World.small(in: folder, "world.realm")
    for command in ["query '\(path)' Country --count", "info '\(path)'", "verify '\(path)'"] {
      try? FileManager.default.removeItem(atPath: path + "-lock")
      // The limit is not for pipes.
      let outcome = try RealmProgram.shell(
        "set -o pipefail; (ulimit -f 0; realm \(command) 2>&1) | cat")
      #expect(outcome.status == 0 && outcome.output != "", "\(outcome)")
    }
    try? FileManager.default.removeItem(atPath: path + "-lock")
    let watcher = try RunningTool("watch", path)
    #expect(watcher.firstNote().contains("Watching"))
    try FileManager.default.removeItem(atPath: path + "-lock")
    let used = try RealmProgram.shell("set -o pipefail; (ulimit -f 0; realm info '\(path)' 2>&1) | cat")
    #expect(used.status == 3 && used.output.contains("another lock file"), "\(used)")
  }

  /// Whoever exports while others write sees one version: whole transactions, that is.
  @Test func aFileThatGrows() throws {
    let path = folder.path("growing.realm")
    func batch(_ number: Int) throws -> String {
      let lines = (0..<100).map { "{\"id\":\(number * 100 + $0),\"batch\":\(number)}" }.joined(
        separator: "\n")
      try lines.write(to: folder.file("batch\(number).jsonl"), atomically: true, encoding: .utf8)
      return folder.path("batch\(number).jsonl")
    }
    _ = try RealmProgram.run("import", path, try batch(0), "--class", "C", "--key-property", "id")
    let batches = try (1...15).map { "'\(try batch($0))'" }.joined(separator: " ")
    let writer = try ChildProgram([
      "/bin/bash", "-c",
      "for batch in \(batches); do '\(RealmProgram.executable.path)' import '\(path)' $batch --class C >/dev/null || exit; done",
    ])
    var counts: [Int] = []
    while writer.isRunning || counts.last != 1600 {
      let outcome = try RealmProgram.run("export", path, "--class", "C")
      #expect(outcome.error == "")
      counts.append(outcome.output.split(separator: "\n").count)
      guard outcome.status == 0, counts.count < 1000 else { break }
    }
    #expect(writer.wait() == .exit(0))
    #expect(counts.allSatisfy { $0 % 100 == 0 } && counts == counts.sorted())
    #expect(counts.last == 1600)
    #expect(try RealmProgram.run("verify", path).status == 0)
  }

  @Test func interruptedNothingIsLeft() throws {
    // The output of this export is read by nobody, so that it cannot end before it is interrupted.
    let fifo = folder.path("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    let source = folder.path("source.jsonl")
    #expect(mkfifo(source, 0o600) == 0)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      let tool = try RunningTool(
        "import", folder.path("new.realm"), source, "--class", "C", "--key-property", "id")
      let writer = tool.openToWrite(source)
      #expect(write(writer, "{\"id\":1}\n{\"id\":", 15) == 15)
      tool.signal(signal)
      #expect(tool.end() == 128 + signal)
      close(writer)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
        "fifo", "source.jsonl",
      ])
  }

  /// What is stopped while it writes a whole file takes away what it has begun, and nothing of anybody else's.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func interruptedWhileItWritesNothingIsLeft(signal: Int32) throws
  {
    let source = folder.path("source.jsonl")
    #expect(mkfifo(source, 0o600) == 0)
    let schema = folder.path("schema.json")
    try LookingTests.links.write(toFile: schema, atomically: true, encoding: .utf8)
    // With a schema nothing is inferred: the file is begun before the source is read.
    let tool = try RunningTool(
      "import", folder.path("new.realm"), source, "--class", "Node", "--schema", schema)
    let writer = tool.openToWrite(source)
    #expect(write(writer, "{\"id\":1}\n{\"id\":", 15) == 15)
    #expect(FileManager.default.fileExists(atPath: folder.path("new.realm.new")))
    tool.signal(signal)
    #expect(tool.end() == 128 + signal)
    close(writer)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
        "schema.json", "source.jsonl",
      ])
  }
}
