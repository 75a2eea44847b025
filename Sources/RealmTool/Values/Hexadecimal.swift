/// Bytes as hexadecimal digits.
enum Hexadecimal {
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes { text.appendHexadecimal(byte) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil when there is anything else in it, or half a byte.
  static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text {
      guard let digit = value(character) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes
  }

  static func value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension [UInt8] {
  /// Appends the two digits of a byte, in lower case.
  mutating func appendHexadecimal(_ byte: UInt8) {
    append(Self.digit(byte >> 4))
    append(Self.digit(byte & 15))
  }

  private static func digit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
  }
}
