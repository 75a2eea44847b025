import Glibc

/// Where a command writes to: results to the standard output, what is said beside them to the standard error.
final class Console: Sendable {
  nonisolated(unsafe) let output = OutputStream(STDOUT_FILENO, name: "the standard output")
  /// Whether people read the output.
  let isTerminal = Terminal.isTerminal(STDOUT_FILENO)
  /// The characters in a line of the output; nil where lines may have any length.
  let width = Terminal.width(STDOUT_FILENO)
  let style = Style(isOn: Terminal.hasColour(STDOUT_FILENO))

  func print(_ line: String = "") throws { try output.write(line + "\n") }

  /// Says something beside the results.
  func note(_ text: String) {
    // What was written before comes before.
    try? output.flush()
    StandardError.write(text + "\n")
  }

  /// Asks before something is changed for good. Returns whether that is wanted.
  ///
  /// - Throws: `UsageError` when there is nobody to ask.
  func confirm(_ question: String, _ arguments: Arguments) throws -> Bool {
    if arguments.has(.yes) { return true }
    guard Terminal.isTerminal(STDIN_FILENO) else {
      throw UsageError("\(question) There is no terminal to ask on: say --yes if that is meant.")
    }
    try output.flush()
    let answer = try Terminal.ask(question + " [y/N] ")?.lowercased()
    return answer == "y" || answer == "yes"
  }
}

/// What people read beside the results; if nobody can read it, that is no error.
enum StandardError {
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

/// Colours, where they are wanted.
struct Style: Sendable {
  let isOn: Bool

  private func wrap(_ text: String, _ code: String) -> String {
    isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  func heading(_ text: String) -> String { wrap(text, "1") }
  func faint(_ text: String) -> String { wrap(text, "2") }
  func good(_ text: String) -> String { wrap(text, "32") }
  func bad(_ text: String) -> String { wrap(text, "31") }
  func added(_ text: String) -> String { wrap(text, "32") }
  func removed(_ text: String) -> String { wrap(text, "31") }
  func changed(_ text: String) -> String { wrap(text, "33") }
}
