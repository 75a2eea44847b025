/// A string of JSON.
package enum ScannedText {
  /// It stands in the bytes as it is, and is UTF-8.
  case raw(UnsafeRawBufferPointer)
  /// It was escaped.
  case decoded(String)

  package var string: String {
    switch self {
    case .raw(let bytes): String(decoding: bytes, as: UTF8.self)
    case .decoded(let text): text
    }
  }
}

extension JSONScanner {
  package mutating func string() throws -> String { try text().string }

  /// The string whose first quote is the next byte.
  package mutating func text() throws -> ScannedText {
    let start = position + 1
    var end = start
    var bits: UInt8 = 0
    while end < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: "\"") {
        position = end + 1
        let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        if bits >= 0x80 && String(validating: text, as: UTF8.self) == nil { throw noUTF8(start) }
        return .raw(text)
      }
      if byte == UInt8(ascii: "\\") { return .decoded(try escapedString(from: start)) }
      if byte < 32 {
        throw fault("a string goes over the end of the line, or has an unescaped control character", at: end)
      }
      bits |= byte
      end += 1
    }
    throw self.end("a string does not end", at: start)
  }

  private func noUTF8(_ start: Int) -> any Error {
    fault("a string is no UTF-8: bring the file to UTF-8 first, for example with iconv", at: start)
  }

  private mutating func escapedString(from start: Int) throws -> String {
    var decoded: [UInt8] = []
    var next = start
    while true {
      let current = try byte(next, of: start)
      if current == UInt8(ascii: "\"") { break }
      if current < 32 { throw fault("a string has an unescaped control character", at: next) }
      next += 1
      guard current == UInt8(ascii: "\\") else {
        decoded.append(current)
        continue
      }
      let kind = try byte(next, of: start)
      next += 1
      switch kind {
      case UInt8(ascii: "n"): decoded.append(10)
      case UInt8(ascii: "t"): decoded.append(9)
      case UInt8(ascii: "r"): decoded.append(13)
      case UInt8(ascii: "b"): decoded.append(8)
      case UInt8(ascii: "f"): decoded.append(12)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(kind)
      case UInt8(ascii: "u"): decoded += String(Character(try escapedScalar(&next, of: start))).utf8
      default: throw fault("\\\(Character(Unicode.Scalar(kind))) means nothing in a string", at: next)
      }
    }
    position = next + 1
    guard let text = String(validating: decoded, as: UTF8.self) else { throw noUTF8(start) }
    return text
  }

  private func byte(_ position: Int, of start: Int) throws -> UInt8 {
    if position < bytes.count { return bytes[position] }
    throw end("a string does not end", at: start)
  }

  /// What stands after `\u`, with the second half of a pair.
  private func escapedScalar(_ next: inout Int, of start: Int) throws -> Unicode.Scalar {
    var scalar = try escapedUnit(&next, of: start)
    if 0xD800...0xDBFF ~= scalar {
      guard try byte(next, of: start) == UInt8(ascii: "\\"),
        try byte(next + 1, of: start) == UInt8(ascii: "u")
      else { throw fault("half a surrogate pair", at: next) }
      next += 2
      let low = try escapedUnit(&next, of: start)
      guard 0xDC00...0xDFFF ~= low else { throw fault("half a surrogate pair", at: next) }
      scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let valid = Unicode.Scalar(scalar) else { throw fault("half a surrogate pair", at: next) }
    return valid
  }

  private func escapedUnit(_ next: inout Int, of start: Int) throws -> UInt32 {
    var unit: UInt32 = 0
    for offset in 0..<4 {
      let character = Character(Unicode.Scalar(try byte(next + offset, of: start)))
      guard character.isASCII, let digit = character.hexDigitValue else {
        throw fault("\\u needs four hexadecimal digits", at: next)
      }
      unit = unit << 4 | UInt32(digit)
    }
    next += 4
    return unit
  }
}
