import CLMDB

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

  /// LMDB's own description of the code.
  package var message: String { String(cString: mdb_strerror(code)) }
}
