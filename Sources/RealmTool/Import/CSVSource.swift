import RealmSwift
import Storage

/// Lines of a CSV file (RFC 4180) with the names of properties in the first: fields in quotes may have commas, newlines and
/// doubled quotes. Where the first line has more semicolons or tabs than commas, those separate the fields.
struct CSVSource: RecordSource {
  private var buffer: SourceBuffer
  private let format: CSVFormat
  /// Whether the class has a property of this name already.
  private let isKnown: (String) -> Bool
  private var skippedLines = 0
  private var header = CSVHeader([])

  init(_ file: InputFile, _ format: CSVFormat, isKnown: @escaping (String) -> Bool) {
    buffer = SourceBuffer(file)
    self.format = format
    self.isKnown = isKnown
  }

  var notes: [String] {
    header.notes
      + (skippedLines == 0
        ? [] : ["\(Numbers.count(skippedLines, "line")) left out, of too few or too many fields."])
  }

  mutating func read(_ progress: (Int) -> Void, _ body: (Record) throws -> Void) throws {
    try buffer.begin()
    var line = CSVReader.Line(separator: try separator())
    guard let names = try readNames(&line) else { return }
    let (format, hasNames) = (format, self.format.header == nil)
    var record = Record(RecordNames(names))
    while true {
      let (start, isComplete) = (buffer.start, buffer.isComplete)
      var skipped = 0
      buffer.start = try buffer.bytes.withUnsafeBytes { bytes in
        var reader = CSVReader(bytes, at: start, isComplete: isComplete, line)
        defer { line = reader.line }
        while try reader.read(&record, format.nulls) {
          if names.count != 1 && reader.line.isBlank { continue }
          if record.cells.count != names.count {
            if format.ragged == .skip {
              skipped += 1
              continue
            }
            try Self.complete(&record, names.count, format, hasNames)
          }
          try body(record)
        }
        return reader.start
      }
      skippedLines += skipped
      if buffer.isComplete { return }
      progress(buffer.position)
      try buffer.fill()
    }
  }

  /// Adds nulls to a record of too few fields, or throws, as the format says.
  private static func complete(
    _ record: inout Record, _ count: Int, _ format: CSVFormat, _ hasNames: Bool
  ) throws {
    if format.ragged == .fill && record.cells.count < count {
      while record.cells.count < count { record.append(record.cells.count, .null) }
      return
    }
    let names = hasNames ? "the first line has" : "--header has"
    let advice =
      record.cells.count < count
      ? "--ragged fill takes missing fields as null, and --ragged skip leaves such lines out"
      : "a field that has the separator in it needs quotes, and --ragged skip leaves such lines out"
    throw SourceError(
      line: record.line,
      message: "\(Numbers.count(record.cells.count, "field")) where \(names) \(count): \(advice)")
  }

  private mutating func separator() throws -> UInt8 {
    if let separator = format.separator { return separator }
    while !buffer.isComplete, !buffer.bytes.contains(10) { try buffer.fill() }
    let first = buffer.bytes[buffer.start...].prefix { $0 != 10 && $0 != 13 }
    var separator = UInt8(ascii: ",")
    for candidate in [UInt8(ascii: ";"), UInt8(ascii: "\t")]
    where first.count(where: { $0 == candidate }) > first.count(where: { $0 == separator }) {
      separator = candidate
    }
    return separator
  }

  /// The names of the fields; nil when there is no line.
  private mutating func readNames(_ line: inout CSVReader.Line) throws -> [String]? {
    if let header = format.header { return header }
    var record = Record(RecordNames())
    while true {
      let (start, isComplete) = (buffer.start, buffer.isComplete)
      let (isRead, end, texts) = try buffer.bytes.withUnsafeBytes { bytes in
        var reader = CSVReader(bytes, at: start, isComplete: isComplete, line)
        // Lines without anything may come before.
        var isRead = try reader.read(&record, [])
        while isRead && reader.line.isBlank { isRead = try reader.read(&record, []) }
        line = reader.line
        return (isRead, reader.start, isRead ? record.cells.map { record.value($0).fieldText } : [])
      }
      buffer.start = end
      if isRead { return try names(texts.map { $0.trimmingSpaces() }, record.line) }
      if buffer.isComplete { return nil }
      try buffer.fill()
    }
  }

  private mutating func names(_ texts: [String], _ line: Int) throws -> [String] {
    if !format.hasHeader, let value = CSVHeader.data(in: texts.filter { !isKnown($0) }) {
      throw SourceError(
        line: line,
        message:
          "'\(value.shortened)' looks like data, and not like the name of a field: --header a,b,c gives the names of a file without a line of them, and --has-header takes this line for names all the same"
      )
    }
    header = CSVHeader(texts)
    return header.names.map { $0 == "#row" ? "$row" : $0 }
  }
}

extension JSONValue {
  /// The text of a field; empty for null.
  var fieldText: String {
    if case .field(let text) = self { text } else { "" }
  }
}
