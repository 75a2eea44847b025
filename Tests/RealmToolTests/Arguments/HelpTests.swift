import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

struct HelpTests {
  @Test(arguments: Command.all.map(\.name)) func helpTellsAllOfACommand(name: String) throws {
    let command = try #require(Command.named(name))
    let outcome = try RealmProgram.run(name, "--help")
    #expect(outcome.status == 0 && outcome.error == "")
    #expect(outcome.output.hasPrefix("realm \(name): \(command.summary)\n"))
    for option in command.allOptions { #expect(outcome.output.contains("  \(option.usage)")) }
    for operand in command.operands { #expect(outcome.output.contains("  \(operand.name)")) }
    #expect(!command.examples.isEmpty)
    for line in outcome.output.split(separator: "\n")
    where !command.examples.contains(where: { line.contains($0.line) }) {
      #expect(line.count <= 101, "\(line)")
    }
  }

  /// What help shows as an example is understood.
  @Test func examplesAreRight() throws {
    for command in Command.all {
      for example in command.examples {
        let part = example.line.split(separator: "|").last { $0.contains("realm ") } ?? ""
        let words = try ShellWords.split(
          String(
            part.split(separator: ">").enumerated().filter { $0.offset == 0 || part.contains("\"") }.map(
              \.element
            ).joined(separator: ">")))
        let redirected = words.prefix { $0 != ">" && $0 != "&&" }
        #expect(redirected.first == "realm")
        #expect(redirected.dropFirst().first == command.name, "\(example.line)")
        _ = try Arguments(Array(redirected.dropFirst(2)), for: command)
      }
    }
  }

  @Test func theManualHasEveryCommandAndNoMistakes() throws {
    let folder = ScratchFolder()
    let page = try RealmProgram.run("--manual").output
    for command in Command.all { #expect(page.contains(".SS \(command.name) ")) }
    #expect(page.contains(".SH EXIT STATUS"))
    // Nothing but requests begins with a dot, and each is known.
    let requests = Set(
      page.split(separator: "\n").filter { $0.hasPrefix(".") }.map { $0.split(separator: " ")[0] })
    #expect(
      requests.subtracting([".TH", ".SH", ".SS", ".B", ".I", ".TP", ".PP", ".nf", ".fi", ".RS", ".RE"])
        .isEmpty)
    let path = folder.path("realm.1")
    try page.write(toFile: path, atomically: true, encoding: .utf8)
    let warnings = try RealmProgram.shell(
      "command -v man >/dev/null && man --warnings -E UTF-8 -l '\(path)' 2>&1 >/dev/null")
    #expect(warnings.output == "")
  }

  @Test func bashCompletes() throws {
    let folder = ScratchFolder()
    let script = folder.path("realm.bash")
    try RealmProgram.run("--completion", "bash").output.write(
      toFile: script, atomically: true, encoding: .utf8)
    func completions(_ words: String...) throws -> [String] {
      let list = words.map { "'\($0)'" }.joined(separator: " ")
      let outcome = try RealmProgram.shell(
        "source '\(script)'; COMP_WORDS=(realm \(list)); COMP_CWORD=\(words.count); _realm; printf '%s\\n' \"${COMPREPLY[@]}\""
      )
      #expect(outcome.error == "")
      return outcome.output.split(separator: "\n").map(String.init)
    }
    #expect(try completions("ex") == ["export"])
    #expect(try completions("query", "--s") == ["--sort"])
    #expect(try completions("query", "F", "C", "--format", "") == ["table", "json", "jsonl", "csv"])
    #expect(try completions("info", "\(folder.url.path)/rea") == ["\(folder.url.path)/realm.bash"])
    let zsh = try RealmProgram.run("--completion", "zsh").output
    #expect(zsh.hasPrefix("#compdef realm\n"))
    for command in Command.all { #expect(zsh.contains("    \(command.name)) _arguments ")) }
    #expect(
      try RealmProgram.shell("command -v zsh >/dev/null || exit 0; realm --completion zsh | zsh -n").status
        == 0)
  }

  @Test func toolAndManualPageHaveTheVersionOfTheLibrary() throws {
    #expect(try RealmProgram.run("--version").output == "realm \(Realm.libraryVersion)\n")
    #expect(
      try RealmProgram.run("--manual").output.hasPrefix(
        ".TH REALM 1 \"\" \"OpenRealm \(Realm.libraryVersion)\""))
  }
}
