import Foundation
import TestSupport
import Testing

struct ShellTests {
  private let folder = ScratchFolder()

  @Test func commandsFromAPipe() throws {
    let path = try World.small(in: folder)
    let outcome = try RealmProgram.run(
      "shell", path,
      input: """
        # what there is
        query Country --count

        set Country NO name='Norge og Noreg'
        query Country "code == 'NO'" --properties name
        quit
        query Nothing
        """)
    #expect(outcome == .init(status: 0, output: "3\nChanged 1 object.\n{\"name\":\"Norge og Noreg\"}\n"))
    let wrong = try RealmProgram.run(
      "shell", path, input: "query Country --count\nquery Cuntry\nquery Country --count\n")
    #expect(wrong.status == 2 && wrong.output == "3\n")
    #expect(wrong.error.contains("Did you mean 'Country'?"))
    #expect(
      try RealmProgram.run("shell", path, input: "watch\n").error.contains(
        "there is no command 'watch' here."))
    #expect(
      try RealmProgram.run("shell", path, input: "query 'x\n").error.contains("a quote ' does not end."))
    #expect(try RealmProgram.run("shell", folder.path("none.realm"), input: "").status == 3)
  }

  @Test func aPromptWithHistoryAndCompletion() throws {
    let path = try World.small(in: folder)
    let environment = ["XDG_STATE_HOME": folder.path("state"), "NO_COLOR": "1"]
    let session = try TerminalSession("realm shell '\(path)'", environment: environment)
    #expect(session.wait(for: "realm> "))
    session.type("que\tCou\t --cou\t\n")
    #expect(session.wait(for: "\n3\r\n"))
    #expect(session.wait(for: "realm> "))
    session.type("query Country --limit 1 --format csv --properties name\n")
    #expect(session.wait(for: "Norway"))
    #expect(session.wait(for: "realm> "))
    session.type("nonsense\n")
    #expect(session.wait(for: "there is no command 'nonsense' here."))
    #expect(session.wait(for: "realm> "))
    session.waitForEditing()
    session.type("\u{4}")
    #expect(session.end() == 0)
    let history = try String(contentsOfFile: folder.path("state/realm/history"), encoding: .utf8)
    #expect(history.contains("query") && history.contains("nonsense"))
    // The last line again.
    let again = try TerminalSession("realm shell '\(path)'", environment: environment)
    #expect(again.wait(for: "realm> "))
    again.type("\u{1B}[A\u{1B}[A\n")
    #expect(again.wait(for: "Norway"))
    #expect(again.wait(for: "realm> "))
    again.type("quit\n")
    #expect(again.end() == 0)
  }

  private func shell(_ path: String, _ options: String = "") throws -> TerminalSession {
    try TerminalSession(
      "trap : INT; (echo process $BASHPID.; exec realm shell '\(path)' \(options)); echo status $?; stty -a",
      environment: ["XDG_STATE_HOME": folder.path("state"), "NO_COLOR": "1"])
  }

  /// As in other shells, Ctrl-C throws away what was typed.
  @Test func interruptedAtThePromptItGoesOn() throws {
    let session = try shell(try World.small(in: folder))
    #expect(session.wait(for: "realm> "))
    session.type("query Nothing\u{3}query Country --count\n")
    #expect(session.wait(for: "\n3\r\n"))
    #expect(session.wait(for: "realm> "))
    session.type("quit\n")
    #expect(session.end() == 0)
    #expect(session.output.contains("status 0") && !session.output.contains("no class 'Nothing'"))
    #expect(session.output.contains(" icanon ") && session.output.contains(" echo "))
  }

  /// Or ends the command that runs, and what it was writing.
  @Test func anInterruptedCommandEnds() throws {
    let path = try World.small(in: folder)
    let fifo = folder.path("Country.jsonl")
    #expect(mkfifo(fifo, 0o600) == 0)
    let session = try shell(path)
    #expect(session.wait(for: "realm> "))
    session.type("import '\(fifo)'\n")
    let writer = session.openToWrite(fifo)
    _ = write(writer, "{\"code\":\"XX\",", 13)
    session.type("\u{3}")
    #expect(session.wait(for: "realm> "))
    close(writer)
    session.type("query Country --count\n")
    #expect(session.wait(for: "\n3\r\n"))
    #expect(session.wait(for: "realm> "))
    session.type("quit\n")
    #expect(session.end() == 0)
    #expect(session.output.contains("status 0"))
  }

  /// A signal from elsewhere ends it.
  @Test func endedItLeavesTheTerminalAsItWas() throws {
    let session = try shell(try World.small(in: folder))
    #expect(session.wait(for: "realm> "))
    session.type("query Coun")
    #expect(session.wait(for: "query Coun"))
    let process = try #require(session.output.firstMatch(of: /process ([0-9]+)\./).flatMap { pid_t($0.1) })
    kill(process, SIGTERM)
    #expect(session.end() == 0)
    #expect(session.output.contains("status 143"))
    #expect(session.output.contains(" icanon ") && session.output.contains(" echo "))
  }

  @Test func theKeyIsAskedForOnce() throws {
    let path = try World.small(in: folder)
    let key = folder.path("key")
    try Data(repeating: 7, count: 64).write(to: URL(fileURLWithPath: key))
    let secret = folder.path("secret.realm")
    #expect(try RealmProgram.run("encrypt", path, secret, "--key-file", key).status == 0)
    let outcome = try RealmProgram.run(
      "shell", secret, "--key-file", key, input: "query Country --count\nverify\n")
    #expect(outcome.status == 0 && outcome.output.hasPrefix("3\n\(secret): sound"))
    // Also where commands are processes of their own.
    let session = try shell(secret, "--key-file '\(key)'")
    #expect(session.wait(for: "realm> "))
    session.type("query Country --count\n")
    #expect(session.wait(for: "\n3\r\n"))
    #expect(session.wait(for: "realm> "))
    session.type("quit\n")
    #expect(session.end() == 0)
  }
}
