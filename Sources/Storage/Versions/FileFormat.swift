/// The entry of the main tree that says how everything else is to be read: the number of the format, in 4 bytes.
///
/// A file without it is a new one, or one that was never finished.
enum FileFormat {
  /// What files of pages have, also synced ones. Earlier numbers are those of LMDB's files.
  static let version: UInt32 = 7
  static let key = Array("openrealm".utf8)

  /// Reads the entry. Returns false for a new file, which has none.
  ///
  /// - Throws: `unsupportedFormat` when a newer version wrote the file; `invalidDatabase`.
  static func isThere(
    _ transaction: EntryTransaction, _ main: EntryTree, path: String
  ) throws(StorageError) -> Bool {
    var fault: String?
    let entry = transaction.get(main, key, key.count) { fault = $0 }
    if let fault { throw .damaged(path: path, fault) }
    guard let entry else { return false }
    try check(entry, path: path)
    return true
  }

  /// Throws unless the entry says a format that can be read.
  static func check(_ entry: UnsafeRawBufferPointer, path: String) throws(StorageError) {
    guard entry.count >= 4 else { throw .damaged(path: path, "its format") }
    let version = UInt32(littleEndian: entry.loadUnaligned(as: UInt32.self))
    if version > Self.version {
      throw StorageError(
        .unsupportedFormat, path: path,
        message: "The Realm file at path '\(path)' was written by a newer version and cannot be opened.")
    }
    guard version == Self.version, entry.count == 4 else { throw .damaged(path: path, "its format") }
  }

  /// Gives a file its entry.
  static func write(_ transaction: EntryTransaction, _ main: EntryTree) throws(EntryError) {
    try transaction.store(main, key, key.count, size: 4) { place in
      place.storeBytes(of: version.littleEndian, as: UInt32.self)
    }
  }
}
