import CLMDB
import LibC

/// A return code of LMDB, or of the operating system through it, that is not success.
package struct EntryError: Error, Hashable, Sendable {
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }

  /// Throws unless `code` is zero.
  @inlinable @inline(__always)
  package static func check(_ code: Int32) throws(EntryError) {
    if code != 0 { throw EntryError(code: code) }
  }

  /// Something in the file is not what it was when it was written.
  static let corrupted = EntryError(code: MDB_CORRUPTED)
  /// The file is none of LMDB's.
  static let invalid = EntryError(code: MDB_INVALID)
  /// The transaction has come upon an error, or on something that does not go with it.
  static let badTransaction = EntryError(code: MDB_BAD_TXN)
  static let keyExists = EntryError(code: MDB_KEYEXIST)
  static let readersFull = EntryError(code: MDB_READERS_FULL)
  /// LMDB has come upon an error after which it refuses everything.
  static let panic = EntryError(code: MDB_PANIC)
  static let mapFull = EntryError(code: MDB_MAP_FULL)
  static let versionMismatch = EntryError(code: MDB_VERSION_MISMATCH)

  /// Whether the file is damaged, or none of LMDB's.
  var isOfFile: Bool { self == .invalid || self == .corrupted || code == MDB_PAGE_NOTFOUND }

  /// Whether the map may be larger than the process can have: its limits do not allow it (`ENOMEM`), or a tool such as
  /// Valgrind, which checks each access, has no addresses for it (`EINVAL`).
  package var isMapTooLarge: Bool { code == ENOMEM || code == EINVAL }

  /// LMDB's own description of the code.
  package var message: String { String(cString: mdb_strerror(code)) }
}
