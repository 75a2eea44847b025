import RealmSwift

/// The manual page, `man realm`, made of the descriptions of the commands.
enum ManualPage {
  static var text: String {
    var page = """
      .TH REALM 1 "" "OpenRealm \(Realm.libraryVersion)" "User Commands"
      .SH NAME
      realm \\- inspect, query, change, import, export, back up and repair Realm files
      .SH SYNOPSIS
      .B realm
      .I COMMAND
      [\\fIARGUMENT\\fR ...]
      .SH DESCRIPTION
      Works on any Realm file of this library, without the classes of the program that created it. A command that reads uses one read \
      snapshot, which it releases when it ends: other processes can write to the file at the same time.
      .PP
      Encryption keys are read from a file or typed at the terminal. They are never arguments, which other users of the system can see.
      .PP
      At a terminal results are tables in colour, unless NO_COLOR is set. In a pipe or a file they are JSON Lines.
      .SH COMMANDS

      """
    for command in Command.all { page += section(command) }
    page += ".SH EXIT STATUS\n"
    for (status, meaning) in HelpText.exitStatus {
      page += ".TP\n.B \(status.rawValue)\n\(escaped(meaning))\n"
    }
    page += """
      .SH ENVIRONMENT
      .TP
      .B NO_COLOR
      when set and not empty, output has no colours
      .TP
      .B TMPDIR
      the folder for temporary copies of sources that can be read only once; /tmp by default

      """
    return page
  }

  private static func section(_ command: Command) -> String {
    var text = ".SS \(escaped(command.name)) \\- \(escaped(command.summary))\n"
    text += ".nf\n" + command.synopses.map { ".B \(escaped($0))\n" }.joined() + ".fi\n"
    for paragraph in command.discussion.split(separator: "\n\n") {
      text += ".PP\n\(escaped(String(paragraph)))\n"
    }
    for operand in command.operands {
      text += ".TP\n.I \(escaped(operand.name))\n\(escaped(operand.help))\n"
    }
    for option in command.allOptions {
      text += ".TP\n.B \(escaped(option.usage))\n\(escaped(option.help))\n"
    }
    text += ".PP\nExamples:\n"
    for example in command.examples {
      text += ".PP\n.RS\n.nf\n\(escaped(example.line))\n.fi\n\(escaped(example.meaning))\n.RE\n"
    }
    return text
  }

  /// Escapes the characters that troff interprets.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("…", with: "...")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}
