import Dispatch
import Synchronization

extension DatabaseFile {
  /// Made by the first commit.
  private var deferredSync: DeferredSync {
    deferredSyncReference.load()
      ?? deferredSyncReference.storeIfNil(
        DeferredSync(path: path, environment: environment, lockDescriptor: writeLock.descriptor))
  }

  /// Before a commit by the holder of the write lock on top of a version. Returns how it will get to the disk.
  func prepareCommit(_ durability: Durability, version: UInt64) throws(EntryError) -> CommitPath {
    let path = try deferredSync.prepareCommit(durability, version: version, self)
    setSynchronises(path == .synchronised)
    return path
  }

  /// After a commit that made a version.
  func noteCommit(_ version: UInt64, _ path: CommitPath) {
    switch path {
    case .synchronised: deferredSync.noteSynchronisedCommit(version)
    case .unsynchronised: break
    case .deferred: deferredSync.noteCommit(version, self)
    case .journal: deferredSync.journalCommit(version, self)
    }
  }

  /// Gives the space of the journal back to the disk, which is full. For the holder of the writer lock.
  func releaseJournalSpace() { deferredSyncReference.load()?.releaseSpace(self) }

  /// Before LMDB's environment is closed.
  func closeSynchronising() {
    withheld.close()
    guard let deferredSync = deferredSyncReference.load() else { return }
    deferredSync.endJournalAtClosing(self)
    deferredSync.close()
  }

  /// Returns why a commit with a journal will never be durable, if so. For the writer, before anything else is committed.
  func failure(ofCommit version: UInt64) -> StorageError? {
    guard let deferredSync = deferredSyncReference.load(),
      case .failed(let failure) = deferredSync.state.withLock({ $0.answer(version) })
    else { return nil }
    return failure
  }

  /// The reason why nothing can be written before all processes have closed the file; nil if there is none.
  var synchronisationFailure: StorageError? { deferredSyncReference.load()?.failure }

  /// Calls back, on any thread, when the disk has a version that was committed; at once when it has it already. With
  /// an error when that is not sure, although the version is there for all to see.
  package func whenSynced(_ version: UInt64, _ completion: @escaping @Sendable (StorageError?) -> Void) {
    if let deferredSync = deferredSyncReference.load() {
      deferredSync.whenSynced(version, completion)
    } else {
      completion(nil)
    }
  }
}
