/// A pinned version of a file: a read transaction, shared by all readers of that version.
///
/// The space of the version is not reused while a lease lives. It moves on when only one snapshot has it left. Former
/// users, perhaps on other threads, have finished by then: the release of a reference has release semantics, and
/// `isKnownUniquelyReferenced` acquire semantics.
final class VersionLease {
  let file: DatabaseFile
  private(set) var transaction: EntryTransaction
  private(set) var version: UInt64

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

  /// Takes over a transaction that holds another version already, and then releases its own. Only for an unshared lease.
  func move(to other: EntryTransaction) {
    let old = transaction
    (transaction, version) = (other, other.version)
    old.reset()
  }

  /// Releases the version; nothing can be read any more.
  func end() { if !file.isInherited { transaction.reset() } }

  deinit {
    // In a child of fork() it would end the reader of the parent.
    if !file.isInherited { transaction.reset() }
  }
}
