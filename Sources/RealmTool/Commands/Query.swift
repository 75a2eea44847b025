import RealmSwift

extension Command {
  static let query = Command(
    name: "query", summary: "show the objects of a class, all or those for which a predicate holds",
    discussion: """
      The predicate is that of Results.filter: comparisons with = != < <= > >= BEGINSWITH CONTAINS ENDSWITH LIKE IN BETWEEN \
      and TEXT, joined by AND, OR and NOT, over properties and paths of them. Put it in quotes, so that the shell leaves it alone. \
      Dates, object ids and UUIDs are written as strings, as in since > '2024-05-01'. Names with spaces or dots in them need \
      backticks, and then single quotes around the predicate.

      Columns may be paths over links, as in country.name, and #row is the number of an object's row. The exit status is 1 when \
      there is no such object.
      """,
    operands: [
      Operand(.file("FILE"), "the Realm file"), Operand(.text("CLASS"), "the class"),
      Operand(.text("PREDICATE"), .optional, "the condition; all objects without one"),
    ],
    options: [
      QueryOptions.sort, QueryOptions.limit, QueryOptions.properties, RecordFormat.option,
      RecordFormat.escapeFormulas, QueryOptions.explain, QueryOptions.count, .keyFile,
    ],
    examples: [
      Example(
        "realm query world.realm City \"population > 5000000\" --sort -population", "the largest cities first"
      ),
      Example(
        "realm query world.realm City --properties name,country.name --limit 10 --format csv",
        "ten cities as CSV"),
      Example("realm query world.realm City \"name BEGINSWITH 'San '\" --count", "only how many there are"),
      Example("realm query world.realm City \"name == 'Oslo'\" --explain", "how the objects are found"),
      Example(
        "realm query people.realm Person '`first name` == \"Ada\"'", "a property with a space in its name"),
    ]
  ) { arguments, console in
    let file = try RealmFile.open(arguments)
    let reader = try file.classReader(arguments.operands[1])
    let results = try QueryOptions.results(file, reader, arguments)
    if arguments.has(QueryOptions.explain) {
      try console.print(results.explain())
      return .success
    }
    let count = min(results.count, arguments.number(QueryOptions.limit) ?? .max)
    if arguments.has(QueryOptions.count) {
      try console.print(console.isTerminal ? Numbers.separated(count) : String(count))
      return count == 0 ? .nothingFound : .success
    }
    let format = RecordFormat.chosen(arguments, console)
    let paths = try QueryOptions.paths(arguments, reader)
    var writer = format.writer(
      reader, paths, to: console.output, style: console.style, width: console.width,
      escapesFormulas: arguments.has(RecordFormat.escapeFormulas))
    for position in 0..<count { try writer.write(results.storedRow(at: position)) }
    try writer.finish()
    if format == .table && console.isTerminal {
      let total = results.count
      console.note(
        count == total
          ? Numbers.count(total, "object")
          : "\(Numbers.separated(count)) of \(Numbers.count(total, "object"))", faint: true)
    }
    return count == 0 ? .nothingFound : .success
  }
}

/// What tells which objects are meant, for all commands that show several.
enum QueryOptions {
  static let sort = CommandOption(
    "--sort", .text("PATHS"),
    "sort by these properties, separated by commas; - before one for large values first")
  static let limit = CommandOption("--limit", .number("N"), "show no more than N objects")
  static let properties = CommandOption(
    "--properties", .text("PATHS"), "show these properties, separated by commas")
  static let explain = CommandOption(
    "--explain", nil, "tell how the objects are found instead of showing them")
  static let count = CommandOption("--count", nil, "write only how many there are")

  /// The objects that the arguments after file and class select.
  ///
  /// - Throws: `UsageError` when predicate or order do not fit the class.
  static func results(
    _ file: RealmFile, _ reader: ClassReader, _ arguments: Arguments
  ) throws -> Results<DynamicObject> {
    var results = file.realm.dynamicObjects(reader.name)
    do {
      if let predicate = arguments.operand(2) {
        results = try results.filter(checking: predicate, texts: .onCommandLine)
      }
      if let paths = arguments.list(sort) {
        let descriptors = paths.map { path in
          let isDescending = path.hasPrefix("-")
          return RealmSwift.SortDescriptor(
            keyPath: isDescending ? String(path.dropFirst()) : path, ascending: !isDescending)
        }
        results = try results.sorted(checking: descriptors)
      }
    } catch let error as Realm.Error where error.code == .invalidInput {
      throw UsageError(
        error.localizedDescription
          + unnameable(
            reader, [arguments.operand(2), arguments[sort]].compactMap { $0 }.joined(separator: " ")))
    }
    return results
  }

  /// Returns advice on property names in a text that need backticks.
  static func unnameable(_ reader: ClassReader, _ text: String) -> String {
    let names = reader.columns.map { reader.column($0).name }.filter {
      !SwiftNames.isPlain($0) && text.contains($0)
    }
    guard let first = names.first else { return "" }
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    return
      "\nIn predicates, \(list) of class '\(reader.name)' \(names.count == 1 ? "needs" : "need") backticks, as in '`\(first)` != NULL' within single quotes of the shell. --sort cannot name properties with a dot in them."
  }

  static func paths(_ arguments: Arguments, _ reader: ClassReader) throws -> [PropertyPath] {
    if let names = arguments.list(properties) {
      return try names.map { try PropertyPath($0, of: reader) }
    }
    return reader.columns.map { PropertyPath($0, of: reader) }
  }
}
