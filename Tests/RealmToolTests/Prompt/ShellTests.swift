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

  @Test func interruptedItLeavesTheTerminalAsItWas() throws {
    let path = try World.small(in: folder)
    let session = try TerminalSession(
      "trap : INT; realm shell '\(path)'; echo status $?; stty -a",
      environment: ["XDG_STATE_HOME": folder.path("state")])
    #expect(session.wait(for: "realm> "))
    session.type("query Coun\u{3}")
    #expect(session.end() == 0)
    #expect(session.output.contains("status 130"))
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
  }
}
