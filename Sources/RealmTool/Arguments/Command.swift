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

/// With what the tool ends.
enum ExitStatus: Int32, Sendable {
  case success = 0
  /// Nothing was found, or two files differ.
  case nothingFound = 1
  /// The command line is wrong.
  case wrongUse = 2
  /// A file, or what is in it, is the reason.
  case failure = 3
}

/// That the command line is wrong, and what to do about it.
struct UsageError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// That something failed through no fault of the command line.
struct ToolError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
