/// Objects of a JSON file: the elements of an array, or one after the other as in JSON Lines.
///
/// Only what belongs to one object is in memory at a time.
struct JSONSource: RecordSource {
  private let file: InputFile
  private var buffer: [UInt8] = []
  /// How much of the buffer was read.
  private var start = 0
  private var line = 1
  private var isComplete = false
  private var hasBegun = false
  private var isArray = false
  private var hasEnded = false
  private var hasElements = false

  init(_ file: InputFile) { self.file = file }

  var position: Int { file.position }

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
      try fill()
    }
  }

  /// Nil when more bytes are needed; in it nil at the end.
  private mutating func step() throws -> (line: Int, value: JSONValue)?? {
    let outcome: Result<(value: JSONValue, from: Int, to: Int)??, any Error> = Result {
      try buffer.withUnsafeBytes { try parse($0) }
    }
    switch outcome {
    case .success(nil): return nil
    case .success(.some(nil)):
      hasEnded = true
      return .some(nil)
    case .success(.some(let found?)):
      line += newlines(start, found.from)
      let first = line
      line += newlines(found.from, found.to)
      start = found.to
      hasElements = true
      return (first, found.value)
    case .failure(let fault as JSONParser.Fault):
      throw SourceError(line: line + newlines(start, fault.position), message: fault.message)
    case .failure(is JSONParser.NeedsMore): return nil
    case .failure(let error): throw error
    }
  }

  private func parse(
    _ bytes: UnsafeRawBufferPointer
  ) throws -> (value: JSONValue, from: Int, to: Int)?? {
    var parser = JSONParser(bytes, at: start, isComplete: isComplete)
    func fault(_ message: String) -> JSONParser.Fault { .init(message: message, position: parser.position) }
    guard var byte = parser.peek() else {
      if !isComplete { return nil }
      if isArray { throw fault("the array does not end") }
      return .some(nil)
    }
    if isArray {
      if byte == UInt8(ascii: "]") {
        parser.skip()
        if parser.peek() != nil { throw fault("something follows the array") }
        return isComplete ? .some(nil) : nil
      }
      if hasElements {
        guard byte == UInt8(ascii: ",") else { throw fault("a comma is missing between two objects") }
        parser.skip()
        guard let next = parser.peek() else { return try more(fault("the array does not end")) }
        byte = next
      }
    }
    let from = parser.position
    return (try parser.value(), from, parser.position)
  }

  private func more(_ fault: JSONParser.Fault) throws -> (value: JSONValue, from: Int, to: Int)?? {
    if isComplete { throw fault }
    return nil
  }

  private func newlines(_ from: Int, _ to: Int) -> Int {
    var count = 0
    for position in from..<max(from, min(to, buffer.count)) where buffer[position] == 10 { count += 1 }
    return count
  }

  /// Reads as much again as is waiting, so that a large object is not looked at too often.
  private mutating func fill() throws {
    buffer.removeFirst(start)
    start = 0
    let wanted = max(1, buffer.count)
    var added = 0
    while added < wanted {
      guard let more = try file.read() else {
        isComplete = true
        return
      }
      buffer += more
      added += more.count
    }
  }

  private mutating func begin() throws {
    hasBegun = true
    while buffer.count < 4, !isComplete { try fill() }
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    if buffer.starts(with: [0xFF, 0xFE]) || buffer.starts(with: [0xFE, 0xFF]) {
      throw SourceError(line: 1, message: "it is UTF-16: bring it to UTF-8 first, for example with iconv")
    }
    while true {
      let first = buffer.withUnsafeBytes { bytes -> (byte: UInt8, position: Int)? in
        var parser = JSONParser(bytes, at: start, isComplete: isComplete)
        return parser.peek().map { ($0, parser.position) }
      }
      if let first {
        if first.byte == UInt8(ascii: "[") {
          isArray = true
          line += newlines(start, first.position)
          start = first.position + 1
        }
        return
      }
      if isComplete { return }
      try fill()
    }
  }
}
