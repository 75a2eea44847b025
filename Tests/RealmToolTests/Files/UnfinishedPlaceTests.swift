import Foundation
import TestSupport
import Testing

/// What is written under another name until it is whole.
struct UnfinishedPlaceTests {
  private let folder = ScratchFolder()

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  /// What a killed process has left goes with the next run, and nothing else.
  @Test(arguments: ["csv", "sqlite"]) func leftoversGo(format: String) throws {
    // The number of a process that has ended, and one that has not.
    let dead = try ChildProgram(["/bin/true"])
    dead.wait()
    let left = "out.unfinished-\(dead.identifier)"
    let alive = "out.unfinished-\(getpid())"
    let foreign = ["other.unfinished-\(dead.identifier)", "out.unfinished-x", "out.unfinished-"]
    for name in [alive] + foreign { try Data().write(to: folder.file(name)) }
    if format == "csv" {
      try FileManager.default.createDirectory(at: folder.file(left), withIntermediateDirectories: false)
      try Data("x".utf8).write(to: folder.file(left).appending(path: "C.csv"))
    } else {
      try Data("x".utf8).write(to: folder.file(left))
    }
    let outcome = try RealmProgram.run("export", World.path, "--to", folder.path("out"), "--format", format)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try names() == ([alive, "out"] + foreign).sorted())
  }

  /// In containers all first processes have one number: what a former one has left goes, and what one in another container is
  /// writing stays.
  @Test(.enabled(if: getuid() == 0, "only root can make PID namespaces"), arguments: [false, true])
  func processesOfOneNumber(isHeld: Bool) throws {
    let left = folder.path("out.unfinished-1")
    let descriptor = open(left, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    defer { close(descriptor) }
    if isHeld { #expect(flock(descriptor, LOCK_EX) == 0) }
    let outcome = try RealmProgram.run(
      URL(fileURLWithPath: "/usr/bin/unshare"),
      ["--pid", "--fork", "--mount-proc", RealmProgram.executable.path]
        + ["export", World.path, "--to", folder.path("out"), "--format", "sqlite"], input: nil)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try names() == (isHeld ? ["out", "out.unfinished-1"] : ["out"]))
  }

  /// Who starts the tool may have blocked all signals, as threads of libraries do: those that are not for its end are not
  /// taken for it, and do not keep it from hearing the others.
  @Test func signalsThatAreNoEnd() throws {
    let fifo = folder.path("C.jsonl")
    #expect(mkfifo(fifo, 0o600) == 0)
    let tool = try RunningTool("import", folder.path("new.realm"), fifo, blocksSignals: true)
    let writer = tool.openToWrite(fifo)
    for number in [SIGWINCH, SIGCONT, SIGCHLD, SIGURG] { tool.signal(number) }
    #expect(write(writer, "{\"id\":", 6) == 6)
    tool.signal(SIGTERM)
    #expect(tool.end() == 128 + SIGTERM)
    close(writer)
    #expect(try names() == ["C.jsonl"])
  }

  /// Of two that write to the same place the second one to end says so.
  @Test(arguments: ["csv", "sqlite"]) func somebodyElseIsFaster(format: String) throws {
    let out = folder.path("out")
    let tool = try #require(try exportThatIsStopped(to: out, format), "it was always faster than this test")
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: false)
    tool.signal(SIGCONT)
    #expect(tool.end() == 3)
    #expect(
      tool.firstNote()
        == "realm: '\(out)' was created by another process and was not changed: use another name, or delete it first.\n"
    )
    #expect(try names() == ["out"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: out) == [])
  }

  /// The tool, stopped before what it writes has its name. On a busy machine it may be done before this test looks again.
  private func exportThatIsStopped(to out: String, _ format: String) throws -> RunningTool? {
    for _ in 0..<20 {
      let tool = try RunningTool("export", World.path, "--to", out, "--format", format)
      let place = "\(out).unfinished-\(tool.identifier)"
      while !FileManager.default.fileExists(atPath: place), tool.isRunning { usleep(100) }
      tool.signal(SIGSTOP)
      if FileManager.default.fileExists(atPath: place) { return tool }
      tool.signal(SIGCONT)
      #expect(tool.end() == 0)
      try FileManager.default.removeItem(atPath: out)
    }
    return nil
  }
}
