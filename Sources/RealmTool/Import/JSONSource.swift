import LibC
import RealmSwift

/// Objects of a JSON file: the elements of an array, or one after the other as in JSON Lines.
///
/// Only what belongs to one object is in memory at a time.
struct JSONSource: RecordSource {
  private var buffer: SourceBuffer
  private let part: JSONPart?

  /// - Parameter part: The array to read, where it is not all that the file has.
  init(_ file: InputFile, _ part: JSONPart?) throws {
    if let part { try file.skip(to: part.offset) }
    buffer = SourceBuffer(file)
    self.part = part
  }

  let notes: [String] = []

  mutating func read(_ progress: (Int) -> Void, _ body: (Record) throws -> Void) throws {
    try buffer.begin()
    var record = Record(RecordNames())
    var state = JSONReader.State(line: part?.line ?? 1, isPart: part != nil)
    while true {
      let (start, isComplete) = (buffer.start, buffer.isComplete)
      buffer.start = try buffer.bytes.withUnsafeBytes { bytes in
        var reader = JSONReader(JSONParser(bytes, at: start, isComplete: isComplete), state)
        defer { state = reader.state }
        while try reader.read(&record) { try body(record) }
        return reader.start
      }
      if state.hasEnded { return }
      progress(buffer.position)
      try buffer.fill()
    }
  }
}

/// An array of objects within a JSON file.
struct JSONPart {
  /// Where it begins, in bytes.
  let offset: Int
  let line: Int
}

/// Reads records from bytes that may be only a piece of a JSON file.
struct JSONReader {
  /// The state that is kept from one piece to the next.
  struct State {
    /// The line in which the unread bytes begin.
    var line: Int
    /// Whether the array is all that is to be read.
    let isPart: Bool
    fileprivate var hasBegun = false
    fileprivate var isArray = false
    fileprivate var hasElements = false
    fileprivate var isBehindArray = false
    fileprivate(set) var hasEnded = false

    init(line: Int, isPart: Bool) {
      self.line = line
      self.isPart = isPart
    }
  }

  private var parser: JSONParser
  private(set) var state: State
  /// Where the unread bytes begin.
  private(set) var start: Int

  init(_ parser: JSONParser, _ state: State) {
    self.parser = parser
    self.state = state
    start = parser.position
  }

  /// Returns false at the end, and when more bytes are needed.
  ///
  /// - Throws: `SourceError`.
  mutating func read(_ record: inout Record) throws -> Bool {
    if state.hasEnded { return false }
    do {
      if !state.hasBegun && !begin() { return false }
      guard try goToRecord() else { return false }
      let first = parser.position
      try readObject(&record)
      record.line = state.line + lineCount(start, first)
      state.line = record.line + lineCount(first, parser.position)
      start = parser.position
      state.hasElements = true
      return true
    } catch let fault as JSONScanner.Fault {
      throw SourceError(line: state.line + lineCount(start, fault.position), message: fault.message)
    } catch is JSONScanner.NeedsMore {
      return false
    }
  }

  /// Detects whether all objects are in an array. Returns false when more bytes are needed.
  private mutating func begin() -> Bool {
    guard let byte = parser.peek() else { return parser.scanner.isComplete }
    state.hasBegun = true
    if byte == UInt8(ascii: "[") {
      state.isArray = true
      parser.skip()
      take()
    }
    return true
  }

  /// Marks the bytes before the position as read.
  private mutating func take() {
    state.line += lineCount(start, parser.position)
    start = parser.position
  }

  /// Moves to the next record. Returns false at the end, and when more bytes are needed.
  private mutating func goToRecord() throws -> Bool {
    let isComplete = parser.scanner.isComplete
    guard let byte = parser.peek() else {
      if isComplete && state.isArray && !state.isBehindArray {
        throw parser.scanner.fault("the array does not end")
      }
      state.hasEnded = isComplete
      return false
    }
    if !state.isArray { return true }
    if state.isBehindArray { throw parser.scanner.fault("something follows the array") }
    if byte == UInt8(ascii: "]") {
      parser.skip()
      take()
      state.isBehindArray = true
      if state.isPart { state.hasEnded = true }
      return try state.hasEnded ? false : goToRecord()
    }
    if state.hasElements {
      guard byte == UInt8(ascii: ",") else {
        throw parser.scanner.fault("a comma is missing between two objects")
      }
      parser.skip()
      if parser.peek() == nil {
        if isComplete { throw parser.scanner.fault("the array does not end") }
        return false
      }
    }
    return true
  }

  private mutating func readObject(_ record: inout Record) throws {
    record.removeAll()
    guard try parser.scanner.needed() == UInt8(ascii: "{") else {
      let start = parser.position
      let value = try parser.value()
      throw parser.scanner.fault("an object is expected here, not \(value.shown)", at: start)
    }
    record.names.beginRecord()
    try parser.forEachMember { parser, name, start in
      let number = record.names.number(name, at: record.members.count)
      guard record.names.note(number) else { throw parser.repeated(record.names[number], at: start) }
      try parser.append(number, to: &record)
    }
  }

  /// The number of line ends from one place to another.
  private func lineCount(_ from: Int, _ to: Int) -> Int {
    let bytes = parser.scanner.bytes
    var rest = UnsafeRawBufferPointer(
      rebasing: bytes[min(from, bytes.count)..<max(from, min(to, bytes.count))])
    var count = 0
    while let start = rest.baseAddress, let found = memchr(start, 10, rest.count) {
      count += 1
      rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(found) - start + 1)...])
    }
    return count
  }
}

extension JSONParser {
  /// Reads a value into a record, without decoding it where it is a single one.
  @inline(__always)
  fileprivate mutating func append(_ name: Int, to record: inout Record) throws {
    switch try scanner.needed() {
    case UInt8(ascii: "\""):
      switch try scanner.text() {
      case .raw(let bytes): record.append(name, .string(bytes))
      case .decoded(let text): record.append(name, value: .string(text))
      }
    case UInt8(ascii: "t"):
      try scanner.word("true")
      record.append(name, .bool(true))
    case UInt8(ascii: "f"):
      try scanner.word("false")
      record.append(name, .bool(false))
    case UInt8(ascii: "n"):
      try scanner.word("null")
      record.append(name, .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let number = try scanner.number()
      if let integer = number.integer {
        record.append(name, .int(integer))
      } else {
        record.append(name, .number(number))
      }
    default: record.append(name, value: try value())
    }
  }
}
