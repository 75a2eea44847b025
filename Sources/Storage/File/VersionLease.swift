import CLMDB

/// A pinned version of a file: an LMDB read transaction, shared by all who read that version.
///
/// The pages of the version are not reused while a lease lives. It moves on when only one snapshot has it left. Who had
/// it before, perhaps on another thread, is done with it by then: letting go of a reference is a release, and
/// `isKnownUniquelyReferenced` an acquire.
final class VersionLease {
  let file: DatabaseFile
  let transaction: OpaquePointer
  private(set) var version: UInt64

  init(file: DatabaseFile) throws(StorageError) {
    self.file = file
    transaction = try file.beginReading()
    version = UInt64(mdb_txn_id(transaction))
  }

  /// Moves to the newest version. Only for a lease that nobody shares.
  func renew() throws(StorageError) {
    if file.isInherited { throw .inheritedByFork(path: file.path) }
    mdb_txn_reset(transaction)
    let code = mdb_txn_renew(transaction)
    if code != 0 { throw .lmdb(LMDBError(code: code), path: file.path) }
    version = UInt64(mdb_txn_id(transaction))
  }

  /// Lets go of the version; nothing can be read any more.
  func end() { if !file.isInherited { mdb_txn_reset(transaction) } }

  deinit {
    // In a child of fork() it would end the reader of the parent.
    if file.isInherited { return }
    mdb_txn_abort(transaction)
  }
}
