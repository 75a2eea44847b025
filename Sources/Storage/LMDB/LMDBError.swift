import CLMDB
import LibC

/// A return code of LMDB, or of the operating system through it, that is not success.
package struct LMDBError: Error, Hashable, Sendable {
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }

  /// Throws unless `code` is zero.
  @inlinable @inline(__always)
  package static func check(_ code: Int32) throws(LMDBError) {
    if code != 0 { throw LMDBError(code: code) }
  }

  /// Whether the map may be larger than the process can have: its limits do not allow it (`ENOMEM`), or a tool such as
  /// Valgrind, which checks each access, has no addresses for it (`EINVAL`).
  package var isMapTooLarge: Bool { code == ENOMEM || code == EINVAL }

  /// LMDB's own description of the code.
  package var message: String { String(cString: mdb_strerror(code)) }
}
