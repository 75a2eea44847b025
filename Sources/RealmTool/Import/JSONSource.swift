import RealmSwift

/// Objects of a JSON file: the elements of an array, or one after the other as in JSON Lines.
///
/// Only what belongs to one object is in memory at a time.
struct JSONSource: RecordSource {
  private var buffer: SourceBuffer
  private var line = 1
  private var hasBegun = false
  private var isArray = false
  private var hasEnded = false
  private var hasElements = false

  init(_ file: InputFile) { buffer = SourceBuffer(file) }

  var position: Int { buffer.position }

  mutating func next() throws -> Record? {
    if !hasBegun { try begin() }
    if hasEnded { return nil }
    while true {
      if let outcome = try step() {
        guard let (line, value) = outcome else { return nil }
        guard let members = value.members else {
          throw SourceError(line: line, message: "an object is expected here, not \(value.shown)")
        }
        return Record(line: line, members: members)
      }
      try buffer.fill()
    }
  }

  /// Nil when more bytes are needed; in it nil at the end.
  private mutating func step() throws -> (line: Int, value: JSONValue)?? {
    let outcome: Result<(value: JSONValue, from: Int, to: Int)??, any Error> = Result {
      try buffer.bytes.withUnsafeBytes { try parse($0) }
    }
    switch outcome {
    case .success(nil): return nil
    case .success(.some(nil)):
      hasEnded = true
      return .some(nil)
    case .success(.some(let found?)):
      line += buffer.lineCount(buffer.start, found.from)
      let first = line
      line += buffer.lineCount(found.from, found.to)
      buffer.start = found.to
      hasElements = true
      return (first, found.value)
    case .failure(let fault as JSONScanner.Fault):
      throw SourceError(line: line + buffer.lineCount(buffer.start, fault.position), message: fault.message)
    case .failure(is JSONScanner.NeedsMore): return nil
    case .failure(let error): throw error
    }
  }

  private func parse(
    _ bytes: UnsafeRawBufferPointer
  ) throws -> (value: JSONValue, from: Int, to: Int)?? {
    var parser = JSONParser(bytes, at: buffer.start, isComplete: buffer.isComplete)
    func fault(_ message: String) -> JSONScanner.Fault { .init(message: message, position: parser.position) }
    guard let byte = parser.peek() else {
      if !buffer.isComplete { return nil }
      if isArray { throw fault("the array does not end") }
      return .some(nil)
    }
    if isArray {
      if byte == UInt8(ascii: "]") {
        parser.skip()
        if parser.peek() != nil { throw fault("something follows the array") }
        return buffer.isComplete ? .some(nil) : nil
      }
      if hasElements {
        guard byte == UInt8(ascii: ",") else { throw fault("a comma is missing between two objects") }
        parser.skip()
        if parser.peek() == nil { return try more(fault("the array does not end")) }
      }
    }
    let from = parser.position
    return (try parser.value(), from, parser.position)
  }

  private func more(_ fault: JSONScanner.Fault) throws -> (value: JSONValue, from: Int, to: Int)?? {
    if buffer.isComplete { throw fault }
    return nil
  }

  private mutating func begin() throws {
    hasBegun = true
    try buffer.begin()
    while true {
      let first = buffer.bytes.withUnsafeBytes { bytes -> (byte: UInt8, position: Int)? in
        var parser = JSONParser(bytes, at: buffer.start, isComplete: buffer.isComplete)
        return parser.peek().map { ($0, parser.position) }
      }
      if let first {
        if first.byte == UInt8(ascii: "[") {
          isArray = true
          line += buffer.lineCount(buffer.start, first.position)
          buffer.start = first.position + 1
        }
        return
      }
      if buffer.isComplete { return }
      try buffer.fill()
    }
  }
}
