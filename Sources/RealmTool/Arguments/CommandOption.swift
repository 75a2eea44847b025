/// An option of a command, as the user writes it and as help, manual page and completions show it.
struct CommandOption: Hashable, Sendable {
  /// With its two dashes.
  let name: String
  /// The kind of its value; nil for an option without a value.
  let value: ValueKind?
  let help: String

  init(_ name: String, _ value: ValueKind? = nil, _ help: String) {
    self.name = name
    self.value = value
    self.help = help
  }
}

extension CommandOption {
  /// The option as a synopsis shows it.
  var usage: String { value.map { "\(name) \($0.placeholder)" } ?? name }

  // Options of several commands.
  static let predicateName = "--where"
  static let help = CommandOption("--help", nil, "show this help")
  static let keyFile = CommandOption(
    "--key-file", .file("KEYFILE"),
    "read the encryption key from this file: 64 bytes, or 128 hexadecimal digits; - asks for it on the terminal"
  )
  static let newKeyFile = CommandOption(
    "--new-key-file", .file("KEYFILE"),
    "encrypt the new file with the key in this file instead of the key of the old file; - asks for it on the terminal, none leaves the new file unencrypted"
  )
  static let yes = CommandOption("--yes", nil, "do not ask for confirmation")
  static let json = CommandOption("--json", nil, "write JSON, for programs")
}
