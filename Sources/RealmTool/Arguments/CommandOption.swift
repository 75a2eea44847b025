/// An option of a command, as the user writes it and as help, manual and completions tell of it.
struct CommandOption: Hashable, Sendable {
  /// With its two dashes.
  let name: String
  /// What stands for its value, in capitals; nil for one that is only there or not.
  let value: ValueKind?
  let help: String

  init(_ name: String, _ value: ValueKind? = nil, _ help: String) {
    self.name = name
    self.value = value
    self.help = help
  }
}

/// What a value on the command line is, for its name in help and for completion.
enum ValueKind: Hashable, Sendable {
  case file(String)
  case folder(String)
  case text(String)
  case number(String)
  case choice([String])

  var placeholder: String {
    switch self {
    case .file(let name), .folder(let name), .text(let name), .number(let name): name
    case .choice(let choices): choices.joined(separator: "|")
    }
  }

  /// What is wrong with a value; nil when nothing is.
  func fault(in value: String) -> String? {
    switch self {
    case .number:
      guard let number = Int(value), number >= 0 else { return "'\(value)' is no number from 0 on" }
      return nil
    case .choice(let choices):
      return choices.contains(value) ? nil : "'\(value)' is none of \(choices.joined(separator: ", "))"
    case .file, .folder, .text: return value.isEmpty ? "it is empty" : nil
    }
  }
}

/// What a command is given by its place.
struct Operand: Hashable, Sendable {
  enum Number: Sendable {
    case one, optional, atLeastOne
  }

  let kind: ValueKind
  let number: Number
  let help: String

  init(_ kind: ValueKind, _ number: Number = .one, _ help: String) {
    self.kind = kind
    self.number = number
    self.help = help
  }

  var name: String { kind.placeholder }

  /// As it stands in a synopsis.
  var synopsis: String {
    switch number {
    case .one: name
    case .optional: "[\(name)]"
    case .atLeastOne: "\(name)…"
    }
  }
}

extension CommandOption {
  /// As it stands in a synopsis.
  var usage: String { value.map { "\(name) \($0.placeholder)" } ?? name }

  // Those that several commands have.
  static let help = CommandOption("--help", nil, "show this help")
  static let keyFile = CommandOption(
    "--key-file", .file("KEYFILE"),
    "read the 64 bytes of the encryption key from this file, plain or as 128 hexadecimal digits; - asks for it on the terminal"
  )
  static let newKeyFile = CommandOption(
    "--new-key-file", .file("KEYFILE"),
    "encrypt the new file with the key in this file; - asks for it on the terminal")
  static let yes = CommandOption("--yes", nil, "do not ask before something is changed for good")
  static let json = CommandOption("--json", nil, "write JSON, for programs")
}
