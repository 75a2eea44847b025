/// A command line that was read as its command describes it.
struct Arguments: Sendable {
  let command: Command
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private(set) var wantsHelp = false
  /// The encryption key of the file where it is known without asking, as in the shell.
  var key: [UInt8]?

  /// Reads the words after the command's name. Options are accepted at any position; after `--` all words are operands.
  ///
  /// - Throws: `UsageError`.
  init(_ words: [String], for command: Command) throws {
    self.command = command
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        rest = []
      } else if word.hasPrefix("-") && word != "-" {
        try readOption(word, &rest)
      } else {
        operands.append(word)
      }
    }
    if !wantsHelp { try checkOperands() }
  }

  private mutating func readOption(_ word: String, _ rest: inout ArraySlice<String>) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if word == "-h" || word == "--help" {
      wantsHelp = true
      return
    }
    guard let option = command.options.first(where: { $0.name == parts[0] }) else {
      throw UsageError(
        "realm \(command.name) has no option '\(parts[0])'."
          + Spelling.suggestion(for: parts[0], among: command.allOptions.map(\.name)))
    }
    guard let kind = option.value else {
      if parts.count > 1 { throw UsageError("\(option.name) takes no value.") }
      values[option.name, default: []].append("")
      return
    }
    guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
      throw UsageError("\(option.name) needs a value: \(option.usage).")
    }
    if let fault = kind.fault(in: value) { throw UsageError("\(option.name): \(fault).") }
    values[option.name, default: []].append(value)
  }

  private func checkOperands() throws {
    let needed = command.operands.filter { $0.number != .optional }
    if operands.count < needed.count {
      throw UsageError("\(command.operands[operands.count].name) is missing.")
    }
    if command.operands.last?.number != .atLeastOne, operands.count > command.operands.count {
      throw UsageError(
        "'\(operands[command.operands.count])' is one argument too many: \(unquotedPredicate ?? otherAdvice)"
      )
    }
    for (operand, value) in zip(command.operands, operands) {
      if let fault = operand.kind.fault(in: value) { throw UsageError("\(operand.name): \(fault).") }
    }
  }

  /// Advice on a predicate whose words came as several arguments; nil when there is no predicate.
  var unquotedPredicate: String? {
    var words: [String]
    if let first = values[CommandOption.predicateName]?.last {
      // What the option did not take became an operand.
      words =
        [first]
        + operands.drop { !Self.looksLikeOperator($0) }
        .prefix { Self.looksLikeOperator($0) || !$0.contains("=") }
    } else if let place = command.operands.firstIndex(where: { $0.name == "PREDICATE" }) {
      words = Array(operands.dropFirst(place))
    } else {
      return nil
    }
    if words.count < 2 { return nil }
    let text = words.joined(separator: " ")
    return "quote the whole predicate, as in \(text.contains("\"") ? "'\(text)'" : "\"\(text)\"")."
  }

  private var otherAdvice: String {
    let hasPredicate = command.options.contains { $0.name == CommandOption.predicateName }
    return
      "if it belongs to the one before, quote both\(hasPredicate ? "; a predicate follows --where" : "")."
  }

  private static func looksLikeOperator(_ word: String) -> Bool {
    word.first.map { "=<>!".contains($0) } ?? false
      || [
        "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "IN", "BETWEEN", "TEXT", "AND", "OR",
      ].contains(word.uppercased())
  }

  /// The operand at a place, nil when it was left out.
  func operand(_ position: Int) -> String? { position < operands.count ? operands[position] : nil }

  /// The last value of an option.
  subscript(option: CommandOption) -> String? { values[option.name]?.last }

  /// All values of an option that was given several times.
  func all(_ option: CommandOption) -> [String] { values[option.name] ?? [] }

  func has(_ option: CommandOption) -> Bool { values[option.name] != nil }

  func number(_ option: CommandOption) -> Int? { self[option].flatMap { Int($0) } }

  /// The names in a value, separated by commas.
  func list(_ option: CommandOption) -> [String]? {
    self[option].map { value in
      value.split(separator: ",").map { $0.trimmingSpaces() }
    }
  }
}

extension StringProtocol {
  func trimmingSpaces() -> String {
    var text = self[...]
    while text.first?.isWhitespace == true { text = text.dropFirst() }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return String(text)
  }
}
