import RealmSwift
import Storage

/// Reads values of JSON (RFC 8259) from bytes that may be only the beginning of what there is.
struct JSONParser {
  /// Deeper values are refused: nothing that reads them later should need a large stack. Lists and dictionaries may
  /// lie in objects that say that they are some, embedded objects in lists around them.
  static let deepest = 2 * ValueReading.deepest + 2 * JSONText.deepest + 10
  var scanner: JSONScanner
  private var depth = 0

  /// - Parameter isComplete: Whether nothing comes after the bytes.
  init(_ bytes: UnsafeRawBufferPointer, at position: Int, isComplete: Bool) {
    scanner = JSONScanner(bytes, at: position, isComplete: isComplete)
  }

  var position: Int { scanner.position }

  /// The next byte that is no space, without moving on; nil at the end.
  mutating func peek() -> UInt8? { scanner.peek() }

  mutating func skip() { scanner.skip() }

  /// - Throws: `JSONScanner.Fault`, and `JSONScanner.NeedsMore` when the value goes on behind the bytes.
  mutating func value() throws -> JSONValue {
    switch try scanner.needed() {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try scanner.string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let number = try scanner.number()
      return number.integer.map { .int($0) } ?? .number(number.text)
    case let byte: throw scanner.noValue(byte)
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws -> JSONValue {
    try scanner.word(word)
    return value
  }

  private mutating func enter() throws {
    depth += 1
    if depth > Self.deepest {
      throw scanner.fault("values lie more than \(Self.deepest) deep within each other")
    }
    scanner.skip()
  }

  /// - Parameter isPlain: Whether its members are never taken for a value of extended JSON.
  private mutating func object(isPlain: Bool = false) throws -> JSONValue {
    var members: [JSONValue.Member] = []
    // Of objects with many members.
    var names: Set<ExactText> = []
    try forEachMember { parser, scanned, start in
      let name = scanned.string
      // One of the two values would be lost.
      guard !Self.isRepeated(name, members, &names) else { throw parser.repeated(name, at: start) }
      let isDictionary = try name == ExtendedJSON.dictionary && parser.scanner.needed() == UInt8(ascii: "{")
      members.append(
        .init(name: name, value: try isDictionary ? parser.object(isPlain: true) : parser.value()))
    }
    return (isPlain ? nil : ExtendedJSON.value(members)) ?? .object(members)
  }

  /// Iterates over the members of the object that begins at the next byte. The body reads the value after each name.
  @inline(__always)
  mutating func forEachMember(
    _ body: (inout JSONParser, _ name: ScannedText, _ start: Int) throws -> Void
  ) throws {
    try enter()
    if try scanner.needed() != UInt8(ascii: "}") {
      while true {
        _ = try scanner.needed()
        let start = position
        try body(&self, try scanner.name(), start)
        if try !scanner.isNext(before: UInt8(ascii: "}"), "an object") { break }
      }
    }
    scanner.skip()
    depth -= 1
  }

  func repeated(_ name: String, at start: Int) -> any Error {
    scanner.fault("the name '\(name.shortened)' is there twice in one object", at: start)
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
    if try scanner.needed() != UInt8(ascii: "]") {
      while true {
        elements.append(try value())
        if try !scanner.isNext(before: UInt8(ascii: "]"), "an array") { break }
      }
    }
    scanner.skip()
    depth -= 1
    return .array(elements)
  }

  /// A whole text as one value.
  static func parse(_ text: String) throws -> JSONValue {
    try Array(text.utf8).withUnsafeBytes { bytes in
      var parser = JSONParser(bytes, at: 0, isComplete: true)
      let value = try parser.value()
      if parser.peek() != nil { throw parser.scanner.fault("something follows the value") }
      return value
    }
  }
}
