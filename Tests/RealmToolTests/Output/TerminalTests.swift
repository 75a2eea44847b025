import Foundation
import TestSupport
import Testing

@testable import RealmTool

/// What people see who sit at a terminal.
struct TerminalTests {
  private func show(
    _ line: String, width: UInt16 = 80, environment: [String: String] = [:]
  ) throws -> [String] {
    let session = try TerminalSession(line, width: width, environment: environment)
    #expect(session.end() == 0)
    return session.output.replacing("\r\n", with: "\n").split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map(String.init)
  }

  private func plain(_ line: String) -> String { line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }

  @Test(arguments: [40, 60, 80, 137] as [UInt16]) func tablesFitTheWidth(width: UInt16) throws {
    let lines = try show(
      "realm query '\(World.path)' City \"population > 9000000\" --sort -population", width: width)
    #expect(lines.count > 20)
    for line in lines.dropLast(2) { #expect(DisplayWidth.of(plain(line)) <= Int(width), "\(line)") }
    // As wide as it can be.
    #expect(lines.contains { DisplayWidth.of(plain($0)) >= Int(width) - 1 })
    // The eight columns have eight characters each at least; on a narrower terminal each object is a record.
    #expect(lines[width < 80 ? 1 : 0].contains("\u{1B}[1mid"), "\(lines[0])")
    #expect(plain(lines[lines.count - 2]) == "28 objects")
  }

  @Test func withoutColour() throws {
    for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      let lines = try show("realm query '\(World.path)' Country \"code == 'NO'\"", environment: environment)
      #expect(!lines.joined().contains("\u{1B}"))
    }
    #expect(
      try show("realm query '\(World.path)' Country \"code == 'NO'\"", environment: ["NO_COLOR": ""]).joined()
        .contains("\u{1B}"))
    // Never in a pipe.
    #expect(try !RealmProgram.run("info", World.path).output.contains("\u{1B}"))
  }

  @Test func numbersHaveSeparators() throws {
    #expect(try show("realm query '\(World.path)' City --count")[0] == Numbers.separated(World.cityCount))
    #expect(Numbers.separated(-1_234_567) == "-1,234,567")
    #expect(
      [0, 999, 1000, 1234, 999_499, 999_500, 12_345_678].map(Numbers.bytes) == [
        "0 bytes", "999 bytes", "1.00 kB", "1.23 kB", "999 kB", "1.00 MB", "12.3 MB",
      ])
  }

  @Test func aQuestionIsAsked() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let no = try TerminalSession("realm delete '\(path)' Country NO")
    #expect(no.wait(for: "Delete the Country NO? [y/N] "))
    no.type("n\n")
    #expect(no.end() == 1)
    #expect(try RealmProgram.run("get", path, "Country", "NO").status == 0)
    let yes = try TerminalSession("realm delete '\(path)' Country NO")
    #expect(yes.wait(for: "[y/N] "))
    yes.type("y\n")
    #expect(yes.end() == 0)
    #expect(try RealmProgram.run("get", path, "Country", "NO").status == 1)
  }

  @Test func aKeyIsTypedUnseen() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let secret = folder.path("secret.realm")
    let digits = String(repeating: "5a", count: 64)
    try digits.write(to: folder.file("key"), atomically: true, encoding: .utf8)
    #expect(try RealmProgram.run("encrypt", path, secret, "--key-file", folder.path("key")).status == 0)
    let session = try TerminalSession("realm query '\(secret)' Country --count --key-file -; stty -a")
    #expect(session.wait(for: "128 hexadecimal digits): "))
    session.type(digits + "\n")
    #expect(session.end() == 0)
    #expect(session.output.contains("\r\n3\r\n"))
    #expect(!session.output.contains("5a5a"))
    // The terminal is as it was, also when the question was interrupted.
    #expect(session.output.contains(" echo "))
    let stopped = try TerminalSession(
      "trap : INT; realm query '\(secret)' Country --key-file -; echo status $?; stty -a")
    #expect(stopped.wait(for: "128 hexadecimal digits): "))
    stopped.type("\u{3}")
    _ = stopped.end()
    #expect(stopped.output.contains("status 130") && stopped.output.contains(" echo "))
  }

  /// Who sets a key types it twice.
  @Test func aNewKeyIsTypedTwice() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let digits = String(repeating: "5a", count: 64)
    for (again, name) in [(String(repeating: "5b", count: 64), "differs"), (digits, "same")] {
      let secret = folder.path("\(name).realm")
      let session = try TerminalSession("realm encrypt '\(path)' '\(secret)' --key-file -")
      #expect(session.wait(for: "128 hexadecimal digits): "))
      session.type(digits + "\n")
      #expect(session.wait(for: "The same key again: "))
      session.type(again + "\n")
      #expect(session.end() == (again == digits ? 0 : 3))
      #expect(session.output.contains("The two keys differ") == (again != digits))
      #expect(FileManager.default.fileExists(atPath: secret) == (again == digits))
    }
  }

  /// Ctrl-Z does not leave a terminal without echo to the shell, and Ctrl-\ neither.
  @Test func aHiddenQuestionIsNotStopped() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let session = try TerminalSession(
      // With jobs, which can be stopped.
      "set -m; ulimit -c 0; realm query '\(path)' Country --key-file -; echo status $?; stty -a")
    #expect(session.wait(for: "128 hexadecimal digits): "))
    session.type("\u{1A}")
    session.type("\u{1C}")
    _ = session.end()
    #expect(session.output.contains("status 131") && session.output.contains(" echo "), "\(session.output)")
  }

  @Test(arguments: [
    ("verify '%'", "Verifying ["), ("copy '%' '%2'", "Copying ["), ("compact '%'", "Compacting ["),
    ("salvage '%' '%2'", "Salvaging ["),
  ]) func filesAreFollowed(line: String, title: String) throws {
    let folder = ScratchFolder()
    let path = folder.path("world.realm")
    try FileManager.default.copyItem(atPath: World.path, toPath: path)
    let session = try TerminalSession(
      "realm " + line.replacing("%2", with: folder.path("new.realm")).replacing("%", with: path))
    #expect(session.end() == 0)
    #expect(session.output.contains(title) && session.output.contains(" % "), "\(session.output)")
  }

  @Test func longWorkShowsProgress() throws {
    let folder = ScratchFolder()
    let session = try TerminalSession(
      "realm import '\(folder.path("new.realm"))' '\(World.cities)' --class City")
    #expect(session.end() == 0)
    #expect(session.output.contains("Importing \(World.cities) [") && session.output.contains(" % "))
  }

  @Test func widthsOfCharacters() {
    #expect(DisplayWidth.of("e\u{301}日本😀a") == 8)
    #expect(DisplayWidth.fitted("日本語", 5) == "日本…")
    #expect(DisplayWidth.fitted("日本語", 6) == "日本語")
    #expect(DisplayWidth.fitted("abc", 3) == "abc")
    #expect(DisplayWidth.fitted("abcd", 3) == "ab…")
    #expect(DisplayWidth.fitted("a\nb\u{1B}[31m", 20) == "a⏎b�[31m")
  }
}
