import RealmSwift

extension Command {
  static let query = Command(
    name: "query", summary: "print the objects of a class that match a predicate, or all",
    discussion: """
      The predicate has the syntax of Results.filter in the library: comparisons with = != < <= > >= BEGINSWITH CONTAINS ENDSWITH LIKE IN \
      BETWEEN and TEXT, combined with AND, OR and NOT, of properties and of key paths over links. Quote the whole predicate for the shell, \
      and text values within it: "name == 'Oslo'". Dates, object ids and UUIDs are written as text: since > '2024-05-01'. Property names \
      with spaces or dots need backticks, and then single quotes around the predicate.

      --properties and --sort take key paths over links, such as country.name. --properties also takes #row, the row number of an \
      object. The exit status is 1 when no object matches.
      """,
    operands: [
      Operand(.file("FILE"), "the Realm file"), Operand(.text("CLASS"), "the class"),
      Operand(.text("PREDICATE"), .optional, "the condition; without it all objects match"),
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
      Example("realm query world.realm City \"name BEGINSWITH 'San '\" --count", "the number of objects"),
      Example("realm query world.realm City \"name == 'Oslo'\" --explain", "the query plan"),
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

/// The options that select objects, for all commands that print several.
enum QueryOptions {
  static let sort = CommandOption(
    "--sort", .text("PATHS"),
    "sort by these key paths, separated by commas; - before a path sorts in descending order")
  static let limit = CommandOption("--limit", .number("N"), "print at most N objects")
  static let properties = CommandOption(
    "--properties", .text("PATHS"), "print these key paths, separated by commas")
  static let explain = CommandOption(
    "--explain", nil, "print the query plan instead of the objects")
  static let count = CommandOption("--count", nil, "print the number of matching objects only")

  /// The objects that the arguments after file and class select.
  ///
  /// - Throws: `UsageError` when the predicate or the order does not fit the class.
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
      let texts = [arguments.operand(2), arguments[sort]].compactMap { $0 }
      throw UsageError(
        PredicateAdvice(reader, texts.joined(separator: " "))
          .explaining(error.localizedDescription, error.missingProperty))
    }
    return results
  }

  static func paths(_ arguments: Arguments, _ reader: ClassReader) throws -> [PropertyPath] {
    if let names = arguments.list(properties) {
      return try names.map { try PropertyPath($0, of: reader) }
    }
    return reader.columns.map { PropertyPath($0, of: reader) }
  }
}
