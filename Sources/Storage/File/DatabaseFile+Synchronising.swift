import Dispatch
import Synchronization

extension DatabaseFile {
  /// Made by the first commit.
  private var deferredSync: DeferredSync? {
    if let known = deferredSyncReference.load() { return known }
    guard let new = DeferredSync(path: path, identity: identity, environment: environment) else { return nil }
    return deferredSyncReference.storeIfNil(new)
  }

  /// Before a commit by the holder of the write lock on top of a version. Returns whether the commit is to be noted.
  func prepareCommit(_ durability: Durability, version: UInt64) throws(LMDBError) -> Bool {
    let isDeferred =
      try deferredSync?.prepareCommit(defers: durability == .deferred, version: version) ?? false
    setSynchronises(!isDeferred && durability != .relaxed)
    return isDeferred
  }

  func noteDeferredCommit() { deferredSyncReference.load()?.noteCommit(self) }

  /// Calls back, on any thread, when the disk has a version that was committed; at once when it has it already. With
  /// an error when that is not sure, although the version is there for all to see.
  public func whenSynced(_ version: UInt64, _ completion: @escaping @Sendable (StorageError?) -> Void) {
    if let deferredSync = deferredSyncReference.load() {
      deferredSync.whenSynced(version, completion)
    } else {
      completion(nil)
    }
  }

  /// Waits until the disk has a version that was committed.
  public func waitUntilSynced(_ version: UInt64) throws(StorageError) {
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
