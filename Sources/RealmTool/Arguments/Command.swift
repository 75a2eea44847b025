/// One subcommand: what it is called, what it takes, and what it does.
///
/// Help, the manual page, completions and the parser all read this one description.
struct Command: Sendable {
  struct Example: Sendable {
    let line: String
    let meaning: String

    init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  let name: String
  /// What it does, in half a sentence.
  let summary: String
  /// Paragraphs.
  let discussion: String
  /// What follows the name of the command, one line for each of its actions; empty for a command without actions.
  var forms: [String] = []
  let operands: [Operand]
  /// Without `--help`, which all have.
  let options: [CommandOption]
  let examples: [Example]
  let run: @Sendable (Arguments, Console) throws -> ExitStatus

  /// The options, `--help` included.
  var allOptions: [CommandOption] { options + [.help] }

  /// The forms of the command line, one for each action.
  var synopses: [String] {
    if !forms.isEmpty { return forms.map { "realm \(name) \($0)" } }
    return [
      (["realm", name] + operands.map(\.synopsis) + options.map { "[\($0.usage)]" }).joined(separator: " ")
    ]
  }
}
