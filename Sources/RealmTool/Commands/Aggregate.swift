import QueryEngine
import Storage

extension Command {
  private static let predicate = CommandOption(
    CommandOption.predicateName, .text("PREDICATE"), "only objects that match; without it all objects")
  private static let groupBy = CommandOption(
    "--group-by", .text("PATHS"),
    "one line for each combination of values of these key paths, separated by commas")
  private static let count = CommandOption(
    "--count", nil, "the number of objects, also the default without another aggregate")
  private static let operations: [(option: CommandOption, operation: AggregateOperation)] = [
    (
      CommandOption("--sum", .text("PROPERTIES"), "the sums of these properties, separated by commas"), .sum
    ),
    (
      CommandOption(
        "--average", .text("PROPERTIES"), "the averages of these properties, separated by commas"),
      .average
    ),
    (
      CommandOption(
        "--min", .text("PROPERTIES"), "the smallest values of these properties, separated by commas"),
      .minimum
    ),
    (
      CommandOption(
        "--max", .text("PROPERTIES"), "the largest values of these properties, separated by commas"),
      .maximum
    ),
  ]

  static let aggregate = Command(
    name: "aggregate", summary: "count objects and compute sums, averages, minima and maxima, also per group",
    discussion: """
      Computed from columns, without reading whole objects. Null values are skipped: the sum of no values is 0, the other aggregates are null. \
      Sums and averages are of int, float, double, decimal128 and mixed properties, minima and maxima also of dates. Integer sums wrap \
      around at 64 bits. Groups are printed in ascending order of their keys, null first.

      --where takes a predicate as realm query does: quote it for the shell. The exit status is 1 when no object matches.
      """,
    operands: [Operand(.file("FILE"), "the Realm file"), Operand(.text("CLASS"), "the class")],
    options: [predicate, groupBy, count] + operations.map(\.option) + [
      RecordFormat.option, RecordFormat.escapeFormulas, .keyFile,
    ],
    examples: [
      Example(
        "realm aggregate world.realm City --count --sum population --max population", "one line for all"),
      Example(
        "realm aggregate world.realm City --group-by country --count --average population --format csv",
        "one line for each country, as CSV"),
      Example(
        "realm aggregate world.realm City --where \"population > 1000000\" --group-by country,timezone",
        "the number of large cities for each country and time zone"),
    ]
  ) { arguments, console in
    let file = try RealmFile.open(arguments)
    let reader = try file.classReader(arguments.operands[1])
    var request = try AggregateRequest(
      reader, keyPaths: try names(groupBy, arguments), isCounting: arguments.has(count))
    for (option, operation) in operations {
      for name in try names(option, arguments) { try request.add(operation, name, option) }
    }
    let rows = try request.rows(matching: arguments[predicate])
    let values = ValueRows(titles: request.titles, rows: rows.lines, snapshot: reader.snapshot)
    try values.write(
      RecordFormat.chosen(arguments, console), to: console,
      escapesFormulas: arguments.has(RecordFormat.escapeFormulas))
    return rows.count == 0 ? .nothingFound : .success
  }
}

/// The names in all values of an option, separated by commas.
///
/// - Throws: `UsageError` for a missing name, and for a name that is there twice: both columns would have the same title.
private func names(_ option: CommandOption, _ arguments: Arguments) throws -> [String] {
  var names: [String] = []
  for value in arguments.all(option) {
    for name in value.split(separator: ",", omittingEmptySubsequences: false).map({ $0.trimmingSpaces() }) {
      if name.isEmpty { throw UsageError("\(option.name): a name is missing in '\(value)'.") }
      if names.contains(name) { throw UsageError("\(option.name): '\(name)' is there twice.") }
      names.append(name)
    }
  }
  return names
}

/// The groups and the aggregates that a command line asks for.
private struct AggregateRequest {
  private let reader: ClassReader
  private let keyPaths: [String]
  private let isCounting: Bool
  private var aggregates: [GroupAggregate] = []
  private var names: [String] = []

  init(_ reader: ClassReader, keyPaths: [String], isCounting: Bool) throws {
    self.reader = reader
    self.keyPaths = keyPaths
    self.isCounting = isCounting
  }

  /// - Throws: `UsageError` when the class has no such property, or the property no such aggregate.
  mutating func add(_ operation: AggregateOperation, _ property: String, _ option: CommandOption) throws {
    let number: Int
    do {
      number = try reader.column(named: property)
    } catch let error as UsageError {
      throw UsageError("\(option.name): \(error.message)")
    }
    let column = reader.column(number)
    let types = operation.propertyTypes
    guard column.collection == .none, types.contains(column.type) else {
      throw UsageError(
        "\(option.name): '\(reader.name).\(property)' is of type \(TypeNames.name(column)): it needs a property of type \(types.map { TypeNames.name($0) }.joined(separator: ", "))."
      )
    }
    aggregates.append(GroupAggregate(operation, column: number))
    names.append("\(option.name.dropFirst(2))(\(property))")
  }

  private var hasCount: Bool { isCounting || aggregates.isEmpty }

  /// The titles of the columns. A property `count` by which the objects are grouped keeps its name.
  var titles: [String] {
    keyPaths + (hasCount ? [keyPaths.contains("count") ? "count(*)" : "count"] : []) + names
  }

  /// Computes one line for each group, or one for all rows.
  ///
  /// - Throws: `UsageError` when the predicate or a key path does not fit the class.
  func rows(matching predicate: String?) throws -> (lines: [[Value]], count: Int) {
    let snapshot = reader.snapshot
    let selection = try selection(predicate)
    if keyPaths.isEmpty {
      let count = selection.map { snapshot.rows(of: $0, table: reader.number).count } ?? reader.count
      let values = aggregates.map {
        snapshot.aggregate($0.operation, table: reader.number, column: $0.column, over: selection ?? .all)
      }
      return ([line([], count, values)], count)
    }
    let groups = snapshot.groups(
      by: try keyPaths.map { try key($0) }, aggregates: aggregates, table: reader.number,
      over: selection ?? .all)
    return (groups.map { line($0.keys, $0.count, $0.aggregates) }, groups.count)
  }

  private func line(_ keys: [Value], _ count: Int, _ aggregates: [Value]) -> [Value] {
    keys + (hasCount ? [.int(Int64(count))] : []) + aggregates
  }

  private func selection(_ predicate: String?) throws -> RowSelection? {
    guard let predicate else { return nil }
    do {
      let expression = try PredicateExpression(format: predicate, arguments: [])
      let resolved = try resolve(
        expression, table: reader.number, catalogue: reader.snapshot.catalogue, texts: .onCommandLine)
      return .set(reader.snapshot.evaluate(resolved, table: reader.number))
    } catch let error as PredicateError {
      throw UsageError(PredicateAdvice(reader, predicate).explaining(error.message, error.missingProperty))
    }
  }

  private func key(_ keyPath: String) throws -> GroupKey {
    let catalogue = reader.snapshot.catalogue
    do {
      return try GroupKey(
        keyPath: keyPath, part: nil, table: reader.number, catalogue: catalogue,
        lookup: catalogue.columnLookup)
    } catch let error as PredicateError {
      throw UsageError(
        "--group-by: " + PredicateAdvice(reader, keyPath).explaining(error.message, error.missingProperty))
    }
  }
}
