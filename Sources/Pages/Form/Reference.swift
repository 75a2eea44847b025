/// Says where a node or a value is and what it must be. It lies in the parent, and that of the root in a record.
///
/// 32 bytes, little-endian: u32 length, u40 unit, u8 flags, u48 version that wrote the extent, u128 checksum, or tag.
package struct Reference: Equatable, Sendable {
  static let size = 32

  struct Flags: OptionSet, Sendable {
    let rawValue: UInt8

    /// A node below which there are no further extents, so that a search for what is in use need not read it.
    static let hasNoExtents = Flags(rawValue: 1)
    static let isValue = Flags(rawValue: 2)
    /// The content is encrypted, and followed by its nonce.
    static let isEncrypted = Flags(rawValue: 4)
    /// Only in memory, of what is not written yet: the unit is a number in the transaction's table.
    static let isUnwritten = Flags(rawValue: 0x80)
  }

  var length: UInt32 = 0
  var unit: UInt64 = 0
  var flags: Flags = []
  /// The version that wrote the extent.
  var version: UInt64 = 0
  var sum = Checksum128()

  /// The root of a version without entries.
  static let none = Reference()

  var isNone: Bool { length == 0 && flags.isEmpty }
  var isUnwritten: Bool { flags.contains(.isUnwritten) }
  var isValue: Bool { flags.contains(.isValue) }
  var isEncrypted: Bool { flags.contains(.isEncrypted) }

  /// How many bytes the extent has in the file.
  var storedLength: Int { Int(length) + (isEncrypted ? PageCipher.overhead : 0) }

  /// How many units it takes.
  var unitCount: Int { FileLayout.units(storedLength) }

  init() {}

  /// A reference to something that is not written yet.
  init(unwritten number: Int, _ flags: Flags = []) {
    unit = UInt64(number)
    self.flags = flags.union(.isUnwritten)
  }

  @inline(__always)
  init(at place: UnsafeRawPointer) {
    let first = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
    let second = UInt64(littleEndian: place.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    length = UInt32(truncatingIfNeeded: first)
    unit = first >> 32 | (second & 0xFF) << 32
    flags = Flags(rawValue: UInt8(truncatingIfNeeded: second >> 8))
    version = second >> 16
    sum = Checksum128(at: place + 16)
  }

  @inline(__always)
  func store(at place: UnsafeMutableRawPointer) {
    let first = UInt64(length) | unit << 32
    let second = unit >> 32 & 0xFF | UInt64(flags.rawValue) << 8 | version << 16
    place.storeBytes(of: first.littleEndian, as: UInt64.self)
    place.storeBytes(of: second.littleEndian, toByteOffset: 8, as: UInt64.self)
    sum.store(at: place + 16)
  }

  /// The flags of a reference that lies somewhere.
  @inline(__always)
  static func flags(at place: UnsafeRawPointer) -> Flags {
    Flags(rawValue: place.load(fromByteOffset: 9, as: UInt8.self))
  }
}
