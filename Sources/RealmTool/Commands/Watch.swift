import Foundation
import RealmSwift

extension Command {
  private static let changeLimit = CommandOption("--limit", .number("N"), "end after N changes")
  private static let jsonLines = CommandOption(
    "--jsonl", nil, "write each change as a line of JSON, the default in a pipe or file")

  static let watch = Command(
    name: "watch", summary: "print inserted, deleted and modified objects as other processes commit them",
    discussion: """
      Lines with + are inserted objects, - deleted objects, and ~ modified objects, also when an object that they link to was modified. With \
      a predicate, an object that begins to match is inserted, and one that no longer matches is deleted. Without a class, all classes are \
      watched, also those added later. Commits in quick succession may be reported as one. Ends with Ctrl-C, and with exit status 3 when \
      the file is deleted or replaced. The user needs write permission for the file: an observer records in it which version it pins.
      """,
    operands: [
      Operand(.file("FILE"), "the Realm file"),
      Operand(.text("CLASS"), .optional, "the class; without it all classes are watched"),
      Operand(.text("PREDICATE"), .optional, "the condition"),
    ],
    options: [changeLimit, jsonLines, .keyFile],
    examples: [
      Example("realm watch world.realm", "all changes"),
      Example(
        "realm watch world.realm City \"population > 1000000\" --jsonl", "the large cities, as JSON Lines"),
    ]
  ) { arguments, console in
    let path = arguments.operands[0]
    if access(path, F_OK) == 0 && access(path, W_OK) != 0 {
      throw ToolError(
        "Failed to watch '\(path)': an observer records in the file which version it pins. \(Account.advice(path)) realm query needs read permission only."
      )
    }
    let place = FilePlace(path)
    let file = try RealmFile.open(arguments, .writing)
    let reporter = ChangeReporter(
      file, console, isJSON: arguments.has(jsonLines) || !console.isTerminal,
      limit: arguments.number(changeLimit))
    if let name = arguments.operand(1) {
      let reader = try file.classReader(name)
      reporter.watch(try QueryOptions.results(file, reader, arguments), reader.name)
    } else {
      reporter.watchAllClasses()
    }
    let status = arguments.number(changeLimit) == 0 ? .success : reporter.run(place)
    reporter.stop()
    return status
  }
}

/// Writes the changes of which the library notifies.
private final class ChangeReporter {
  private let file: RealmFile
  private let console: Console
  private let isJSON: Bool
  private let limit: Int?
  private var count = 0
  /// How many results have not come yet that were asked for at the beginning.
  private var waiting = 0
  private var tokens: [NotificationToken] = []
  /// The objects of each class as they were, since of those that are gone nothing can be read.
  private var labels: [String: [String]] = [:]
  private var watched: Set<String> = []
  private var failure: (any Error)?
  private var isDone = false

  init(_ file: RealmFile, _ console: Console, isJSON: Bool, limit: Int?) {
    self.file = file
    self.console = console
    self.isJSON = isJSON
    self.limit = limit
  }

  /// Watches the classes that are there, and each that comes later.
  func watchAllClasses() {
    let names = newClasses
    for name in names { watch(file.realm.dynamicObjects(name), name) }
    tokens.append(
      file.realm.observe { [unowned self] _, _ in
        for name in newClasses { watch(file.realm.dynamicObjects(name), name, isNew: true) }
      })
    if names.isEmpty { noteBeginning() }
  }

  private var newClasses: [String] {
    file.classes.filter { !$0.isEmbedded && !watched.contains($0.name) }.map(\.name)
  }

  private func noteBeginning() { console.note("Watching '\(file.path)'.", faint: true) }

  /// - Parameter isNew: Whether all objects have come only now, with their class.
  func watch(_ results: Results<DynamicObject>, _ name: String, isNew: Bool = false) {
    watched.insert(name)
    if !isNew { waiting += 1 }
    tokens.append(
      results.observe { [unowned self] change in
        do {
          switch change {
          case .initial(let results):
            if isNew {
              try report(results, name, [], Array(0..<results.count), [])
              break
            }
            labels[name] = all(results, name)
            waiting -= 1
            if waiting == 0 { noteBeginning() }
          case .update(let results, let deletions, let insertions, let modifications):
            try report(results, name, deletions, insertions, modifications)
          case .error(let error): throw error
          }
        } catch {
          failure = error
          isDone = true
        }
      })
  }

  private func all(_ results: Results<DynamicObject>, _ name: String) -> [String] {
    guard let reader = try? file.classReader(name) else { return [] }
    return (0..<results.count).map { reader.label(results.storedRow(at: $0)) }
  }

  private func report(
    _ results: Results<DynamicObject>, _ name: String, _ deletions: [Int], _ insertions: [Int],
    _ modifications: [Int]
  ) throws {
    let reader = try file.classReader(name)
    let former = labels[name] ?? []
    let present = all(results, name)
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
    let width = (console.width ?? .max) - DisplayWidth.of(console.style.plain(line))
    try console.print(
      painted: painted + (console.isTerminal ? DisplayWidth.fitted(text, max(0, width)) : text))
  }

  /// Interval at which the file's identity is checked, in seconds.
  private static let interval = 0.5

  /// Serves the main queue until the limit is reached, the file is gone, or the tool is stopped.
  func run(_ place: FilePlace) -> ExitStatus {
    while !isDone {
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: Self.interval))
      if !isDone, let change = place.change(advice: "start realm watch again to watch that one.") {
        failure = ToolError(change)
        isDone = true
      }
    }
    if let failure { console.complain((failure as? ToolError)?.message ?? "\(failure)") }
    return failure == nil ? .success : .failure
  }

  func stop() { for token in tokens { token.invalidate() } }
}
