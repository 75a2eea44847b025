/// One node: a header of 8 bytes and a payload, both known to lie in the file.
///
/// ```
/// 0…4 means nothing   4 inner | references | context | width type (2) | width code (3)   5…8 count, big-endian
/// ```
///
/// The header is read once, so that this value stays consistent even if another process writes to the file.
struct Node {
  enum WidthType: UInt8 {
    /// Widths are of bits.
    case bits = 0
    /// Widths are of bytes.
    case bytes = 1
    /// The count is one of bytes.
    case ignored = 2
    case unknown = 3
  }

  static let headerSize = 8

  /// Where it begins.
  let reference: Int
  let payload: UnsafeRawPointer
  let count: Int
  private let flags: UInt8

  /// - Parameter header: Eight readable bytes.
  init(_ header: UnsafeRawPointer, _ reference: Int) {
    let word = UInt32(bigEndian: header.load(fromByteOffset: 4, as: UInt32.self))
    self.reference = reference
    payload = header + Self.headerSize
    count = Int(word & 0xFF_FFFF)
    flags = UInt8(word >> 24)
  }

  var isInner: Bool { flags & 0x80 != 0 }
  /// Whether elements may be references.
  var hasReferences: Bool { flags & 0x40 != 0 }
  /// Means something else in each role.
  var hasContext: Bool { flags & 0x20 != 0 }
  var widthType: WidthType { WidthType(rawValue: flags >> 3 & 3)! }
  /// 0, 1, 2, 4, 8, 16, 32 or 64.
  var width: Int { (1 << Int(flags & 7)) >> 1 }

  var payloadSize: Int {
    switch widthType {
    case .bits: (count * width + 7) / 8
    case .bytes: count * width
    case .ignored: count
    case .unknown: 0
    }
  }

  /// Of header and payload, with what fills it up.
  var size: Int { Self.headerSize + (payloadSize + 7) & ~7 }

  func damage(_ what: String) -> Damage { Damage(what, at: reference) }

  /// The payload of a leaf whose width is one of bytes; of any without elements.
  func checkIsByteLeaf(_ what: String) throws {
    guard !hasReferences, !isInner, widthType == .bytes || count == 0 else {
      throw damage("this is no \(what)")
    }
  }

  /// The bytes of a byte array.
  func byteArray() throws -> UnsafeRawBufferPointer {
    guard !hasReferences, !isInner, widthType == .ignored || count == 0 else {
      throw damage("this is no array of bytes")
    }
    return UnsafeRawBufferPointer(start: payload, count: count)
  }
}
