import CLMDB

/// The entry of the main database that says how everything else is to be read: the number of the format, and how values
/// are sealed. `Documentation/FileFormat.md` says what is promised.
///
///   u32 number of the format · u32 how values are sealed (0: with a checksum) · seal
struct FileFormat {
  /// What this version writes and reads.
  static let version: UInt32 = 2
  static let key = Array("openrealm".utf8)
  private static let size = 8

  /// Whether a file has the entry, which a new one has not. The database has sound pages.
  ///
  /// - Throws: `unsupportedFormat` when an earlier or a newer version wrote the file; `invalidDatabase`.
  static func check(
    _ transaction: LMDBTransaction, _ main: MDB_dbi, path: String
  ) throws(StorageError) -> Bool {
    guard let stored = transaction.get(main, key, key.count) else { return false }
    guard stored.count >= 4 else { throw .damaged(path: path, "its format") }
    let version = UInt32(littleEndian: stored.loadUnaligned(as: UInt32.self))
    if version > Self.version { throw .newerFormat(path: path) }
    // The first format had no seals.
    if version == 1 && stored.count == 4 { throw .olderFormat(path: path, version) }
    guard version == Self.version, stored.count == size + Seal.size,
      Seal.isSound(stored, key: key, key.count),
      stored.loadUnaligned(fromByteOffset: 4, as: UInt32.self) == 0
    else { throw .damaged(path: path, "its format") }
    return true
  }

  static func write(_ transaction: LMDBTransaction, _ main: MDB_dbi) throws(LMDBError) {
    try transaction.store(main, key, key.count, size: size) {
      $0.storeBytes(of: version.littleEndian, as: UInt32.self)
      $0.storeBytes(of: 0, toByteOffset: 4, as: UInt32.self)
    }
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
}
