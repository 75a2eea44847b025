import Dispatch
import Synchronization

extension DatabaseFile {
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
