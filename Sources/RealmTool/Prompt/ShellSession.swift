import LibC

/// Reads commands for one file and runs them, each on the newest version.
struct ShellSession {
  static let commands = [
    "info", "schema", "query", "aggregate", "get", "create", "set", "delete", "import", "export", "copy",
    "diff",
    "verify",
  ]
  private let path: String
  private let key: [UInt8]?
  private let console: Console
  private let isTerminal = Terminal.isTerminal(STDIN_FILENO)

  init(path: String, key: [UInt8]?, console: Console) {
    self.path = path
    self.key = key
    self.console = console
  }

  func run() throws -> ExitStatus {
    let reader: any LineReader = isTerminal ? try LineEditor(names()) : PlainLines()
    if isTerminal { UnfinishedOutput.ignoreInterrupts() }
    while let line = try reader.next("realm> ") {
      let status = run(line)
      try console.output.flush()
      guard let status else { break }
      if status == .wrongUse || status == .failure, !isTerminal { return status }
      reader.setNames((try? names()) ?? [])
    }
    return .success
  }

  /// Nil when the shell is to end.
  private func run(_ line: String) -> ExitStatus? {
    do {
      let words = try ShellWords.split(line)
      guard let name = words.first, !name.hasPrefix("#") else { return .success }
      if name == "quit" || name == "exit" { return nil }
      if name == "help" {
        for name in Self.commands {
          try console.print(
            "\(name)\(String(repeating: " ", count: 11 - name.count))\(Command.named(name)?.summary ?? "")")
        }
        return .success
      }
      guard Self.commands.contains(name), let command = Command.named(name) else {
        throw UsageError(
          "there is no command '\(name)' here.\(Spelling.suggestion(for: name, among: Self.commands)) help lists them."
        )
      }
      if isTerminal {
        try console.output.flush()
        return try ShellCommand(name: name, words: Array(words.dropFirst()), path: path, key: key).run()
      }
      var arguments = try Arguments([path] + words.dropFirst(), for: command)
      arguments.key = key
      if arguments.wantsHelp {
        try console.output.write(HelpText.command(command, width: console.width ?? 100))
        return .success
      }
      return try command.run(arguments, console)
    } catch {
      return Tool.report(error, nil, console)
    }
  }

  /// What can be completed: the names of classes and properties.
  private func names() throws -> [String] {
    let file = try RealmFile(path: path, key: key)
    return file.classes.flatMap { reader in [reader.name] + reader.columns.map { reader.column($0).name } }
  }
}

/// Words as a shell splits them: quotes hold spaces, and a backslash what follows it.
enum ShellWords {
  /// - Throws: `UsageError` when a quote does not end.
  static func split(_ line: String) throws -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\" && quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil && (character == "\"" || character == "'") {
        quote = character
        word = word ?? ""
      } else if quote == nil && character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let quote { throw UsageError("a quote \(quote) does not end.") }
    if let word { words.append(word) }
    return words
  }
}
