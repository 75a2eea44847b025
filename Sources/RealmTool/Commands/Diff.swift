extension Command {
  private static let otherKeyFile = CommandOption(
    "--other-key-file", .file("KEYFILE"),
    "the key of B, where it is another one than A's; none when only A is encrypted")
  private static let jsonLines = CommandOption(
    "--jsonl", nil, "write each difference as a line of JSON, for programs")

  static let diff = Command(
    name: "diff", summary: "compare two files: their classes, and objects by their primary keys",
    discussion: """
      + is what only B has, - what only A has, ~ what both have with different values. Objects of classes without a primary key are \
      the same when all of their values are; each is told as often as one file has it more than the other. Links to objects without a primary key are compared by the numbers of \
      their rows, and sets whatever their order. The exit status is 1 when the \
      files differ.
      """,
    operands: [Operand(.file("A"), "a Realm file"), Operand(.file("B"), "the other one")],
    options: [jsonLines, .keyFile, otherKeyFile],
    examples: [
      Example("realm diff yesterday.realm today.realm", "what has changed"),
      Example("realm diff a.realm b.realm && echo equal", "for scripts"),
      Example(
        "realm diff secret.realm plain.realm --key-file key --other-key-file none",
        "an encrypted file with one that is not"),
    ]
  ) { arguments, console in
    let key = try KeyFile.read(.keyFile, arguments)
    let otherKey =
      switch arguments[otherKeyFile] {
      case nil: key
      case KeyFile.none?: nil as [UInt8]?
      default: try KeyFile.read(otherKeyFile, arguments)
      }
    let first = try RealmFile(path: arguments.operands[0], key: key)
    let second = try RealmFile(path: arguments.operands[1], key: otherKey)
    var report = DifferenceReport(console, isJSON: arguments.has(jsonLines))
    try FileComparison(first, second).run(&report)
    return report.isEmpty ? .success : .nothingFound
  }
}

/// Writes differences as they are found.
struct DifferenceReport {
  private let console: Console
  private let isJSON: Bool
  private(set) var isEmpty = true

  init(_ console: Console, isJSON: Bool) {
    self.console = console
    self.isJSON = isJSON
  }

  enum Change: String {
    case added, removed, changed

    var sign: String {
      switch self {
      case .added: "+"
      case .removed: "-"
      case .changed: "~"
      }
    }
  }

  /// - Parameters:
  ///   - subject: The class, with the property when it is about that.
  ///   - key: Of the object; nil when it is about the class.
  mutating func add(_ change: Change, _ subject: String, key: String?, _ detail: String? = nil) throws {
    isEmpty = false
    if isJSON {
      var bytes: [UInt8] = []
      bytes += "{\"change\":\"\(change.rawValue)\",\"subject\":".utf8
      bytes.appendJSON(subject)
      if let key {
        bytes += ",\"key\":".utf8
        bytes.appendJSON(key)
      }
      if let detail {
        bytes += ",\"detail\":".utf8
        bytes.appendJSON(detail)
      }
      bytes += "}\n".utf8
      return try console.output.write(bytes)
    }
    let line = "\(change.sign) \(key == nil ? "class " : "")\(subject)\(key.map { " \($0)" } ?? "")"
    let painted =
      switch change {
      case .added: console.style.added(line)
      case .removed: console.style.removed(line)
      case .changed: console.style.changed(line)
      }
    try console.print(painted: painted + console.style.plain(detail.map { "  \($0)" } ?? ""))
  }
}
