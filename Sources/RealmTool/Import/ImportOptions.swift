import Storage

/// The user's options for an import, except for its file and its sources.
struct ImportOptions {
  let csv: CSVFormat
  let keyProperty: String?
  let policy: UpdatePolicy
  let ignoresUnknown: Bool
  let numericDates: NumericDates?
  private let types: [(name: String, type: ValueType)]
  /// The first given option that applies to CSV sources only.
  private let csvOption: CommandOption?

  static let typeOption = CommandOption(
    "--type", .text("PROPERTY=TYPE"),
    "the type of a property of an inferred class, as in zip=string; may be given several times")
  static let keyOption = CommandOption(
    "--key-property", .text("PROPERTY"),
    "the primary key of an inferred class; several properties are separated by commas")
  static let unknownOption = CommandOption(
    "--ignore-unknown-keys", nil,
    "leave out keys and columns that are the name of no property, instead of refusing them")

  static let all =
    [keyOption, typeOption, UpdatePolicy.option, NumericDates.option, unknownOption] + CSVFormat.options

  /// - Throws: `UsageError`.
  init(_ arguments: Arguments) throws {
    csv = try CSVFormat(arguments)
    keyProperty = arguments[Self.keyOption]
    policy = arguments[UpdatePolicy.option].flatMap { UpdatePolicy(rawValue: $0) } ?? .error
    ignoresUnknown = arguments.has(Self.unknownOption)
    numericDates = arguments[NumericDates.option].flatMap { NumericDates(rawValue: $0) }
    types = try arguments.all(Self.typeOption).map { try Self.type($0) }
    csvOption = CSVFormat.options.first { arguments.has($0) }
  }

  private static func type(_ text: String) throws -> (String, ValueType) {
    guard let sign = text.lastIndex(of: "="), sign != text.startIndex else {
      throw UsageError("--type: '\(text)' is not PROPERTY=TYPE.")
    }
    let typeName = String(text[text.index(after: sign)...])
    guard let type = TypeNames.type(named: typeName), type != .link else {
      let names = TypeNames.all.filter { $0.0 != .link }.map(\.1)
      throw UsageError(
        "--type: '\(typeName)' is none of \(names.joined(separator: ", "))."
          + Spelling.suggestion(for: typeName, among: names))
    }
    return (String(text[..<sign]), type)
  }

  /// Returns the given type of a property, which the option names as `property` or `Class.property`.
  func type(of property: String, in className: String) -> ValueType? {
    types.last { $0.name.isExactly(property) || $0.name.isExactly("\(className).\(property)") }?.type
  }

  /// Refuses types of properties that no inferred class has.
  func checkTypes(_ inferred: [(name: String, properties: [String])]) throws {
    for (name, _) in types {
      let isFound = inferred.contains { plan in
        plan.properties.contains { $0.isExactly(name) || "\(plan.name).\($0)".isExactly(name) }
      }
      if isFound { continue }
      if inferred.isEmpty {
        throw UsageError(
          "--type: no class is inferred, because the types of all properties are known.")
      }
      throw UsageError(
        "--type: no inferred class has a property '\(name)'."
          + Spelling.suggestion(for: name, among: inferred.flatMap(\.properties)))
    }
  }

  /// Refuses options that mean nothing to any source.
  func checkForms(_ sources: [ImportSource]) throws {
    if let csvOption, !sources.contains(where: { $0.form == .csv }) {
      throw UsageError("\(csvOption.name) applies to CSV sources only: add --format csv if a source is CSV.")
    }
  }
}
