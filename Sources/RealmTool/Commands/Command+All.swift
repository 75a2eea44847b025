extension Command {
  /// All commands in the order of help and manual page.
  static let all: [Command] = [
    info, schema, query, aggregate, get, create, set, delete, importing, export, diff, watch, convert,
    modernize,
    verify, compact, copy, salvage, encrypt, decrypt, sync, studio, shell,
  ]

  static func named(_ name: String) -> Command? { all.first { $0.name == name } }
}
