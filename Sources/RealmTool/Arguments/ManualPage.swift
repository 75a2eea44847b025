/// The manual page, `man realm`, made of the descriptions of the commands.
enum ManualPage {
  /// The version of the project. Until a release is tagged, that of the release to come.
  static let version = "0.1.0-dev"

  static var text: String {
    var page = """
      .TH REALM 1 "" "OpenRealm \(version)" "User Commands"
      .SH NAME
      realm \\- look into Realm files, change them, and bring data in and out
      .SH SYNOPSIS
      .B realm
      .I COMMAND
      [\\fIARGUMENT\\fR ...]
      .SH DESCRIPTION
      Works with any file of the database, with or without the classes of the program that made it. It reads one version of a file \
      that programs may be writing to meanwhile, and keeps none longer than an answer needs.
      .PP
      Encryption keys come from a file or the terminal, never from the command line.
      At a terminal results are tables in colour, unless NO_COLOR is set; elsewhere they are for programs.
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
      when it is set and not empty there are no colours

      """
    return page
  }

  private static func section(_ command: Command) -> String {
    var text = ".SS \(escaped(command.name)) \\- \(escaped(command.summary))\n"
    text += ".nf\n.B \(escaped(command.synopsis))\n.fi\n"
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

  /// What a line may begin with, and what stands for itself.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("…", with: "...")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}
