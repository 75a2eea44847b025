import QueryEngine
import RealmSwift
import Storage

// Commands that change objects: each in one transaction.
extension Command {
  private static let assignments = Operand(
    .text("NAME=VALUE"), .atLeastOne,
    "properties: NAME=TEXT, or NAME:=JSON for null, collections and embedded objects")
  private static let fileAndClass = [
    Operand(.file("FILE"), "the Realm file"), Operand(.text("CLASS"), "the class"),
  ]
  private static let keyOrPredicate = Operand(
    .text("KEY"), .optional,
    "the primary key, a JSON array of several values, or '#' and a row number; left out with --where")
  private static let predicate = CommandOption(
    CommandOption.predicateName, .text("PREDICATE"),
    "all objects that match, instead of one by its key; asks for confirmation; TRUEPREDICATE matches all")

  static let create = Command(
    name: "create", summary: "create an object",
    discussion: """
      A link is the primary key of its target, a JSON array if that key has several properties. Optional properties, collections and \
      auto-incremented keys can be left out; all others are needed, because the file does not know the default values of a program's \
      classes. Prints the key of the new object.
      """,
    operands: fileAndClass + [assignments], options: [.keyFile],
    examples: [
      Example(
        "realm create world.realm Country code=XX name=Nowhere population:=0 languages:='[\"en\"]'",
        "a country")
    ]
  ) { arguments, console in
    let key = try KeyFile.read(.keyFile, arguments)
    let members = try Assignment.read(Array(arguments.operands.dropFirst(2)), arguments)
    let snapshot = try WritableFile.open(arguments.operands[0], key: key)
    let label = try Assignment.inTransaction(snapshot, arguments) { writer, reader in
      if reader.isEmbedded {
        throw UsageError(
          "Class '\(reader.name)' is embedded: set the property of the object that is to have it.")
      }
      let row = try writer.write(members, to: reader.number).row
      try writer.finish()
      return reader.label(row)
    }
    try console.print(label)
    return .success
  }

  static let set = Command(
    name: "set", summary: "change properties of one object by its key, or of all that match a predicate",
    discussion: """
      Changes all objects in one transaction. With --where it asks for confirmation, unless --yes is given. The exit status is 1 when no \
      object matches.
      """,
    operands: fileAndClass + [
      keyOrPredicate, assignments,
    ],
    options: [predicate, .yes, .keyFile],
    examples: [
      Example("realm set world.realm Country NO population=5600000", "one country"),
      Example(
        "realm set shop.realm Order '[\"acme\",7]' paid=true",
        "the key of the order is its customer and its number"),
      Example(
        "realm set world.realm City --where \"country == 'NO'\" timezone=Europe/Oslo", "several cities"),
    ]
  ) { arguments, console in
    let key = try KeyFile.read(.keyFile, arguments)
    let rest = Array(arguments.operands.dropFirst(arguments.has(predicate) ? 2 : 3))
    if rest.isEmpty {
      let isKeyMissing = !arguments.has(predicate) && arguments.operand(2)?.contains("=") == true
      throw UsageError(isKeyMissing ? missingKey : "NAME=VALUE is missing.")
    }
    let members = try Assignment.read(rest, arguments)
    let snapshot = try WritableFile.open(arguments.operands[0], key: key)
    let selection = try Selection(arguments, predicate)
    let found = try selection.rows(snapshot)
    if found.isEmpty { return try nothing(selection, console) }
    if selection.isMany,
      try !console.confirm(
        "Change \(Numbers.count(found.count, "object")) of class '\(selection.className)'?", arguments)
    {
      return .nothingFound
    }
    let count = try Assignment.inTransaction(snapshot, arguments) { writer, reader in
      // The rows that match in the newest version.
      let rows = try selection.rows(snapshot)
      for row in rows {
        for member in members {
          let column = try reader.column(named: member.name)
          // One of several properties may change.
          if column == reader.description.primaryKey {
            throw UsageError(
              "'\(member.name)' is the primary key, which never changes: create another object instead.")
          }
          _ = try writer.set(row, column, member.value, of: reader.number)
        }
      }
      try writer.finish()
      return rows.count
    }
    try console.print("Changed \(Numbers.count(count, "object")).")
    return .success
  }

  static let delete = Command(
    name: "delete", summary: "delete one object by its key, or all that match a predicate",
    discussion: """
      Asks for confirmation, unless --yes is given. Links to deleted objects become null. Embedded objects are deleted with their parents, \
      and owned objects as the delete rules of the class say; the printed number counts all but embedded objects. The exit status is 1 when \
      no object matches, or the answer is no.
      """,
    operands: fileAndClass + [keyOrPredicate],
    options: [predicate, .yes, .keyFile],
    examples: [
      Example("realm delete world.realm City 3143244", "one city, after confirmation"),
      Example(
        "realm delete world.realm City --where \"population < 20000\" --yes",
        "several cities, without confirmation"),
    ]
  ) { arguments, console in
    let key = try KeyFile.read(.keyFile, arguments)
    let snapshot = try WritableFile.open(arguments.operands[0], key: key)
    let selection = try Selection(arguments, predicate)
    let found = try selection.rows(snapshot)
    if found.isEmpty { return try nothing(selection, console) }
    let what =
      found.count == 1
      ? "the \(selection.className) \(selection.label(found[0], snapshot))"
      : "\(Numbers.count(found.count, "object")) of class '\(selection.className)'"
    let owned = ownsObjects(try selection.reader(snapshot)) ? ", and what its delete rules say" : ""
    if try !console.confirm("Delete \(what)\(owned)?", arguments) { return .nothingFound }
    let count = try WritableFile.write(snapshot) {
      let rows = try selection.rows(snapshot)
      let before = objectCount(snapshot)
      let table = try selection.reader(snapshot).table
      Writer(snapshot).deletingTogether {
        for row in rows where table.isAlive(row) { table.deleteRow(row) }
      }
      return before - objectCount(snapshot)
    }
    try console.print("Deleted \(Numbers.count(count, "object")).")
    return .success
  }

