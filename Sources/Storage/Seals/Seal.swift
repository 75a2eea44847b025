import LibC

// How values are kept in the file. All that OpenRealm stores goes through `EntryTransaction.store`, and all that it reads
// through `EntryTransaction.opened`, which are here; entries of LMDB that are none of ours, such as its lists of free
// pages, through neither.
//
// A value in the file is followed by its seal:
//
//   offset  size  content
//        0     2  the version that wrote it, its lowest bits: tells an old value from a new one
//        2     4  `Checksum` of value, LMDB key and version
//
// In an encrypted file, in which the value is encrypted (see `FileCipher`):
//
//        2    12  nonce
//       14    16  tag that authenticates value, LMDB key and version
//
// So a changed bit is found, and a value in the place of another one; an old value in its own place is by the sum of all
// seals (see `SealSum`). The seal is looked at where the form of a value is: when it is first touched (see
// `CheckedPlaces`); and each time of the few values whose form is never noted as sound, which are small. An encrypted value
// is decrypted then into a buffer, see `OpenedValues`.
//
// LMDB keys of different databases are never the same. Where their sizes are, those of the log begin with a number that
// no table has, and those of index blocks go on with a byte that no column's number begins with.

/// What is wrong with a value that was read.
struct SealFault: Error {
  let reason: String
}

enum Seal {
  static let size = 6
  /// Number of bytes of a seal in an encrypted file.
  static let encryptedSize = 2 + FileCipher.nonceSize + FileCipher.tagSize

  /// Writes the seal behind a value.
  @inline(__always)
  static func write(
    behind value: UnsafeRawBufferPointer, key: UnsafeRawPointer, _ keySize: Int, version: UInt64,
    to place: UnsafeMutableRawPointer
  ) {
    let version = UInt16(truncatingIfNeeded: version)
    let sum = Checksum.of(value, key: key, keySize, version: version)
    place.storeBytes(of: version.littleEndian, as: UInt16.self)
    place.storeBytes(of: sum.littleEndian, toByteOffset: 2, as: UInt32.self)
  }

  /// Whether a stored value, its seal included, is the one that was written with the key.
  static func isSound(_ stored: UnsafeRawBufferPointer, key: UnsafeRawPointer, _ keySize: Int) -> Bool {
    guard stored.count >= size else { return false }
    #if WITHOUT_CHECKSUMS
      // Only to measure what they cost: see Scripts/compare-benchmarks.
      return true
    #else
      let end = stored.count - size
      let version = UInt16(littleEndian: stored.loadUnaligned(fromByteOffset: end, as: UInt16.self))
      let sum = UInt32(littleEndian: stored.loadUnaligned(fromByteOffset: end + 2, as: UInt32.self))
      return sum
        == Checksum.of(
          UnsafeRawBufferPointer(start: stored.baseAddress, count: end), key: key, keySize, version: version)
    #endif
  }
}

extension EntryTransaction {
  // MARK: Writing

  /// Stores a value in place of the one that there may be.
  ///
  /// - Parameters:
  ///   - size: That of the value.
  ///   - isAppended: Whether the key is beyond all that are there, which fills the pages.
  ///   - fill: Writes the value.
  @inline(__always)
  func store(
    _ database: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int, size: Int, isAppended: Bool = false,
    _ fill: (UnsafeMutableRawPointer) -> Void
  ) throws(EntryError) {
    let cipher = environment.cipher
    let stored = try store(database, key, keySize, size: size, isAppended: isAppended, cipher, fill)
    if SealSum.counts(database, key, keySize) { environment.sealSum?.add(stored) }
  }

  /// Stores a value where the environment does not determine how values are sealed.
  ///
  /// - Parameter cipher: Nil for a file that is not encrypted.
  /// - Returns: What is in the file now, the seal included.
  @inline(__always)
  func store(
    _ database: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int, size: Int, isAppended: Bool = false,
    _ cipher: FileCipher?, _ fill: (UnsafeMutableRawPointer) -> Void
  ) throws(EntryError) -> UnsafeRawBufferPointer {
    if let cipher {
      return try storeEncrypted(database, key, keySize, size: size, isAppended: isAppended, cipher, fill)
    }
    let place = try reserve(database, key, keySize, size: size + Seal.size, isAppended: isAppended)
    fill(place)
    Seal.write(
      behind: UnsafeRawBufferPointer(start: place, count: size), key: key, keySize, version: version,
      to: place + size)
    return UnsafeRawBufferPointer(start: place, count: size + Seal.size)
  }

