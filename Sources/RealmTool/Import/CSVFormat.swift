import Storage

/// The user's options for CSV sources, which the text alone does not determine.
struct CSVFormat: Sendable {
  /// How lines are handled whose number of fields differs from the number of names.
  enum RaggedLines: String, CaseIterable, Sendable {
    case error, fill, skip
  }

  /// Names of the fields of files whose first line has none.
  var header: [String]?
  /// Whether the first line has the names, even if it looks like data.
  var hasHeader = false
  /// Nil to detect it from the first line.
  var separator: UInt8?
  /// Texts without quotes that mean null.
  var nulls: [[UInt8]] = []
  var ragged = RaggedLines.error

  static let headerOption = CommandOption(
    "--header", .text("NAMES"),
    "CSV: the names of the columns, separated by commas, for a file without a header")
  static let hasHeaderOption = CommandOption(
    "--has-header", nil, "CSV: the first line is a header, even if it looks like data")
  static let separatorOption = CommandOption(
    "--separator", .text("CHARACTER"),
    "CSV: the separator of the fields, a character or tab; without it, detected from the first line")
  static let nullOption = CommandOption(
    "--null", .text("TEXT"),
    "CSV: read a field of this text, without quotes, as null; may be given several times")
  static let raggedOption = CommandOption(
    "--ragged", .choice(RaggedLines.allCases.map(\.rawValue)),
    "CSV: for lines with too few or too many fields: refuse them (error, the default), read missing fields as null (fill), or leave such lines out (skip)"
  )

  static let options = [headerOption, hasHeaderOption, separatorOption, nullOption, raggedOption]

  init() {}

  /// - Throws: `UsageError`.
  init(_ arguments: Arguments) throws {
    header = arguments[Self.headerOption].map { names in
      names.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingSpaces() }
    }
    hasHeader = arguments.has(Self.hasHeaderOption)
    if hasHeader && header != nil { throw UsageError("--header and --has-header exclude each other.") }
    try checkHeader()
    separator = try arguments[Self.separatorOption].map { try Self.separator($0) }
    nulls = arguments.all(Self.nullOption).map { Array($0.utf8) }
    ragged = arguments[Self.raggedOption].flatMap { RaggedLines(rawValue: $0) } ?? .error
  }

  private func checkHeader() throws {
    var known: Set<ExactText> = []
    for (place, name) in (header ?? []).enumerated() {
      if name.isEmpty { throw UsageError("--header: the name of field \(place + 1) is empty.") }
      if !known.insert(ExactText(name)).inserted { throw UsageError("--header: '\(name)' is given twice.") }
    }
  }

  private static func separator(_ text: String) throws -> UInt8 {
    if text == "tab" || text == "\\t" { return 9 }
    guard text.utf8.count == 1, let byte = text.utf8.first, ![10, 13, UInt8(ascii: "\"")].contains(byte)
    else {
      throw UsageError(
        "--separator: '\(text)' is not valid: it is one character of ASCII that is neither a quote nor the end of a line, or tab."
      )
    }
    return byte
  }
}
