import CLMDB

/// A pinned version of a file: an LMDB read transaction, shared by all who read that version.
///
/// The pages of the version are not reused while a lease lives. It moves on when only one snapshot has it left. Who had
/// it before, perhaps on another thread, is done with it by then: letting go of a reference is a release, and
/// `isKnownUniquelyReferenced` an acquire.
final class VersionLease {
  let file: DatabaseFile
  private(set) var transaction: OpaquePointer
  private(set) var version: UInt64

  /// Pins the newest version.
  convenience init(file: DatabaseFile) throws(StorageError) {
    self.init(file: file, transaction: try file.takeReader())
  }

  /// Takes over a transaction that holds a version.
  init(file: DatabaseFile, transaction: OpaquePointer) {
    self.file = file
    self.transaction = transaction
    version = UInt64(mdb_txn_id(transaction))
  }

  /// Takes over a transaction that holds another version already, and then lets go of its own. Only for a lease that
  /// nobody shares.
  func move(to other: OpaquePointer) {
    let old = transaction
    transaction = other
    version = UInt64(mdb_txn_id(other))
    file.readerPool.give(old)
  }

  /// Lets go of the version; nothing can be read any more.
  func end() { if !file.isInherited { mdb_txn_reset(transaction) } }

  deinit {
    // In a child of fork() it would end the reader of the parent.
    if !file.isInherited { file.readerPool.give(transaction) }
  }
}
