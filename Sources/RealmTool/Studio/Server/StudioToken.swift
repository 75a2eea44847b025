/// A secret of a running server: 32 random bytes as text of the URL-safe base64 alphabet.
struct StudioToken: Sendable {
  let text: String

  /// Minimum length of a token that the user has chosen, in characters.
  static let minimumLength = 32

  /// Makes a token of the system's random numbers.
  init() {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<4).flatMap { _ in
      let number = random.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    text = Self.encoded(bytes)
  }

  /// - Returns: Nil when the text is shorter than 32 characters or has one that a link cannot have.
  init?(_ text: String) {
    guard text.utf8.count >= Self.minimumLength, text.utf8.allSatisfy(Self.alphabet.contains) else {
      return nil
    }
    self.text = text
  }

  /// Compares in a time that depends on the length of the given text only.
  func equals(_ given: String) -> Bool {
    let expected = Array(text.utf8)
    let given = Array(given.utf8)
    var difference = expected.count ^ given.count
    for (position, byte) in given.enumerated() {
      difference |= Int(byte ^ expected[position % expected.count])
    }
    return difference == 0
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var (bits, count) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | Int(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(alphabet[bits >> count & 63])
      }
      bits &= 1 << count - 1
    }
    if count > 0 { text.append(alphabet[bits << (6 - count) & 63]) }
    return String(decoding: text, as: UTF8.self)
  }
}
