/// A number of 64 bits that differs for different bytes, to notice that a value has changed. It is not cryptographic.
enum ContentHash {
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
    var position = 0
    while position &+ 8 <= bytes.count {
      hash = mix(hash, bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      position &+= 8
    }
    var last: UInt64 = 0
    while position < bytes.count {
      last = last << 8 | UInt64(bytes[position])
      position &+= 1
    }
    hash = mix(hash, last)
    return mix(hash, 0xD6E8_FEB8_6659_FD93)
  }

  /// Returns the hash of some bytes as 16 hexadecimal digits, as cells have it.
  static func text(of bytes: some Collection<UInt8>) -> String {
    text(
      bytes.withContiguousStorageIfAvailable { of(UnsafeRawBufferPointer($0)) }
        ?? Array(bytes).withUnsafeBytes { of($0) })
  }

  /// Returns a hash as 16 hexadecimal digits.
  static func text(_ hash: UInt64) -> String {
    Hexadecimal.text((0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) })
  }

  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low &+ hash
  }
}
