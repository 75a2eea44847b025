/// Help for people at a terminal.
enum HelpText {
  static let exitStatus: [(ExitStatus, String)] = [
    (.success, "success"),
    (.nothingFound, "nothing was found, files differ, salvaging lost something, or the answer was no"),
    (.wrongUse, "the command line is wrong"),
    (.failure, "a file cannot be read or written, is damaged, or has unexpected content"),
  ]

  /// Returns one line for each command.
  static func overview(width: Int) -> String {
    var text = "realm inspects, queries, changes, imports, exports, backs up and repairs Realm files.\n\n"
    text += "usage: realm COMMAND …\n\n"
    text += entries(Command.all.map { ($0.name, $0.summary) }, width: width)
    text += "\nrealm COMMAND --help describes a command, with examples; man realm describes all commands.\n"
    text += "\nexit status:\n"
    text += entries(exitStatus.map { ("\($0.rawValue)", $1) }, width: width)
    return text
  }

  static func command(_ command: Command, width: Int) -> String {
    var text = "realm \(command.name): \(command.summary)\n\n"
    for (number, synopsis) in command.synopses.enumerated() {
      let beginning = number == 0 ? "usage: " : "       "
      text += beginning + Wrapping.wrap(synopsis, width: width - 7, indent: "         ") + "\n"
    }
    for paragraph in command.discussion.split(separator: "\n\n") {
      text += "\n" + Wrapping.wrap(String(paragraph), width: width, indent: "") + "\n"
    }
    if !command.operands.isEmpty {
      text += "\n" + entries(command.operands.map { ($0.name, $0.help) }, width: width)
    }
    text += "\noptions:\n" + entries(command.allOptions.map { ($0.usage, $0.help) }, width: width)
    text += "\nexamples:\n"
    for example in command.examples {
      text += "  \(example.line)\n      \(example.meaning)\n"
    }
    return text
  }

  /// Returns names with their meanings in a second column.
  private static func entries(_ entries: [(String, String)], width: Int) -> String {
    let column = min(24, (entries.map(\.0.count).max() ?? 0) + 4)
    var text = ""
    for (name, meaning) in entries {
      let margin = String(repeating: " ", count: column)
      let lines = Wrapping.wrap(meaning, width: max(20, width - column), indent: "")
        .split(separator: "\n").map(String.init)
      var first = "  " + name
      if first.count + 2 > column {
        text += first + "\n"
        first = ""
      }
      text += first + String(repeating: " ", count: column - first.count) + (lines.first ?? "") + "\n"
      for line in lines.dropFirst() { text += margin + line + "\n" }
    }
    return text
  }
}

enum Wrapping {
  /// Returns the text in lines of at most `width` characters; all but the first are indented.
  static func wrap(_ text: String, width: Int, indent: String) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty && line.count + 1 + word.count > width {
        lines.append(line)
        line = indent + word
      } else {
        line += line.isEmpty || line == indent ? String(word) : " \(word)"
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines.joined(separator: "\n")
  }
}
