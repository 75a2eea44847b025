import RealmSwift

/// Reads lines of CSV from bytes that may be only a piece of a file.
struct CSVReader {
  /// The state that is kept from one piece to the next.
  struct Line {
    let separator: UInt8
    /// The number of the next line.
    fileprivate(set) var number = 1
    /// Whether the last line that was read has nothing at all.
    fileprivate(set) var isBlank = false

    init(separator: UInt8) { self.separator = separator }
  }

  private let bytes: UnsafeRawBufferPointer
  private let isComplete: Bool
  private(set) var line: Line
  /// Where the unread bytes begin.
  private(set) var start: Int
  private var position: Int
  /// Number of line ends within quotes in the present line.
  private var innerLines = 0

  init(_ bytes: UnsafeRawBufferPointer, at start: Int, isComplete: Bool, _ line: Line) {
    self.bytes = bytes
    self.isComplete = isComplete
    self.line = line
    self.start = start
    position = start
  }

  /// Reads a line. Returns false at the end, and when more bytes are needed.
  ///
  /// - Parameter nulls: Texts without quotes that mean null, beside nothing.
  mutating func read(_ record: inout Record, _ nulls: [[UInt8]]) throws -> Bool {
    position = start
    if position == bytes.count { return false }
    record.removeAll()
    innerLines = 0
    record.line = line.number
    while true {
      guard try readField(&record, nulls) else { return false }
      if position == bytes.count {
        guard isComplete else { return false }
        break
      }
      let byte = bytes[position]
      position += 1
      if byte == line.separator { continue }
      if byte == 13 {
        if position == bytes.count && !isComplete { return false }
        if position < bytes.count, bytes[position] == 10 { position += 1 }
      }
      break
    }
    line.isBlank = isLineEnd(bytes[start])
    line.number += 1 + innerLines
    start = position
    return true
  }

  @inline(__always)
  private func isLineEnd(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }

  /// Reads up to the end of a field. Returns false when more bytes are needed.
  @inline(__always)
  private mutating func readField(_ record: inout Record, _ nulls: [[UInt8]]) throws -> Bool {
    let from = position
    if from < bytes.count, bytes[from] == UInt8(ascii: "\"") { return try readQuoted(&record) }
    var bits: UInt8 = 0
    var end = from
    while end < bytes.count {
      let byte = bytes[end]
      if byte == line.separator || isLineEnd(byte) { break }
      bits |= byte
      end += 1
    }
    position = end
    if end == bytes.count && !isComplete { return false }
    let field = UnsafeRawBufferPointer(rebasing: bytes[from..<end])
    if bits >= 0x80 { try check(field) }
    let isNull = field.isEmpty || !nulls.isEmpty && nulls.contains { field.elementsEqual($0) }
    record.append(record.cells.count, isNull ? .null : .field(field))
    return true
  }

  private mutating func readQuoted(_ record: inout Record) throws -> Bool {
    position += 1
    let from = position
    // Of a field that has quotes in it.
    var decoded: [UInt8]?
    while true {
      let part = position
      while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
        if bytes[position] == 10 { innerLines += 1 }
        position += 1
      }
      guard position < bytes.count else {
        if isComplete { throw fault("a quoted field does not end") }
        return false
      }
      let end = position
      position += 1
      if position == bytes.count && !isComplete { return false }
      if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
        position += 1
        if decoded == nil { decoded = [] }
        decoded!.append(contentsOf: bytes[part...end])
        continue
      }
      if position < bytes.count, bytes[position] != line.separator, !isLineEnd(bytes[position]) {
        throw fault("something follows the end of a quoted field: quotes within it are to be doubled")
      }
      if decoded != nil {
        decoded!.append(contentsOf: bytes[part..<end])
        record.append(record.cells.count, value: .field(try text(decoded!)))
      } else {
        let field = UnsafeRawBufferPointer(rebasing: bytes[from..<end])
        try check(field)
        record.append(record.cells.count, .field(field))
      }
      return true
    }
  }

  private func fault(_ message: String) -> SourceError { SourceError(line: line.number, message: message) }

  private func check(_ field: UnsafeRawBufferPointer) throws {
    if String(validating: field, as: UTF8.self) == nil { throw noUTF8 }
  }

  private func text(_ bytes: [UInt8]) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw noUTF8 }
    return text
  }

  private var noUTF8: SourceError {
    fault("a field is no UTF-8: bring the file to UTF-8 first, for example with iconv")
  }
}