  @inline(never)
  private func storeEncrypted(
    _ database: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int, size: Int, isAppended: Bool,
    _ cipher: FileCipher, _ fill: (UnsafeMutableRawPointer) -> Void
  ) throws(EntryError) -> UnsafeRawBufferPointer {
    let value = UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, 1), alignment: 16)
    defer {
      explicit_bzero(value.baseAddress!, size)
      value.deallocate()
    }
    fill(value.baseAddress!)
    let place = try reserve(database, key, keySize, size: size + Seal.encryptedSize, isAppended: isAppended)
    let version = UInt16(truncatingIfNeeded: version)
    (place + size).storeBytes(of: version.littleEndian, as: UInt16.self)
    try cipher.seal(
      UnsafeRawBufferPointer(start: value.baseAddress, count: size),
      FileCipher.Place(key: key, keySize: keySize, version: version), to: place, seal: place + size + 2)
    return UnsafeRawBufferPointer(start: place, count: size + Seal.encryptedSize)
  }

  func store(_ database: EntryTree, key: [UInt8], _ bytes: [UInt8]) throws(EntryError) {
    try store(database, key, key.count, bytes)
  }

  func store(
    _ database: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int, _ bytes: [UInt8]
  ) throws(EntryError) {
    try store(database, key, keySize, size: bytes.count) { place in
      bytes.withUnsafeBytes {
        if let start = $0.baseAddress { place.copyMemory(from: start, byteCount: $0.count) }
      }
    }
  }

  // MARK: Reading

  /// The value of a key, or nil. Valid until the transaction ends or writes.
  @inline(__always)
  func value(
    _ database: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int
  ) throws(SealFault) -> UnsafeRawBufferPointer? {
    var fault: String?
    let stored = get(database, key, keySize) { fault = $0 }
    if let fault { throw SealFault(reason: fault) }
    return if let stored { try opened(stored, key, keySize) } else { nil }
  }

  /// - Parameter report: Tells that there are damaged pages on the way, or that the value is damaged. When it returns,
  ///   there is no value.
  @inline(__always)
  func value(
    _ database: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int, orReport report: (String) -> Void
  ) -> UnsafeRawBufferPointer? {
    guard let stored = get(database, key, keySize, orReport: report) else { return nil }
    do throws(SealFault) {
      return try opened(stored, key, keySize)
    } catch {
      report(error.reason)
      return nil
    }
  }

  func value(_ database: EntryTree, key: [UInt8]) throws(SealFault) -> UnsafeRawBufferPointer? {
    try value(database, key, key.count)
  }

  /// A stored value without its seal, which is looked at unless the value has been found sound. Valid until the
  /// transaction ends, moves, or writes.
  @inline(__always)
  func opened(
    _ stored: UnsafeRawBufferPointer, _ key: UnsafeRawPointer, _ keySize: Int
  ) throws(SealFault) -> UnsafeRawBufferPointer {
    if environment.checkedPlaces?._withUnsafeGuaranteedRef({ $0.isTrusted(stored) }) ?? false {
      return UnsafeRawBufferPointer(start: stored.baseAddress, count: stored.count - Seal.size)
    }
    return try checked(stored, key, keySize)
  }

  @inline(never)
  private func checked(
    _ stored: UnsafeRawBufferPointer, _ key: UnsafeRawPointer, _ keySize: Int
  ) throws(SealFault) -> UnsafeRawBufferPointer {
    if let places = environment.checkedPlaces {
      guard places._withUnsafeGuaranteedRef({ $0.isSound(stored) }) else {
        throw SealFault(reason: "its pages are wrong")
      }
      if let opened = places._withUnsafeGuaranteedRef({ $0.openedValues }) {
        return try opened.open(stored, key, keySize, self)
      }
    }
    if !Seal.isSound(stored, key: key, keySize) { throw SealFault(reason: "its checksum is wrong") }
    return UnsafeRawBufferPointer(start: stored.baseAddress, count: stored.count - Seal.size)
  }
}
