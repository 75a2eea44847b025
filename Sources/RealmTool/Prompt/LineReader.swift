import CEdit
import LibC

/// Gives the lines of the input.
protocol LineReader {
  /// Nil at the end.
  func next(_ prompt: String) throws -> String?
  /// What can be completed from now on.
  func setNames(_ names: [String])
}

/// Lines of an input that is no terminal.
struct PlainLines: LineReader {
  func next(_ prompt: String) -> String? { readLine() }
  func setNames(_ names: [String]) {}
}

/// Lines that are edited, with a history that stays and completion, by libedit.
final class LineEditor: LineReader {
  private static let historyLimit: Int32 = 1000
  /// Of the one that there is: libedit calls without saying which.
  nonisolated(unsafe) private static var names: [String] = []
  private let history: String?

  init(_ names: [String]) {
    history = Self.historyPath()
    beginEditing("realm")
    if let history {
      read_history(history)
      stifle_history(Self.historyLimit)
    }
    setNames(names)
    setCompletion { text, start, _ in
      endCompletion()
      guard let text else { return nil }
      return LineEditor.matches(String(cString: text), isFirst: start == 0)
    }
    // Ctrl-C is a key while a line is edited, as if all of the line were deleted.
    interruptIsAKey()
    var settings = termios()
    if tcgetattr(STDIN_FILENO, &settings) == 0 { UnfinishedOutput.keepTerminal(STDIN_FILENO, settings) }
  }

  func setNames(_ names: [String]) {
    let options = ShellSession.commands.compactMap(Command.named).flatMap(\.allOptions).map(\.name)
    Self.names = Set(names + options).sorted()
  }

  func next(_ prompt: String) -> String? {
    guard let line = readline(prompt) else {
      StandardError.write("\n")
      return nil
    }
    defer { free(line) }
    let text = String(cString: line)
    if !text.trimmingSpaces().isEmpty {
      add_history(line)
      if let history { write_history(history) }
    }
    return text
  }

  /// In the place for what programs keep: `$XDG_STATE_HOME/realm/history`.
  private static func historyPath() -> String? {
    let home = Terminal.environment("HOME")
    guard let folder = Terminal.environment("XDG_STATE_HOME") ?? home.map({ "\($0)/.local/state" }) else {
      return nil
    }
    var path = ""
    for part in "\(folder)/realm".split(separator: "/") {
      path += "/\(part)"
      mkdir(path, 0o700)
    }
    return "\(path)/history"
  }

  /// As libedit wants them: the common beginning, all matches, and null, in memory that it frees.
  private static func matches(
    _ text: String, isFirst: Bool
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    let found = (isFirst ? ShellSession.commands + ["help", "quit"] : names).filter { $0.hasPrefix(text) }
    guard let first = found.first else { return nil }
    let common = found.reduce(first) { $0.commonPrefix(with: $1) }
    let count = found.count == 1 ? 2 : found.count + 2
    guard
      let list = calloc(count, MemoryLayout<UnsafeMutablePointer<CChar>?>.stride)?
        .assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
    else { return nil }
    list[0] = strdup(common)
    if found.count > 1 { for (position, name) in found.enumerated() { list[position + 1] = strdup(name) } }
    return list
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
