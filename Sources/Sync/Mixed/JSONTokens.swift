/// A JSON text as a row of tokens: what is nested at any depth is read without a recursion.
struct JSONTokens {
  enum Token {
    case beginList, endList, beginObject, endObject
    case key(String)
    case string(String)
    case number(String)
    case bool(Bool)
    case null
  }

  private(set) var tokens: [Token] = []
  /// For each token with which a value begins, the position behind the value.
  private(set) var ends: [Int] = []
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// - Throws: `UnreadableMixed` for what is no JSON.
  init(_ bytes: UnsafeRawBufferPointer) throws(UnreadableMixed) {
    self.bytes = bytes
    try readAll()
  }

  private mutating func add(_ token: Token) {
    tokens.append(token)
    ends.append(tokens.count)
  }

  private mutating func readAll() throws(UnreadableMixed) {
    var open: [(start: Int, isObject: Bool)] = []
    repeat {
      // A value, before which there may be its key.
      if let last = open.last {
        let isFirst = last.start == tokens.count - 1
        if try take(last.isObject ? "}" : "]") {
          add(last.isObject ? .endObject : .endList)
          ends[last.start] = tokens.count
          open.removeLast()
          continue
        }
        if !isFirst, try !take(",") { throw damaged }
        if last.isObject {
          guard try take("\"") else { throw damaged }
          add(.key(try readString()))
          guard try take(":") else { throw damaged }
        }
      }
      if try take("{") {
        open.append((tokens.count, true))
        add(.beginObject)
      } else if try take("[") {
        open.append((tokens.count, false))
        add(.beginList)
      } else if try take("\"") {
        add(.string(try readString()))
      } else {
        try readWord()
      }
    } while !open.isEmpty
    skipSpace()
    guard position == bytes.count else { throw damaged }
  }

  private var damaged: UnreadableMixed { UnreadableMixed("it is no JSON") }

  private mutating func skipSpace() {
    while position < bytes.count, [9, 10, 13, 32].contains(bytes[position]) { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) throws(UnreadableMixed) -> Bool {
    skipSpace()
    guard position < bytes.count else { throw damaged }
    guard bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func readWord() throws(UnreadableMixed) {
    let start = position
    while position < bytes.count, !Self.ends(bytes[position]) { position += 1 }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    switch word {
    case "null": add(.null)
    case "true": add(.bool(true))
    case "false": add(.bool(false))
    default:
      guard let first = word.utf8.first, (48...57).contains(first) || first == 45 else { throw damaged }
      add(.number(word))
    }
  }

  private static func ends(_ byte: UInt8) -> Bool {
    switch byte {
    case 9, 10, 13, 32, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"): true
    default: false
    }
  }

  /// Reads a string behind its opening quotation mark.
  private mutating func readString() throws(UnreadableMixed) -> String {
    var text: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else { throw damaged }
        return string
      case UInt8(ascii: "\\"): try readEscape(&text)
      default: text.append(byte)
      }
    }
    throw damaged
  }

  private mutating func readEscape(_ text: inout [UInt8]) throws(UnreadableMixed) {
    guard position < bytes.count else { throw damaged }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "u"):
      var code = try readUnit()
      if (0xD800..<0xDC00).contains(code) {
        guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
          bytes[position + 1] == UInt8(ascii: "u")
        else { throw damaged }
        position += 2
        let low = try readUnit()
        guard (0xDC00..<0xE000).contains(low) else { throw damaged }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw damaged }
      text += String(Character(scalar)).utf8
    default: text.append(byte)
    }
  }

  private mutating func readUnit() throws(UnreadableMixed) -> UInt32 {
    guard bytes.count - position >= 4,
      let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw damaged }
    position += 4
    return code
  }
}
