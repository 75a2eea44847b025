import LibC

/// What a commit says about its version: 512 bytes, the first unit of what the commit writes.
///
/// Each record says where the next one will be, so that a small commit is one contiguous write and records form a chain. Header
/// slots hold copies of records, from which chains are followed. See `Recovery`.
///
/// Layout, little-endian: 0 magic · 8 number of the file · 16 life · 24 life before · 32 version · 40 durable version · 48 root (32) ·
/// 80 end of the space in units · 88 unit of this record · 96 unit of the next one · 104 free units there · 108 format · 112 inode ·
/// 120 device · 128 salt (32), zeros in a plain file · 160 size of the file · 168 zeros · 496 checksum, or authentication code (16).
struct VersionRecord: Equatable {
  static let size = 512
  static let magic: UInt64 = 0x3573_6567_6150_524F  // "ORPages5"
  static let format: UInt32 = 5

  /// Drawn when the file is made.
  var fileNumber: UInt64 = 0
  /// Drawn when a process opens the file that no other one has open: records of what a power failure took back, which may still lie where the
  /// next ones are expected, do not continue the chain of a later life.
  var life: UInt64 = 0
  /// The life of the record before.
  var lifeBefore: UInt64 = 0
  var version: UInt64 = 0
  /// A version that the disk was known to have when the record was written. It is the record's own in a slot that was written
  /// when the file was closed.
  var durable: UInt64 = 0
  var root = Reference.none
  /// Behind the last unit that was ever used.
  var end: UInt64 = 0
  /// Where the record itself is; 0 when it is in a slot only.
  var unit: UInt64 = 0
  /// Where the next record goes, at the beginning of `nextCount` units in which nothing is in use.
  var next: UInt64 = 0
  var nextCount: UInt32 = 0
  /// The file that it was written to: a copy has another identity.
  var file = FileIdentity(device: 0, inode: 0)
  /// Of which the keys of an encrypted file are made.
  var salt = noSalt

  /// Size in bytes that the file had on the disk at least when a slot said that the version is durable; 0 of other records. A file
  /// that is smaller was truncated.
  var fileSize: UInt64 = 0

  static let noSalt = [UInt8](repeating: 0, count: PageCipher.saltSize)
  private static let sumOffset = size - 16

  init() {}

  private static func word(_ start: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The salt of what looks like a record; nil when nothing does.
  static func salt(at start: UnsafeRawPointer) -> [UInt8]? {
    guard word(start, 0) == magic, word(start, 104) >> 32 == format else { return nil }
    return Array(UnsafeRawBufferPointer(start: start + 128, count: PageCipher.saltSize))
  }

  /// Number of bytes that say of which file and version a record is.
  static let headSize = 40

  @inline(__always)
  static func isHead(_ start: UnsafeRawPointer, fileNumber: UInt64) -> Bool {
    word(start, 0) == magic && word(start, 8) == fileNumber
  }

  static func isHead(_ start: UnsafeRawPointer, fileNumber: UInt64, version: UInt64) -> Bool {
    isHead(start, fileNumber: fileNumber) && word(start, 32) == version
  }

  /// The version of what looks like a record; nil when nothing does.
  static func unverifiedVersion(at start: UnsafeRawPointer) -> UInt64? {
    salt(at: start) == nil ? nil : word(start, 32)
  }

  private static func sum(_ start: UnsafeRawPointer, _ cipher: PageCipher?) -> Checksum128 {
    cipher?.sum(ofRecord: UnsafeRawBufferPointer(start: start, count: sumOffset))
      ?? Checksum128(of: start, count: sumOffset)
  }

  /// Reads a record. Nil when there is none.
  init?(at start: UnsafeRawPointer, _ cipher: PageCipher?) {
    func word(_ offset: Int) -> UInt64 { Self.word(start, offset) }
    guard let salt = Self.salt(at: start), salt == cipher?.salt ?? Self.noSalt,
      Checksum128(at: start + Self.sumOffset) == Self.sum(start, cipher)
    else { return nil }
    self.salt = salt
    (fileNumber, life, lifeBefore, version, durable) = (word(8), word(16), word(24), word(32), word(40))
    root = Reference(at: start + 48)
    (end, unit, next) = (word(80), word(88), word(96))
    nextCount = UInt32(truncatingIfNeeded: word(104))
    (file, fileSize) = (FileIdentity(device: word(120), inode: word(112)), word(160))
  }

  /// - Parameter target: Has room for a record.
  func store(at target: UnsafeMutableRawPointer, _ cipher: PageCipher?) {
    memset(target, 0, Self.size)
    func store(_ value: UInt64, _ offset: Int) {
      target.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
    }
    store(Self.magic, 0)
    store(fileNumber, 8)
    store(life, 16)
    store(lifeBefore, 24)
    store(version, 32)
    store(durable, 40)
    root.store(at: target + 48)
    store(end, 80)
    store(unit, 88)
    store(next, 96)
    store(UInt64(nextCount) | UInt64(Self.format) << 32, 104)
    store(file.inode, 112)
    store(file.device, 120)
    store(fileSize, 160)
    (cipher?.salt ?? Self.noSalt).withUnsafeBytes {
      (target + 128).copyMemory(from: $0.baseAddress!, byteCount: $0.count)
    }
    Self.sum(target, cipher).store(at: target + Self.sumOffset)
  }

  /// Whether another record follows this one in its chain.
  func isFollowed(by other: VersionRecord) -> Bool {
    other.fileNumber == fileNumber && other.lifeBefore == life && other.version == version + 1
      && other.unit == next
  }

  /// Whether it can be where it was found: at the unit that it says, or in a slot.
  func isAt(unit: UInt64) -> Bool { self.unit == unit || unit < FileLayout.firstUnit }

  /// Whether it can be of a file that is so large at most. A file may have been made to do harm.
  func isPlausible(_ mapLimit: Int) -> Bool {
    let limit = UInt64(mapLimit / FileLayout.unit)
    let first = UInt64(FileLayout.firstUnit)
    return version < 1 << 47 && durable <= version && end <= limit && next >= first && next <= end
      && UInt64(nextCount) <= end - next && nextCount > 0 && !root.isValue && !root.isUnwritten
      && (root.isNone
        || root.unit >= first && root.unit < end && root.version <= version
          && root.isEncrypted == (salt != Self.noSalt))
  }

  /// Whether the disk was known to have this very version.
  var isConfirmed: Bool { durable == version }
}
