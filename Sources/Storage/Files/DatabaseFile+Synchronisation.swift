import Dispatch
import LibC
import Synchronization

extension DatabaseFile {
  /// Nil for a process that only reads.
  private var synchronisation: CommitSynchronisation? {
    if let known = synchronisationReference.load() { return known }
    guard let store = entries.store else { return nil }
    return synchronisationReference.storeIfNil(CommitSynchronisation(path: path, store: store))
  }

  /// Throws when a synchronisation has failed, so that nothing can be written any more.
  func checkSynchronisation() throws(EntryError) {
    if synchronisation?.failure != nil { throw EntryError(code: EIO) }
  }

  /// After a commit that made a version.
  func noteCommit(_ version: UInt64, _ durability: Durability) {
    switch durability {
    // Also when no caller waits.
    case .deferred: synchronisation?.whenSynced(version, of: self) { _ in }
    // No file without a name survives a power failure.
    case .relaxed where isNamed: synchronisation?.noteRelaxedCommit(version)
    case .relaxed, .full: break
    }
  }

  /// What was not synchronised yet is when the file is closed.
  func closeSynchronising() { synchronisationReference.load()?.waitUntilIdle() }

  /// The reason why nothing can be written before all processes have closed the file; nil if there is none.
  var synchronisationFailure: StorageError? { synchronisation?.failure }

  /// Calls back, on any thread, when the disk has a version that was committed; at once when it has it already. With
  /// an error when that is not sure, although the version is there for all to see.
  package func whenSynced(_ version: UInt64, _ completion: @escaping @Sendable (StorageError?) -> Void) {
    guard let synchronisation = synchronisationReference.load() else { return completion(nil) }
    synchronisation.whenSynced(version, of: self, completion)
  }

  /// Waits until the disk has a version that was committed.
  package func waitUntilSynced(_ version: UInt64) throws(StorageError) {
    let result = Mutex<StorageError?>(nil)
    let done = DispatchSemaphore(value: 0)
    whenSynced(version) { error in
      result.withLock { $0 = error }
      done.signal()
    }
    done.wait()
    if let error = result.withLock({ $0 }) { throw error }
  }
}
