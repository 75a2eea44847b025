package import Storage

/// Texts as other languages pass them.
package enum NumberedText {
  /// Maximum size of a string or data, in bytes.
  package static let sizeLimit = Int(Int32.max)

  /// Whether bytes can be stored as a string: valid UTF-8 within the limit.
  @inline(__always)
  package static func isStorable(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if bytes.count > sizeLimit { return false }
    var bits: UInt64 = 0
    var position = 0
    while position &+ 8 <= bytes.count {
      bits |= bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      position &+= 8
    }
    while position < bytes.count {
      bits |= UInt64(bytes[position])
      position &+= 1
    }
    return bits & 0x8080_8080_8080_8080 == 0 || isUTF8(bytes)
  }

  @inline(never)
  private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }

  /// The object id that 24 hexadecimal digits stand for; nil for other text.
  package static func objectId(_ text: String) -> Fixed12? { try? ObjectId(string: text).fixed }

  /// A new object id.
  package static func newObjectId() -> Fixed12 { ObjectId.generate().fixed }

  /// The number that a text stands for, rounded to 34 digits; nil for other text.
  package static func decimal128(_ text: String) -> Fixed16? {
    let number = Decimal128(stringLiteral: text)
    if number.isNaN && !["nan", "+nan", "-nan"].contains(text.lowercased()) { return nil }
    return number.fixed
  }

  /// A number as text.
  package static func text(decimal128 fixed: Fixed16) -> String { Decimal128(fixed).stringValue }
}
