/// What `realm sync` does, its first operand.
enum SyncAction: String, CaseIterable {
  case initialise = "init"
  case pushSchema = "push-schema"
  case allow
  case status
  case audit
  case resync
  case rejected
  case collect
  case rehistory

  private var operands: String {
    switch self {
    case .initialise, .pushSchema: "URL FILE"
    case .allow: "URL CLASS"
    case .status: "URL|FILE"
    case .audit, .resync, .rejected: "FILE"
    case .collect, .rehistory: "URL"
    }
  }

  private var options: [CommandOption] {
    switch self {
    case .initialise:
      [
        SyncOptions.schema, SyncOptions.classes, SyncOptions.counter, SyncOptions.routing,
        SyncOptions.printing,
        SyncOptions.insecure, .keyFile,
      ]
    case .pushSchema:
      [
        SyncOptions.classes, SyncOptions.counter, SyncOptions.routing, SyncOptions.printing,
        SyncOptions.insecure,
        .keyFile,
      ]
    case .allow: [SyncOptions.read, SyncOptions.write, SyncOptions.printing, SyncOptions.insecure]
    case .status, .audit, .resync: [SyncOptions.url, SyncOptions.insecure, .keyFile]
    case .rejected: [SyncOptions.lines, .keyFile]
    case .collect: [SyncOptions.older, SyncOptions.insecure]
    case .rehistory: [SyncOptions.insecure]
    }
  }

  /// The action with its operands and options, as help shows it.
  var form: String { ([rawValue, operands] + options.map { "[\($0.usage)]" }).joined(separator: " ") }

  /// Refuses the options that the action does not have.
  ///
  /// - Throws: `UsageError`.
  func checkOptions(_ arguments: Arguments) throws {
    let names = options.map(\.name)
    for option in arguments.command.options where arguments.has(option) && !names.contains(option.name) {
      throw UsageError(
        "realm sync \(rawValue) has no option '\(option.name)': realm sync \(form).")
    }
  }
}
