import Storage

/// Reads values of JSON (RFC 8259) from bytes that may be only the beginning of what there is.
struct JSONParser {
  /// That a value goes on behind the bytes.
  struct NeedsMore: Error {}
  /// That something is no JSON.
  struct Fault: Error {
    let message: String
    let position: Int
  }

  /// Deeper values are refused: nothing that reads them later should need a large stack. Lists and dictionaries may
  /// lie in objects that say that they are some, embedded objects in lists around them.
  static let deepest = 2 * ValueReading.deepest + 2 * JSONText.deepest + 10
  private let bytes: UnsafeRawBufferPointer
  private let isComplete: Bool
  private(set) var position: Int
  private var depth = 0

  /// - Parameter isComplete: Whether nothing comes after the bytes.
  init(_ bytes: UnsafeRawBufferPointer, at position: Int, isComplete: Bool) {
    self.bytes = bytes
    self.position = position
    self.isComplete = isComplete
  }

  private func fault(_ message: String, at position: Int? = nil) -> any Error {
    Fault(message: message, position: position ?? self.position)
  }

  /// The next byte that is no space, without moving on; nil at the end.
  mutating func peek() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
      case let byte: return byte
      }
    }
    return nil
  }

  mutating func skip() { position += 1 }

  private mutating func needed() throws -> UInt8 {
    if let byte = peek() { return byte }
    if isComplete { throw fault("it ends within a value") }
    throw NeedsMore()
  }

  mutating func value() throws -> JSONValue {
    switch try needed() {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case let byte: throw fault("'\(Character(Unicode.Scalar(byte)))' begins no value")
    }
  }

  private mutating func enter() throws {
    depth += 1
    if depth > Self.deepest { throw fault("values lie more than \(Self.deepest) deep within each other") }
    position += 1
  }

  private mutating func object() throws -> JSONValue {
    try enter()
    var members: [JSONValue.Member] = []
    // Of objects with many members.
    var names: Set<ExactText> = []
    if try needed() != UInt8(ascii: "}") {
      while true {
        guard try needed() == UInt8(ascii: "\"") else { throw fault("a name in quotes is missing") }
        let start = position
        let name = try string()
        // One of the two values would be lost.
        guard !Self.isRepeated(name, members, &names) else {
          throw fault("the name '\(ValueText.shortened(name))' is there twice in one object", at: start)
        }
        guard try needed() == UInt8(ascii: ":") else {
          throw fault("a colon is missing after '\(ValueText.shortened(name))'")
        }
        position += 1
        members.append(.init(name: name, value: try value()))
        if try !isNext(before: UInt8(ascii: "}"), "an object") { break }
      }
    }
    position += 1
    depth -= 1
    return .object(members)
  }

  private static let fewMembers = 16

  /// - Parameter names: Those of the members, when they are too many to be looked through.
  private static func isRepeated(
    _ name: String, _ members: [JSONValue.Member], _ names: inout Set<ExactText>
  ) -> Bool {
    if members.count < fewMembers { return members.contains { $0.name.isExactly(name) } }
    if names.isEmpty { names = Set(members.map { ExactText($0.name) }) }
    return !names.insert(ExactText(name)).inserted
  }

  private mutating func array() throws -> JSONValue {
    try enter()
    var elements: [JSONValue] = []
    if try needed() != UInt8(ascii: "]") {
      while true {
        elements.append(try value())
        if try !isNext(before: UInt8(ascii: "]"), "an array") { break }
      }
    }
    position += 1
    depth -= 1
    return .array(elements)
  }

  /// Whether a comma comes before the end, and goes over it.
  private mutating func isNext(before end: UInt8, _ what: String) throws -> Bool {
    let byte = try needed()
    if byte == end { return false }
    guard byte == UInt8(ascii: ",") else {
      throw fault("a comma, or the end of \(what), is missing before '\(Character(Unicode.Scalar(byte)))'")
    }
    position += 1
    return true
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws -> JSONValue {
    let count = word.utf8CodeUnitCount
    for offset in 0..<count {
      guard position + offset < bytes.count else {
        if isComplete { throw fault("it ends within a value") }
        throw NeedsMore()
      }
      if bytes[position + offset] != word.utf8Start[offset] {
        throw fault("a word is neither true, false nor null")
      }
    }
    position += count
    return value
  }

  private mutating func number() throws -> JSONValue {
    let start = position
    var end = start
    var isWhole = true
    scan: while end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"): break
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): isWhole = false
      default: break scan
      }
      end += 1
    }
    if end == bytes.count && !isComplete { throw NeedsMore() }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    position = end
    let digits = bytes[start] == UInt8(ascii: "-") ? start + 1 : start
    if end - digits > 1, bytes[digits] == UInt8(ascii: "0"), 48...57 ~= bytes[digits + 1] {
      throw fault("the number \(ValueText.shortened(text)) begins with 0", at: start)
    }
    if isWhole, let number = Int64(text) { return .int(number) }
    guard Double(text) != nil, 48...57 ~= bytes[end - 1] else {
      throw fault("'\(ValueText.shortened(text))' is no number", at: start)
    }
    return .number(text)
  }

  // MARK: Strings

  private mutating func string() throws -> String {
    let start = position + 1
    var end = start
    while end < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: "\"") {
        position = end + 1
        return try text(bytes[start..<end], at: start)
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
      if byte < 32 {
        throw fault("a string goes over the end of the line, or has an unescaped control character", at: end)
      }
      end += 1
    }
    if isComplete { throw fault("a string does not end", at: start) }
    throw NeedsMore()
  }

  private func text(_ bytes: Slice<UnsafeRawBufferPointer>, at start: Int) throws -> String {
    guard let text = String(validating: UnsafeRawBufferPointer(rebasing: bytes), as: UTF8.self) else {
      throw fault("a string is no UTF-8: bring the file to UTF-8 first, for example with iconv", at: start)
    }
    return text
  }

  private mutating func escapedString(from start: Int) throws -> String {
    var decoded: [UInt8] = []
    var next = start
    func byte(_ offset: Int = 0) throws -> UInt8 {
      if next + offset < bytes.count { return bytes[next + offset] }
      if isComplete { throw fault("a string does not end", at: start) }
      throw NeedsMore()
    }
    while true {
      let current = try byte()
      if current == UInt8(ascii: "\"") { break }
      if current < 32 { throw fault("a string has an unescaped control character", at: next) }
      next += 1
      guard current == UInt8(ascii: "\\") else {
        decoded.append(current)
        continue
      }
      let kind = try byte()
      next += 1
      switch kind {
      case UInt8(ascii: "n"): decoded.append(10)
      case UInt8(ascii: "t"): decoded.append(9)
      case UInt8(ascii: "r"): decoded.append(13)
      case UInt8(ascii: "b"): decoded.append(8)
      case UInt8(ascii: "f"): decoded.append(12)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(kind)
      case UInt8(ascii: "u"):
        func unit() throws -> UInt32 {
          var unit: UInt32 = 0
          for offset in 0..<4 {
            guard let digit = Hexadecimal.value(try byte(offset)) else {
              throw fault("\\u needs four hexadecimal digits", at: next)
            }
            unit = unit << 4 | UInt32(digit)
          }
          next += 4
          return unit
        }
        var scalar = try unit()
        if 0xD800...0xDBFF ~= scalar {
          guard try byte() == UInt8(ascii: "\\"), try byte(1) == UInt8(ascii: "u") else {
            throw fault("half a surrogate pair", at: next)
          }
          next += 2
          let low = try unit()
          guard 0xDC00...0xDFFF ~= low else { throw fault("half a surrogate pair", at: next) }
          scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let valid = Unicode.Scalar(scalar) else { throw fault("half a surrogate pair", at: next) }
        decoded += String(Character(valid)).utf8
      default: throw fault("\\\(Character(Unicode.Scalar(kind))) means nothing in a string", at: next)
      }
    }
    position = next + 1
    guard let text = String(validating: decoded, as: UTF8.self) else {
      throw fault("a string is no UTF-8: bring the file to UTF-8 first, for example with iconv", at: start)
    }
    return text
  }

  /// A whole text as one value.
  static func parse(_ text: String) throws -> JSONValue {
    try Array(text.utf8).withUnsafeBytes { bytes in
      var parser = JSONParser(bytes, at: 0, isComplete: true)
      let value = try parser.value()
      if parser.peek() != nil { throw parser.fault("something follows the value") }
      return value
    }
  }
}
