import Storage

/// Lines of a CSV file (RFC 4180) with the names of properties in the first: fields in quotes may have commas, newlines and
/// doubled quotes. Where the first line has more semicolons or tabs than commas, those separate the fields.
struct CSVSource: RecordSource {
  private var buffer: SourceBuffer
  private var line = 1
  private var names: [String]?
  private var separator = UInt8(ascii: ",")

  init(_ file: InputFile) { buffer = SourceBuffer(file) }

  var position: Int { buffer.position }

  mutating func next() throws -> Record? {
    if names == nil { try readHeader() }
    while let fields = try nextLine() {
      // A line without anything is none, unless it has all that there is to a line.
      if names?.count != 1, fields.fields.count == 1, fields.fields[0].text.isEmpty,
        !fields.fields[0].isQuoted
      {
        continue
      }
      return try record(fields)
    }
    return nil
  }

  private func record(_ found: Line) throws -> Record {
    guard let names, found.fields.count == names.count else {
      throw SourceError(
        line: found.number,
        message: "\(Numbers.count(found.fields.count, "field")) where the first line has \(names?.count ?? 0)"
      )
    }
    var members: [JSONValue.Member] = []
    members.reserveCapacity(names.count)
    for (name, field) in zip(names, found.fields) {
      // Nothing is null; an empty text has quotes.
      let value: JSONValue = field.text.isEmpty && !field.isQuoted ? .null : .field(field.text)
      members.append(.init(name: name == "#row" ? "$row" : name, value: value))
    }
    return Record(line: found.number, members: members)
  }

  private mutating func readHeader() throws {
    try buffer.begin()
    while !buffer.isComplete, !buffer.bytes.contains(10) { try buffer.fill() }
    let first = buffer.bytes[buffer.start...].prefix { $0 != 10 && $0 != 13 }
    for candidate in [UInt8(ascii: ";"), UInt8(ascii: "\t")]
    where first.count(where: { $0 == candidate }) > first.count(where: { $0 == separator }) {
      separator = candidate
    }
    guard let found = try nextLine() else {
      names = []
      return
    }
    let names = found.fields.map { $0.text.trimmingSpaces() }
    var known: Set<ExactText> = []
    for (position, name) in names.enumerated() {
      if name.isEmpty { throw SourceError(line: 1, message: "the field \(position + 1) has no name") }
      if !known.insert(ExactText(name)).inserted {
        throw SourceError(line: 1, message: "two fields are called '\(name)'")
      }
    }
    self.names = names
  }

  private struct Line {
    let number: Int
    let fields: [(text: String, isQuoted: Bool)]
  }

  private mutating func nextLine() throws -> Line? {
    while true {
      if buffer.start == buffer.bytes.count && buffer.isComplete { return nil }
      if let (found, end) = try scan() {
        let number = line
        line += buffer.lineCount(buffer.start, end)
        buffer.start = end
        return Line(number: number, fields: found)
      }
      try buffer.fill()
    }
  }

  /// The fields up to the end of a line, and where that is; nil when more bytes are needed.
  private func scan() throws -> (fields: [(text: String, isQuoted: Bool)], end: Int)? {
    var fields: [(text: String, isQuoted: Bool)] = []
    var position = buffer.start
    while true {
      guard let field = try scanField(&position) else { return nil }
      fields.append(field)
      guard position < buffer.bytes.count else { return buffer.isComplete ? (fields, position) : nil }
      if buffer.bytes[position] == separator {
        position += 1
        continue
      }
      if buffer.bytes[position] == 13 {
        guard position + 1 < buffer.bytes.count || buffer.isComplete else { return nil }
        if position + 1 < buffer.bytes.count, buffer.bytes[position + 1] == 10 { position += 1 }
      }
      return (fields, position + 1)
    }
  }

  private func scanField(_ position: inout Int) throws -> (text: String, isQuoted: Bool)? {
    guard position < buffer.bytes.count else { return buffer.isComplete ? ("", false) : nil }
    guard buffer.bytes[position] == UInt8(ascii: "\"") else {
      let from = position
      while position < buffer.bytes.count, buffer.bytes[position] != separator, buffer.bytes[position] != 10,
        buffer.bytes[position] != 13
      {
        position += 1
      }
      if position == buffer.bytes.count && !buffer.isComplete { return nil }
      return (try text(buffer.bytes[from..<position]), false)
    }
    var bytes: [UInt8] = []
    position += 1
    while true {
      let from = position
      while position < buffer.bytes.count, buffer.bytes[position] != UInt8(ascii: "\"") { position += 1 }
      bytes += buffer.bytes[from..<position]
      guard position < buffer.bytes.count else {
        if buffer.isComplete { throw SourceError(line: line, message: "a quoted field does not end") }
        return nil
      }
      position += 1
      guard position < buffer.bytes.count else {
        return buffer.isComplete ? (try text(bytes[...]), true) : nil
      }
      guard buffer.bytes[position] == UInt8(ascii: "\"") else { break }
      bytes.append(UInt8(ascii: "\""))
      position += 1
    }
    guard [separator, 10, 13].contains(buffer.bytes[position]) else {
      throw SourceError(
        line: line, message: "something follows the end of a quoted field: quotes within it are to be doubled"
      )
    }
    return (try text(bytes[...]), true)
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SourceError(
        line: line, message: "a field is no UTF-8: bring the file to UTF-8 first, for example with iconv")
    }
    return text
  }
}