  /// Whether a class has properties with delete rules that delete other objects.
  private static func ownsObjects(_ reader: ClassReader) -> Bool {
    reader.columns.contains { [.cascade, .cascadeUnlessShared].contains(reader.column($0).linkRule) }
  }

  /// Number of objects that are not embedded.
  private static func objectCount(_ snapshot: Snapshot) -> Int {
    ClassReader.all(in: snapshot).reduce(0) { $0 + ($1.isEmbedded ? 0 : $1.count) }
  }

  fileprivate static let missingKey =
    "KEY is missing: name one object by its primary key, or all that match with --where PREDICATE."

  private static func nothing(_ selection: Selection, _ console: Console) throws -> ExitStatus {
    console.note("There is no such \(selection.className).")
    return .nothingFound
  }
}

/// The objects that a command is to change.
private struct Selection {
  let className: String
  /// As messages name the file.
  private let path: String
  private let key: String?
  private let predicate: String?

  init(_ arguments: Arguments, _ option: CommandOption) throws {
    path = arguments.operands[0]
    className = arguments.operands[1]
    predicate = arguments[option]
    key = predicate == nil ? arguments.operand(2) : nil
    if predicate == nil && key == nil { throw UsageError(Command.missingKey) }
    if predicate != nil && arguments.command.name == "delete" && arguments.operand(2) != nil {
      throw UsageError(
        "KEY and --where exclude each other\(arguments.unquotedPredicate.map { ": if the predicate has several words, \($0)" } ?? ".")"
      )
    }
  }

  var isMany: Bool { predicate != nil }

  func reader(_ snapshot: Snapshot) throws -> ClassReader {
    try ClassReader.named(className, in: snapshot, path: path)
  }

  func label(_ row: Int, _ snapshot: Snapshot) -> String {
    (try? reader(snapshot).label(row)) ?? "#\(row)"
  }

  /// - Throws: `UsageError` when key or predicate do not fit the class.
  func rows(_ snapshot: Snapshot) throws -> [Int] {
    let reader = try reader(snapshot)
    if let key { return try reader.row(key: key).map { [$0] } ?? [] }
    do {
      let expression = try PredicateExpression(format: predicate ?? "", arguments: [])
      let resolved = try resolve(
        expression, table: reader.number, catalogue: snapshot.catalogue, texts: .onCommandLine)
      return snapshot.rows(of: .set(snapshot.evaluate(resolved, table: reader.number)), table: reader.number)
    } catch let error as PredicateError {
      throw UsageError(
        PredicateAdvice(reader, predicate ?? "").explaining(error.message, error.missingProperty))
    }
  }
}

/// Values on the command line.
private enum Assignment {
  static func read(_ words: [String], _ arguments: Arguments) throws -> [JSONValue.Member] {
    var names: Set<ExactText> = []
    let members = try words.map { try member($0, arguments) }
    for member in members where !names.insert(ExactText(member.name)).inserted {
      throw UsageError("'\(member.name)' is given twice.")
    }
    return members
  }

  private static func member(_ word: String, _ arguments: Arguments) throws -> JSONValue.Member {
    guard let sign = word.firstIndex(of: "="), sign != word.startIndex else {
      throw UsageError(
        "'\(word)' is not an assignment: \(arguments.unquotedPredicate ?? "it needs NAME=VALUE.")")
    }
    let value = String(word[word.index(after: sign)...])
    let isJSON = word[word.index(before: sign)] == ":"
    let name = String(word[..<(isJSON ? word.index(before: sign) : sign)])
    if !isJSON { return .init(name: name, value: .field(value)) }
    do {
      return .init(name: name, value: try JSONParser.parse(value))
    } catch let fault as JSONScanner.Fault {
      throw UsageError("The value of '\(name)' is not JSON: \(fault.message).")
    }
  }

  /// Writes in one transaction. Values that do not fit are reported as a wrong command line.
  static func inTransaction<Result>(
    _ snapshot: Snapshot, _ arguments: Arguments, _ body: (ObjectWriter, ClassReader) throws -> Result
  ) throws -> Result {
    // Before the transaction: there may be no such class.
    _ = try ClassReader.named(arguments.operands[1], in: snapshot, path: arguments.operands[0])
    return try WritableFile.write(snapshot) {
      let reader = try ClassReader.named(arguments.operands[1], in: snapshot, path: arguments.operands[0])
      let policy: UpdatePolicy = arguments.command.name == "create" ? .error : .modified
      do {
        return try body(ObjectWriter(snapshot, policy, adviceToUpdate: "realm set changes it"), reader)
      } catch let fault as ValueFault {
        let message = fault.message.hasSuffix("?") ? fault.message : fault.message + "."
        if fault.isDueToObjects { throw ToolError(message) }
        throw UsageError(message)
      }
    }
  }
}
