import Foundation
import TestSupport
import Testing

@testable import RealmTool

/// Names and values may have anything in them, and must not give orders to a terminal.
struct EscapingTests {
  private let folder = ScratchFolder()
  private static let order = "\u{1B}[2J\u{9B}31m\u{7}"

  /// A file with orders in the names of a class and a property, and in a value.
  private func hostile() throws -> String {
    let path = folder.path("hostile.realm")
    var line: [UInt8] = []
    line += "{\"id\":1,".utf8
    line.appendJSON("p\(Self.order)")
    line += ":".utf8
    line.appendJSON("v\(Self.order)")
    line += "}".utf8
    let outcome = try RealmProgram.run(
      ["import", path, "-", "--class", "C\(Self.order)", "--key-property", "id", "--format", "jsonl"],
      input: Data(line))
    #expect(outcome.status == 0)
    return path
  }

  @Test(arguments: [
    "info %", "schema %", "query % CLASS", "get % CLASS 1", "verify %", "query % CLASS --explain",
    "query % CLASS --format jsonl", "query % CLASS --format csv", "export % --class CLASS --format csv",
    "export % --class CLASS --format json", "get % CLASS 1 --json", "query % CLASS 'x == 1'; true",
    "query % None; true",
    "diff % OTHER; true", "set % CLASS 1 None=1; true",
  ]) func nothingReachesATerminal(line: String) throws {
    let path = try hostile()
    let other = try World.small(in: folder, "other.realm")
    let session = try TerminalSession(
      "CLASS=$(printf 'C\\033[2J\\302\\23331m\\007'); realm "
        + line.replacing("%", with: "'\(path)'").replacing("CLASS", with: "\"$CLASS\"").replacing(
          "OTHER", with: "'\(other)'"),
      environment: ["NO_COLOR": "1"])
    #expect(session.end() == 0)
    #expect(session.output.contains("hostile") || session.output.contains("2J"), "\(session.output)")
    // But for a bar of the tool's own, which it clears.
    let bar = /(\r\x1B\[KVerifying \[[#.]{30}\] \d+ % [\d,]+ entries)+\r\x1B\[K/
    let shown = session.output.replacing(bar, with: "")
    for scalar in shown.unicodeScalars where scalar != "\n" && scalar != "\r" {
      #expect(!VisibleText.isControl(scalar), "\(session.output.debugDescription)")
    }
  }

  /// Messages are for people, wherever they go.
  @Test func norMessages() throws {
    let path = try hostile()
    let outcome = try RealmProgram.run("query", path, "None")
    #expect(outcome.error.contains("C\\u{1b}[2J\\u{9b}31m\\u{7}") && !outcome.error.contains("\u{1B}"))
    // What programs read has the value.
    let value = try RealmProgram.run("query", path, "C\(Self.order)", "--format", "csv")
    #expect(value.output.contains("v\(Self.order)"))
    let json = try RealmProgram.run("query", path, "C\(Self.order)").output
    #expect(json.contains(#"v\u001b[2J\u009b31m\u0007"#), "\(json)")
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    #expect(object?["p\(Self.order)"] as? String == "v\(Self.order)")
  }

  @Test func whatIsHidden() {
    #expect(VisibleText.of("é日😀 plain") == "é日😀 plain")
    #expect(VisibleText.of("a\n\tb\u{202E}c\u{0}") == "a\\n\\tb\\u{202e}c\\u{0}")
    #expect(VisibleText.of("a\nb\u{1B}", keepsLines: true) == "a\nb\\u{1b}")
  }
}
