import Foundation
import RealmSwift

extension Command {
  private static let changeLimit = CommandOption("--limit", .number("N"), "end after N changes")
  private static let jsonLines = CommandOption(
    "--jsonl", nil, "write each change as a line of JSON, as it is done where the output is no terminal")

  static let watch = Command(
    name: "watch", summary: "show the changes of objects as programs commit them",
    discussion: """
      + is an object that came, - one that went, ~ one that was written, or that leads to one that was; a predicate counts coming and \
      going by whether it holds. Without a class all are watched. Several commits that follow each other closely may be told as one. \
      Ends with Ctrl-C.
      """,
    operands: [
      Operand(.file("FILE"), "the Realm file"),
      Operand(.text("CLASS"), .optional, "the class; all without it"),
      Operand(.text("PREDICATE"), .optional, "the condition"),
    ],
    options: [changeLimit, jsonLines, .keyFile],
    examples: [
      Example("realm watch world.realm", "all that changes"),
      Example("realm watch world.realm City \"population > 1000000\" --jsonl", "for programs"),
    ]
  ) { arguments, console in
    let file = try RealmFile.open(arguments, .writing)
    let readers =
      try arguments.operand(1).map { [try file.classReader($0)] } ?? file.classes.filter { !$0.isEmbedded }
    let reporter = ChangeReporter(
      console, isJSON: arguments.has(jsonLines) || !console.isTerminal, limit: arguments.number(changeLimit))
    for reader in readers {
      let results = try QueryOptions.results(file, reader, arguments)
      reporter.watch(results, reader.name, file)
    }
    let status = reporter.run()
    reporter.stop()
    return status
  }
}

/// Writes changes as the library tells of them.
private final class ChangeReporter {
  private let console: Console
  private let isJSON: Bool
  private let limit: Int?
  private var count = 0
  private var waiting = 0
  private var tokens: [NotificationToken] = []
  /// The objects of each class as they were, since of those that are gone nothing can be read.
  private var labels: [String: [String]] = [:]
  private var failure: (any Error)?
  private var isDone = false

  init(_ console: Console, isJSON: Bool, limit: Int?) {
    self.console = console
    self.isJSON = isJSON
    self.limit = limit
  }

  func watch(_ results: Results<DynamicObject>, _ name: String, _ file: RealmFile) {
    waiting += 1
    tokens.append(
      results.observe { [unowned self] change in
        do {
          switch change {
          case .initial(let results):
            labels[name] = all(results, name, file)
            waiting -= 1
            if waiting == 0 { console.note(console.style.faint("Watching '\(file.path)'.")) }
          case .update(let results, let deletions, let insertions, let modifications):
            try report(results, name, file, deletions, insertions, modifications)
          case .error(let error): throw error
          }
        } catch {
          failure = error
          isDone = true
        }
      })
  }

  private func all(_ results: Results<DynamicObject>, _ name: String, _ file: RealmFile) -> [String] {
    guard let reader = try? file.classReader(name) else { return [] }
    return (0..<results.count).map { reader.label(results.storedRow(at: $0)) }
  }

  private func report(
    _ results: Results<DynamicObject>, _ name: String, _ file: RealmFile, _ deletions: [Int],
    _ insertions: [Int],
    _ modifications: [Int]
  ) throws {
    let reader = try file.classReader(name)
    let former = labels[name] ?? []
    let present = all(results, name, file)
    labels[name] = present
    for position in deletions { try write("-", "deleted", name, former[position], nil, reader) }
    for position in insertions {
      try write("+", "inserted", name, present[position], results.storedRow(at: position), reader)
    }
    let inserted = Set(insertions)
    let deleted = Set(deletions)
    // Modifications are positions before the change.
    var after: [Int] = []
    if !modifications.isEmpty {
      let kept = present.indices.filter { !inserted.contains($0) }
      var next = 0
      after = former.indices.map { position in
        if deleted.contains(position) { return -1 }
        defer { next += 1 }
        return kept[next]
      }
    }
    for position in modifications where after[position] >= 0 {
      try write(
        "~", "modified", name, present[after[position]], results.storedRow(at: after[position]), reader)
    }
    try console.output.flush()
  }

  private func write(
    _ sign: String, _ change: String, _ name: String, _ label: String, _ row: Int?, _ reader: ClassReader
  ) throws {
    if let limit, count >= limit { return }
    count += 1
    if count == limit { isDone = true }
    var object: [UInt8] = []
    if let row { try JSONText(reader.snapshot).append(row, of: reader, columns: reader.columns, to: &object) }
    if isJSON {
      var bytes: [UInt8] = []
      bytes += "{\"change\":\"\(change)\",\"class\":".utf8
      bytes.appendJSON(name)
      bytes += ",\"key\":".utf8
      bytes.appendJSON(label)
      if row != nil { bytes += ",\"object\":".utf8 + object }
      try console.output.write(bytes + Array("}\n".utf8))
      return
    }
    let line = "\(sign) \(name) \(label)"
    let painted =
      switch sign {
      case "+": console.style.added(line)
      case "-": console.style.removed(line)
      default: console.style.changed(line)
      }
    let text = row == nil ? "" : "  " + String(decoding: object, as: UTF8.self)
    let width = (console.width ?? .max) - DisplayWidth.of(line)
    try console.print(painted + (console.isTerminal ? DisplayWidth.fitted(text, max(0, width)) : text))
  }

  /// Serves the main queue until everything is told, or the tool is stopped.
  func run() -> ExitStatus {
    while !isDone { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    if let failure { console.note("realm: \((failure as? ToolError)?.message ?? "\(failure)")") }
    return failure == nil ? .success : .failure
  }

  func stop() { for token in tokens { token.invalidate() } }
}
