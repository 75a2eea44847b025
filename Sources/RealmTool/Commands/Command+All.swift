extension Command {
  /// In the order of help and manual.
  static let all: [Command] = [
    info, schema, query, get, create, set, delete, importing, export, diff, watch, convert, modernize, verify,
    compact,
    copy, salvage, encrypt, decrypt,
    shell,
  ]

  static func named(_ name: String) -> Command? { all.first { $0.name == name } }
}
