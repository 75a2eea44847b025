import LibC

/// The entry of the main database that says how everything else is to be read: the number of the format, and how values
/// are sealed. `Documentation/FileFormat.md` says what is promised.
///
///   u32 number of the format · u32 how values are sealed (0: with a checksum; 1: encrypted)
///   in an encrypted file: 32 bytes of salt for the key
///   a seal, as behind values. The entry itself is not encrypted: its content is authenticated with the key.
struct FileFormat {
  /// What new files have, and all to which this version has committed a transaction, unless they are synced.
  static let version: UInt32 = 5
  /// What synced files have: their change logs say more, and are kept for longer, than earlier programs know.
  static let syncedVersion: UInt32 = 6
  /// The first one that can be read: its values have seals.
  private static let oldestVersion: UInt32 = 2
  static let key = Array("openrealm".utf8)
  private static let size = 8
  private static let encryptedSize = size + FileCipher.saltSize

  /// How the values of a file are sealed.
  enum Sealing {
    case checksum
    case encryption(FileCipher)

    var cipher: FileCipher? { if case .encryption(let cipher) = self { cipher } else { nil } }
  }

  /// Reads the entry; nil for a new file, which has none. The database has sound pages.
  ///
  /// - Parameter encryptionKey: Nil for a file that is not encrypted.
  /// - Throws: `unsupportedFormat` when an earlier or a newer version wrote the file; `invalidDatabase`, also for a wrong
  ///   or missing key.
  static func read(
    _ transaction: EntryTransaction, _ main: EntryTree, encryptionKey: [UInt8]?, path: String
  ) throws(StorageError) -> Sealing? {
    guard let stored = transaction.get(main, key, key.count) else { return nil }
    return try read(entry: stored, encryptionKey: encryptionKey, path: path)
  }

  /// Reads the format from the entry as it is stored.
  static func read(
    entry stored: UnsafeRawBufferPointer, encryptionKey: [UInt8]?, path: String
  ) throws(StorageError) -> Sealing {
    guard stored.count >= 4 else { throw .damaged(path: path, "its format") }
    let version = UInt32(littleEndian: stored.loadUnaligned(as: UInt32.self))
    if version > syncedVersion { throw .newerFormat(path: path) }
    // The first format had no seals.
    if version == 1 && stored.count == 4 { throw .olderFormat(path: path, version) }
    guard version >= oldestVersion, stored.count >= size else { throw .damaged(path: path, "its format") }
    switch UInt32(littleEndian: stored.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) {
    case 0 where stored.count == size + Seal.size && Seal.isSound(stored, key: key, key.count):
      try check(encryptionKey, for: nil, path: path)
      return .checksum
    case 1 where stored.count == encryptedSize + Seal.encryptedSize:
      guard let encryptionKey else { throw .keyIsMissing(path: path) }
      let cipher = FileCipher(key: encryptionKey, salt: Array(stored[size..<encryptedSize]))
      guard cipher.isSound(stored) else { throw .keyIsWrong(path: path) }
      return .encryption(cipher)
    default: throw .damaged(path: path, "its format")
    }
  }

  /// Whether a key is that of a file.
  ///
  /// - Parameter cipher: Nil when the file is not encrypted.
  /// - Throws: `invalidDatabase`.
  static func check(_ encryptionKey: [UInt8]?, for cipher: FileCipher?, path: String) throws(StorageError) {
    guard let cipher else {
      if encryptionKey != nil { throw .decryption(path: path, "it is not encrypted, and a key was given") }
      return
    }
    guard let encryptionKey else { throw .keyIsMissing(path: path) }
    if !cipher.isMade(of: encryptionKey) { throw .keyIsWrong(path: path) }
  }

  /// How the values of a new file are sealed.
  static func sealing(encryptionKey: [UInt8]?) throws(EntryError) -> Sealing {
    guard let encryptionKey else { return .checksum }
    return .encryption(FileCipher(key: encryptionKey, salt: try FileCipher.random(FileCipher.saltSize)))
  }

  /// Whether the entry, which is there, says the present version, or a later one to which another process has upgraded it.
  static func isCurrent(_ transaction: EntryTransaction, _ main: EntryTree) -> Bool {
    guard let stored = transaction.get(main, key, key.count), stored.count >= 4 else { return false }
    return UInt32(littleEndian: stored.loadUnaligned(as: UInt32.self)) >= version
  }

  /// Makes it do so, so that no version that does not know today's chunks takes them for damaged ones.
  static func upgrade(
    _ sealing: Sealing, _ transaction: EntryTransaction, _ main: EntryTree
  ) throws(EntryError) {
    if !isCurrent(transaction, main) { try write(sealing, version, transaction, main) }
  }

  /// Gives a file its entry.
  static func write(
    _ sealing: Sealing, _ version: UInt32, _ transaction: EntryTransaction, _ main: EntryTree
  ) throws(EntryError) {
    guard case .encryption(let cipher) = sealing else {
      _ = try transaction.store(main, key, key.count, size: size, nil) {
        $0.storeBytes(of: version.littleEndian, as: UInt32.self)
        $0.storeBytes(of: 0, toByteOffset: 4, as: UInt32.self)
      }
      return
    }
    let place = try transaction.reserve(main, key, key.count, size: encryptedSize + Seal.encryptedSize)
    place.storeBytes(of: version.littleEndian, as: UInt32.self)
    place.storeBytes(of: UInt32(1).littleEndian, toByteOffset: 4, as: UInt32.self)
    (place + size).copyMemory(from: cipher.salt, byteCount: cipher.salt.count)
    (place + encryptedSize).storeBytes(of: 0, as: UInt16.self)
    try cipher.seal(
      UnsafeRawBufferPointer(start: place, count: 0),
      FileCipher.Place(key: place, keySize: encryptedSize, version: 0), to: place,
      seal: place + encryptedSize + 2)
  }
}

extension FileCipher {
  /// Whether the entry was written with the same key.
  fileprivate func isSound(_ entry: UnsafeRawBufferPointer) -> Bool {
    let start = entry.baseAddress!
    let end = entry.count - Seal.encryptedSize
    let place = Place(
      key: start, keySize: end,
      version: UInt16(littleEndian: entry.loadUnaligned(fromByteOffset: end, as: UInt16.self)))
    var nothing: UInt8 = 0
    return open(UnsafeRawBufferPointer(start: start, count: 0), place, seal: start + end + 2, to: &nothing)
  }
}

extension StorageError {
  fileprivate static func newerFormat(path: String) -> StorageError {
    StorageError(
      .unsupportedFormat, path: path,
      message: "The Realm file at path '\(path)' was written by a newer version and cannot be opened.")
  }

  fileprivate static func olderFormat(path: String, _ version: UInt32) -> StorageError {
    StorageError(
      .unsupportedFormat, path: path,
      message:
        "The Realm file at path '\(path)' has an unsupported format (\(version)) and cannot be upgraded.")
  }

  fileprivate static func keyIsMissing(path: String) -> StorageError {
    decryption(path: path, "it is encrypted, and no encryption key was given")
  }

  fileprivate static func keyIsWrong(path: String) -> StorageError {
    decryption(path: path, "wrong encryption key, or its format is damaged")
  }

  fileprivate static func decryption(path: String, _ reason: String) -> StorageError {
    .invalid(path: path, "Realm file decryption failed: \(reason).")
  }
}
