import CProcessor
import Encryption
import LibC

/// What follows each value: the lowest 16 bits of the version that wrote it (2), and then, of
///
///   a plain file: the checksum (4) of value, key and version
///   an encrypted file: nonce (12) and tag (16) of AES-256-GCM, which authenticates value, key and these 16 bits. The value is encrypted.
enum Seal {
  static let size = 6
  static let encryptedSize = 2 + AuthenticatedCipher.nonceSize + AuthenticatedCipher.tagSize

  /// Whether a stored value, its seal included, is the one that was written with the key.
  static func isSound(_ stored: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> Bool {
    let end = stored.count - size
    guard end >= 0, let start = stored.baseAddress else { return false }
    return number(start, end + 2)
      == Checksum.of(
        UnsafeRawBufferPointer(start: start, count: end), key: key, version: number(start, end))
  }

  /// What a stored value counts in the content checksum: the last 6 bytes, mixed.
  static func weight(_ stored: UnsafeRawBufferPointer) -> UInt64 {
    let end = stored.count - size
    guard end >= 0, let start = stored.baseAddress else { return 0 }
    var bits = UInt64(number(start, end, UInt16.self)) << 32 | UInt64(number(start, end + 2, UInt32.self))
    // The last step of MurmurHash3, by Austin Appleby, in the public domain.
    bits = (bits ^ bits >> 33) &* 0xff51_afd7_ed55_8ccd
    bits = (bits ^ bits >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return bits ^ bits >> 33
  }
}

/// The checksum of a value, its key and its version: CRC-32C.
///
/// The value's words of 8 bytes go in turn to four CRC-32Cs that begin with ones, as many as there are
/// whole blocks of 32 bytes; the rest, filled up with zeros, to the first. That one goes on with the other three and the
/// value's size, then the key, filled up with zeros, and the version and the key's size.
enum Checksum {
  static func of(
    _ value: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, version: UInt16
  ) -> UInt32 {
    isInstruction ? byInstruction(value, key, version) : portable(value, key, version)
  }

  private static let isInstruction = openrealm_processor_has_crc32c() != 0

  private static func byInstruction(
    _ value: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ version: UInt16
  ) -> UInt32 {
    // The checksum of an empty value is never read.
    let start = value.baseAddress ?? key.baseAddress!
    let whole = value.count & ~31
    let ones = openrealm_lanes(a: .max, b: .max, c: .max, d: .max)
    let lanes = openrealm_crc32c_blocks(ones, start, whole / 32)
    var sum = openrealm_crc32c_rest(lanes.a, start + whole, value.count - whole)
    sum = openrealm_crc32c(sum, UInt64(lanes.b) << 32 | UInt64(lanes.c))
    sum = openrealm_crc32c(sum, UInt64(lanes.d) << 32 | UInt64(truncatingIfNeeded: value.count))
    sum = openrealm_crc32c_rest(sum, key.baseAddress!, key.count)
    return ~openrealm_crc32c(sum, UInt64(version) << 32 | UInt64(truncatingIfNeeded: key.count))
  }

  /// Returns the checksum, on any processor.
  @inline(never)
  static func portable(
    _ value: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ version: UInt16
  ) -> UInt32 {
    var lanes = SIMD4<UInt32>(repeating: .max)
    let whole = value.count & ~31
    for place in stride(from: 0, to: whole, by: 8) {
      lanes[place >> 3 & 3] = next(lanes[place >> 3 & 3], number(value.baseAddress!, place))
    }
    var sum = rest(lanes[0], UnsafeRawBufferPointer(rebasing: value[whole...]))
    sum = next(sum, UInt64(lanes[1]) << 32 | UInt64(lanes[2]))
    sum = next(sum, UInt64(lanes[3]) << 32 | UInt64(truncatingIfNeeded: value.count))
    sum = rest(sum, key)
    return ~next(sum, UInt64(version) << 32 | UInt64(truncatingIfNeeded: key.count))
  }

  private static func rest(_ sum: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
    stride(from: 0, to: bytes.count, by: 8).reduce(sum) { sum, place in
      next(
        sum, (place..<min(place + 8, bytes.count)).reduce(0) { $0 | UInt64(bytes[$1]) << (($1 - place) * 8) })
    }
  }

  private static func next(_ sum: UInt32, _ word: UInt64) -> UInt32 {
    var word = word ^ UInt64(sum)
    var sum: UInt32 = 0
    for _ in 0..<8 {
      sum = sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ UInt8(truncatingIfNeeded: word))]
      word >>= 8
    }
    return sum
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0x82F6_3B78) }
  }
}
