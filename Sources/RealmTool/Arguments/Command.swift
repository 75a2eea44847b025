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
  let operands: [Operand]
  /// Without `--help`, which all have.
  let options: [CommandOption]
  let examples: [Example]
  let run: @Sendable (Arguments, Console) throws -> ExitStatus

  /// The options, `--help` included.
  var allOptions: [CommandOption] { options + [.help] }

  var synopsis: String {
    (["realm", name] + operands.map(\.synopsis) + options.map { "[\($0.usage)]" }).joined(separator: " ")
  }
}
