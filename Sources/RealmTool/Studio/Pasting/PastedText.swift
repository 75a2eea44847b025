import RealmSwift
import Storage

/// Rows of values that were copied from a spreadsheet, a file or the page.
struct PastedText: Sendable {
  enum Format: String, Sendable {
    case tsv, csv, json, jsonl
  }

  let format: Format
  /// The texts of the first line, or the names of the members of JSON objects; nil when nothing names the columns.
  private(set) var titles: [String]?
  /// The values of each row; nil where a row has none for a column.
  private(set) var rows: [[JSONValue?]]

  /// Number of columns.
  var width: Int { titles?.count ?? rows.map(\.count).max() ?? 0 }

  /// - Parameter format: Nil to recognise it.
  /// - Throws: `SourceError` with the line of the mistake.
  init(_ text: String, _ format: Format?) throws {
    // Some programs begin with a byte order mark.
    let bytes = Array((text.unicodeScalars.first == "\u{FEFF}" ? text.dropFirst() : text[...]).utf8)
    let recognised = try format ?? Self.format(of: bytes)
    switch recognised {
    case .json, .jsonl:
      (titles, rows) = try Self.objects(bytes)
      self.format = format ?? (Self.firstByte(bytes) == UInt8(ascii: "{") && rows.count > 1 ? .jsonl : .json)
    case .tsv, .csv:
      self.format = recognised
      titles = nil
      rows =
        recognised == .tsv ? Self.tabSeparated(bytes) : try Self.commaSeparated(bytes, Self.separator(bytes))
    }
  }

  /// Takes the first line as the titles of the columns, when its texts are titles. In JSON the objects name the columns.
  mutating func takeTitles(when areTitles: ([String]) -> Bool) {
    guard format == .tsv || format == .csv, let first = rows.first else { return }
    let texts = first.map { $0?.fieldText ?? "" }
    if !areTitles(texts) { return }
    titles = CSVHeader(texts.map { $0.trimmingSpaces() }).names
    rows.removeFirst()
  }

  // MARK: Formats

  private static func firstByte(_ bytes: [UInt8]) -> UInt8? { bytes.first { ![9, 10, 13, 32].contains($0) } }

  private static func firstLine(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.drop { $0 == 10 || $0 == 13 }.prefix { $0 != 10 && $0 != 13 }
  }

  private static func format(of bytes: [UInt8]) throws -> Format {
    switch firstByte(bytes) {
    case UInt8(ascii: "{"): return .json
    case UInt8(ascii: "["):
      // A cell of a spreadsheet may begin with a bracket.
      let next = bytes.drop { $0 != UInt8(ascii: "[") }.dropFirst().first { ![9, 10, 13, 32].contains($0) }
      if next == UInt8(ascii: "{") || next == UInt8(ascii: "]") { return .json }
    default: break
    }
    if firstLine(bytes).contains(9) { return .tsv }
    // Text with a comma is one cell unless all lines have as many fields.
    let lines = (try? commaSeparated(bytes, separator(bytes))) ?? []
    let width = lines.first?.count ?? 0
    return width > 1 && lines.count > 1 && lines.allSatisfy { $0.count == width } ? .csv : .tsv
  }

  private static func separator(_ bytes: [UInt8]) -> UInt8 {
    let line = firstLine(bytes)
    func count(_ text: Unicode.Scalar) -> Int { line.count { $0 == UInt8(ascii: text) } }
    if line.contains(9) { return 9 }
    return count(";") > count(",") ? UInt8(ascii: ";") : UInt8(ascii: ",")
  }

  private static func commaSeparated(_ bytes: [UInt8], _ separator: UInt8) throws -> [[JSONValue?]] {
    var rows: [[JSONValue?]] = []
    var record = Record(RecordNames())
    try bytes.withUnsafeBytes { bytes in
      var reader = CSVReader(bytes, at: 0, isComplete: true, CSVReader.Line(separator: separator))
      while try reader.read(&record, []) {
        if !reader.line.isBlank { rows.append(record.cells.map { record.value($0) }) }
      }
    }
    return rows
  }

  /// Reads lines as spreadsheets copy them: fields with tabs, line ends or quotes are in quotes, in which quotes are doubled. A
  /// quote that begins a field and is not closed at its end belongs to the text.
  private static func tabSeparated(_ bytes: [UInt8]) -> [[JSONValue?]] {
    var rows: [[JSONValue?]] = []
    var row: [JSONValue?] = []
    var position = 0
    while position < bytes.count {
      let field: JSONValue
      if let (text, end) = quoted(bytes, position) {
        (field, position) = (.field(String(decoding: text, as: UTF8.self)), end)
      } else {
        let end = bytes[position...].firstIndex { $0 == 9 || $0 == 10 || $0 == 13 } ?? bytes.count
        field = end == position ? .null : .field(String(decoding: bytes[position..<end], as: UTF8.self))
        position = end
      }
      row.append(field)
      if position < bytes.count, bytes[position] == 9 {
        position += 1
        // The last field of the text is empty.
        if position == bytes.count { row.append(.null) }
        continue
      }
      if position < bytes.count, bytes[position] == 13 { position += 1 }
      if position < bytes.count, bytes[position] == 10 { position += 1 }
      rows.append(row)
      row = []
    }
    if !row.isEmpty { rows.append(row) }
    return rows
  }

  /// The content of a field in quotes, and where it ends; nil for a field without.
  private static func quoted(_ bytes: [UInt8], _ start: Int) -> (text: [UInt8], end: Int)? {
    guard bytes[start] == UInt8(ascii: "\"") else { return nil }
    var text: [UInt8] = []
    var position = start + 1
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "\"") {
        text.append(bytes[position])
        position += 1
      } else if position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "\"") {
        text.append(UInt8(ascii: "\""))
        position += 2
      } else {
        let end = position + 1
        return end == bytes.count || [9, 10, 13].contains(bytes[end]) ? (text, end) : nil
      }
    }
    return nil
  }

  // MARK: JSON

  private static func objects(_ bytes: [UInt8]) throws -> (titles: [String], rows: [[JSONValue?]]) {
    var record = Record(RecordNames())
    var rows: [[JSONValue?]] = []
    var names: [String] = []
    var places: [ExactText: Int] = [:]
    try bytes.withUnsafeBytes { bytes in
      var reader = JSONReader(
        JSONParser(bytes, at: 0, isComplete: true), JSONReader.State(line: 1, isPart: false))
      while try reader.read(&record) {
        var row: [JSONValue?] = Array(repeating: nil, count: names.count)
        for member in record.object {
          let place = places[ExactText(member.name)] ?? names.count
          if place == names.count {
            places[ExactText(member.name)] = place
            names.append(member.name)
            row.append(nil)
          }
          row[place] = member.value
        }
        rows.append(row)
      }
    }
    return (names, rows)
  }
}
