import LibC

/// The output of a command: results on the standard output, messages on the standard error.
final class Console: Sendable {
  nonisolated(unsafe) let output = OutputStream(STDOUT_FILENO, name: "the standard output")
  /// Whether people read the output.
  let isTerminal = Terminal.isTerminal(STDOUT_FILENO)
  /// The characters in a line of the output; nil where lines may have any length.
  let width = Terminal.width(STDOUT_FILENO)
  let style = Style(
    isOn: Terminal.hasColour(STDOUT_FILENO), escapes: Terminal.isTerminal(STDOUT_FILENO))

  /// Writes a line, in which there may be anything from a file.
  func print(_ line: String = "") throws {
    try output.write((isTerminal ? VisibleText.of(line, keepsLines: true) : line) + "\n")
  }

  /// Writes a line that was made with the style.
  func print(painted line: String) throws { try output.write(line + "\n") }

  /// Writes a message to the standard error. It may contain text from a file.
  func note(_ text: String, faint: Bool = false) {
    // What was written before comes before.
    try? output.flush()
    let style = Style(isOn: faint && Terminal.hasColour(STDERR_FILENO), escapes: false)
    StandardError.write(style.faint(VisibleText.of(text, keepsLines: true)) + "\n")
  }

  /// Writes an error message to the standard error.
  func complain(_ text: String) {
    try? output.flush()
    let prefix = Style(isOn: Terminal.hasColour(STDERR_FILENO), escapes: false).bad("realm:")
    StandardError.write("\(prefix) \(VisibleText.of(text, keepsLines: true))\n")
  }

  /// Asks for confirmation. Returns whether the user has confirmed.
  ///
  /// - Throws: `UsageError` when there is no terminal to ask on.
  func confirm(_ question: String, _ arguments: Arguments) throws -> Bool {
    if arguments.has(.yes) { return true }
    guard Terminal.isTerminal(STDIN_FILENO) else {
      throw UsageError("\(question) There is no terminal to ask for confirmation: add --yes to confirm.")
    }
    try output.flush()
    let answer = try Terminal.ask(VisibleText.of(question) + " [y/N] ")?.lowercased()
    return answer == "y" || answer == "yes"
  }
}

/// Messages beside the results. A standard error that cannot be written to is no error.
enum StandardError {
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = LibC.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

/// Texts as they are shown: with colours, where they are wanted, and without what a terminal would take for commands.
struct Style: Sendable {
  let isOn: Bool
  /// Whether it is a terminal that shows them.
  let escapes: Bool

  func plain(_ text: String) -> String { escapes ? VisibleText.of(text) : text }

  private func wrap(_ text: String, _ code: String) -> String {
    isOn ? "\u{1B}[\(code)m\(plain(text))\u{1B}[0m" : plain(text)
  }

  func heading(_ text: String) -> String { wrap(text, "1") }
  func faint(_ text: String) -> String { wrap(text, "2") }
  func good(_ text: String) -> String { wrap(text, "32") }
  func bad(_ text: String) -> String { wrap(text, "31") }
  func added(_ text: String) -> String { wrap(text, "32") }
  func removed(_ text: String) -> String { wrap(text, "31") }
  func changed(_ text: String) -> String { wrap(text, "33") }
}
