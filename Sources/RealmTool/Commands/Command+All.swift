extension Command {
  /// In the order of help and manual.
  static let all: [Command] = [
    info, schema, query, get, importing, export, convert, verify, compact, copy, salvage, encrypt, decrypt,
  ]

  static func named(_ name: String) -> Command? { all.first { $0.name == name } }
}
