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
    "encrypt the new file with the key in this file instead of the key of the old one; - asks for it on the terminal, none leaves the new file unencrypted"
  )
  static let yes = CommandOption("--yes", nil, "do not ask before something is changed for good")
  static let json = CommandOption("--json", nil, "write JSON, for programs")
}
