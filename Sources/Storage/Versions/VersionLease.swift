/// A pinned version of a file: an LMDB read transaction, shared by all readers of that version.
///
/// The pages of the version are not reused while a lease lives. It moves on when only one snapshot has it left. Former
/// users, perhaps on other threads, have finished by then: the release of a reference has release semantics, and
/// `isKnownUniquelyReferenced` acquire semantics.
final class VersionLease {
  let file: DatabaseFile
  private(set) var transaction: EntryTransaction
  private(set) var version: UInt64
  /// Whether the transaction is returned to the pool with the lease. The file has one that is not: see `WithheldVersion`.
  private(set) var ownsTransaction = true

  /// Pins the newest version.
  convenience init(file: DatabaseFile) throws(StorageError) {
    self.init(file: file, transaction: try file.takeReader())
  }

  /// Takes over a transaction that holds a version.
  init(file: DatabaseFile, transaction: EntryTransaction) {
    self.file = file
    self.transaction = transaction
    version = transaction.version
  }

  /// Reads with a transaction that the file keeps.
  convenience init(file: DatabaseFile, borrowed transaction: EntryTransaction) {
    self.init(file: file, transaction: transaction)
    ownsTransaction = false
  }

  /// Leaves the transaction, with which the lease goes on reading, to the file.
  func giveUpTransaction() -> EntryTransaction {
    ownsTransaction = false
    return transaction
  }

  /// Takes over a transaction that holds another version already, and then releases its own. Only for an unshared lease.
  func move(to other: EntryTransaction) {
    let old = ownsTransaction ? transaction : nil
    transaction = other
    version = other.version
    ownsTransaction = true
    if let old { file.readerPool.give(old) }
  }

  /// Releases the version; nothing can be read any more.
  func end() { if !file.isInherited && ownsTransaction { transaction.reset() } }

  deinit {
    // In a child of fork() it would end the reader of the parent.
    if !file.isInherited && ownsTransaction { file.readerPool.give(transaction) }
  }
}
