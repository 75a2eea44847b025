extension Command {
  private static let otherKeyFile = CommandOption(
    "--other-key-file", .file("KEYFILE"),
    "the key of B, if it differs from that of A; none if B is not encrypted")
  private static let jsonLines = CommandOption(
    "--jsonl", nil, "write each difference as a line of JSON")

  static let diff = Command(
    name: "diff", summary: "compare two files: their classes, and objects by their primary keys",
    discussion: """
      Lines with + are objects, properties and classes that only B has, - those that only A has, and ~ those that differ. Objects of a \
      class without a primary key are compared by all of their values, and printed as often as one file has them more than the other. Links \
      to such objects are compared by row numbers. The order of elements in sets is ignored. The exit status is 1 when the files differ.
      """,
    operands: [Operand(.file("A"), "a Realm file"), Operand(.file("B"), "another Realm file")],
    options: [jsonLines, .keyFile, otherKeyFile],
    examples: [
      Example("realm diff yesterday.realm today.realm", "the changes since yesterday"),
      Example("realm diff a.realm b.realm && echo equal", "in a script"),
      Example(
        "realm diff secret.realm plain.realm --key-file key --other-key-file none",
        "an encrypted file and a file without encryption"),
      Example(
        "realm diff plain.realm secret.realm --other-key-file key",
        "a file without encryption and an encrypted file"),
    ]
  ) { arguments, console in
    let key = try KeyFile.read(.keyFile, arguments)
    let otherKey =
      switch arguments[otherKeyFile] {
      case nil: key
      case KeyFile.none?: nil as [UInt8]?
      default: try KeyFile.read(otherKeyFile, arguments)
      }
    let first = try RealmFile(path: arguments.operands[0], key: key, role: .first)
    let second = try RealmFile(path: arguments.operands[1], key: otherKey, role: .second)
    var report = DifferenceReport(console, isJSON: arguments.has(jsonLines))
    try FileComparison(first, second).run(&report)
    return report.isEmpty ? .success : .nothingFound
  }
}

/// Writes each difference when it is found.
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
