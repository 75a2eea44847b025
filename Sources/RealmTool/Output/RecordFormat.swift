/// The forms in which objects are written.
enum RecordFormat: String, CaseIterable, Sendable {
  case table, json, jsonl, csv

  static let escapeFormulas = CommandOption(
    "--escape-formulas", nil,
    "in CSV, write ' before texts that spreadsheets take for formulas, which begin with = + - @, a tab or a line break"
  )

  static let option = CommandOption(
    "--format", .choice(allCases.map(\.rawValue)),
    "table (default at a terminal), JSON, JSON Lines (default in a pipe or file) or CSV")

  /// Returns the format that the option names; without it, the default for the output.
  static func chosen(_ arguments: Arguments, _ console: Console) -> RecordFormat {
    arguments[option].flatMap { RecordFormat(rawValue: $0) } ?? (console.isTerminal ? .table : .jsonl)
  }
}

/// Writes objects one after the other.
protocol RecordWriter {
  mutating func write(_ row: Int) throws
  /// Writes what comes after the last one.
  mutating func finish() throws
}

extension RecordFormat {
  /// - Parameters:
  ///   - paths: The properties to be written.
  ///   - escapesFormulas: Whether CSV has no text that spreadsheets take for a formula.
  func writer(
    _ reader: ClassReader, _ paths: [PropertyPath], to stream: OutputStream, style: Style, width: Int?,
    escapesFormulas: Bool
  ) -> any RecordWriter {
    switch self {
    case .table: TableWriter(reader, paths, stream, style, width: width)
    case .json: JSONWriter(reader, paths, stream, isLines: false)
    case .jsonl: JSONWriter(reader, paths, stream, isLines: true)
    case .csv: CSVWriter(reader, paths, stream, style, escapesFormulas: escapesFormulas)
    }
  }
}

/// Objects as one JSON array, or each on a line.
struct JSONWriter: RecordWriter {
  private let reader: ClassReader
  private let paths: [PropertyPath]
  private let stream: OutputStream
  private let isLines: Bool
  private let text: JSONText
  /// Writers of the paths that are single values, by position; nil for the others.
  private let plain: [PlainCell?]
  /// The name of each member, with the comma before it and the colon after it.
  private let names: [[UInt8]]
  private var isFirst = true
  private var bytes: [UInt8] = []

  init(_ reader: ClassReader, _ paths: [PropertyPath], _ stream: OutputStream, isLines: Bool) {
    self.reader = reader
    self.paths = paths
    self.stream = stream
    self.isLines = isLines
    text = JSONText(reader.snapshot)
    plain = paths.map { PlainCell($0, reader, isTerminal: false) }
    names = paths.enumerated().map { position, path in
      var name = Array((position > 0 ? "," : "").utf8)
      name.appendJSON(path.number == nil ? "$row" : path.title)
      return name + ":".utf8
    }
  }

  mutating func write(_ row: Int) throws {
    bytes.removeAll(keepingCapacity: true)
    if !isLines { bytes += (isFirst ? "[\n" : ",\n").utf8 }
    isFirst = false
    bytes.append(UInt8(ascii: "{"))
    for position in paths.indices {
      bytes.append(contentsOf: names[position])
      if plain[position]?.appendJSON(row, to: &bytes) == true { continue }
      try paths[position].append(row, reader, text, to: &bytes)
    }
    bytes += (isLines ? "}\n" : "}").utf8
    try stream.write(bytes)
  }

  mutating func finish() throws {
    if !isLines { try stream.write(isFirst ? "[]\n" : "\n]\n") }
  }
}

/// Fields of CSV (RFC 4180). At a terminal, control characters are replaced as in a table.
struct CSVFields {
  let style: Style
  /// Whether a text that spreadsheets take for a formula gets a `'` before it.
  let escapesFormulas: Bool

  func line(_ fields: [String]) -> String { fields.joined(separator: ",") + "\r\n" }

  /// A text.
  func text(_ text: String) -> String { plain(withoutFormula(text)) }

  /// Numbers, which a mixed property may have, are no formulas.
  private func withoutFormula(_ text: String) -> String {
    guard escapesFormulas, let first = text.utf8.first, "=+-@\t\r\n".utf8.contains(first),
      Double(text) == nil
    else { return text }
    return "'" + text
  }

  /// A value that is no formula.
  func plain(_ text: String) -> String {
    let text = style.plain(text)
    let needsQuotes =
      text.isEmpty
      || text.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 < 32 }
      || text.first == " " || text.last == " "
    if !needsQuotes { return text }
    var quoted: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { quoted.append(byte) }
      quoted.append(byte)
    }
    quoted.append(UInt8(ascii: "\""))
    return String(decoding: quoted, as: UTF8.self)
  }
}

/// Objects as lines of CSV, the names of the properties first. Null is an empty field, an empty text `""`.
struct CSVWriter: RecordWriter {
  private let reader: ClassReader
  private let paths: [PropertyPath]
  private let stream: OutputStream
  private let fields: CSVFields
  /// Writers of the paths that are single values, by position; nil for the others.
  private let plain: [PlainCell?]
  private var hasHeader = false
  private var line: [UInt8] = []

  init(
    _ reader: ClassReader, _ paths: [PropertyPath], _ stream: OutputStream, _ style: Style,
    escapesFormulas: Bool
  ) {
    fields = CSVFields(style: style, escapesFormulas: escapesFormulas)
    self.reader = reader
    self.paths = paths
    self.stream = stream
    plain = paths.map { PlainCell($0, reader, isTerminal: style.escapes) }
  }

  private mutating func writeHeader() throws {
    if hasHeader { return }
    hasHeader = true
    try stream.write(fields.line(paths.map { fields.text($0.title) }))
  }

  mutating func write(_ row: Int) throws {
    try writeHeader()
    line.removeAll(keepingCapacity: true)
    for position in paths.indices {
      if position > 0 { line.append(UInt8(ascii: ",")) }
      if plain[position]?.appendField(row, to: &line) == true { continue }
      let path = paths[position]
      guard let text = try path.field(row, reader) else { continue }
      line.append(contentsOf: (path.isNumeric ? fields.plain(text) : fields.text(text)).utf8)
    }
    line.append(contentsOf: "\r\n".utf8)
    try stream.write(line)
  }

  mutating func finish() throws { try writeHeader() }
}
