import Dispatch
import LibC
import Pages
import Synchronization

/// Syncs commits that do not wait for the disk, many of them with one `fdatasync`: deferred ones soon, relaxed ones when the durable
/// version alone keeps much space in use.
///
/// A completion is called when its commit and all before it are durable, and after the completions of these. A
/// synchronisation that fails says nothing of what the disk has: then everything that was not durable has failed, and nothing more is
/// written.
final class CommitSynchronisation: Sendable {
  /// The file. It is not closed while a caller waits.
  typealias Owner = any AnyObject & Sendable
  typealias Completion = @Sendable (StorageError?) -> Void

  private struct State: Sendable {
    var waiting: [(version: UInt64, completion: Completion)] = []
    /// Is not closed while a caller waits.
    var file: Owner?
    /// The version of a relaxed commit that is to be synced, for which no caller waits.
    var relaxed: UInt64?
    var isRunning = false
    /// The thread that runs.
    var runner: pthread_t?
    var failure: StorageError?
  }

  private let path: String
  private let store: PageStore
  private let state = Monitor(State())

  init(path: String, store: PageStore) { (self.path, self.store) = (path, store) }

  /// Why nothing can be written any more, if so.
  var failure: StorageError? {
    if let failure = state.withLock({ $0.failure }) { return failure }
    return store.hasFailed ? .notSynchronised(EntryError(code: EIO), path: path) : nil
  }

  /// Calls back when the disk has a version, or with the error that hindered it; at once when that is known.
  ///
  /// - Parameter file: Is not closed meanwhile.
  func whenSynced(_ version: UInt64, of file: Owner, _ completion: @escaping Completion) {
    let (isDone, mustStart) = state.withLock { state in
      // Not before those of earlier commits.
      let isKnown = version <= store.durableVersion || state.failure != nil
      if isKnown && !state.waiting.contains(where: { $0.version <= version }) { return (true, false) }
      state.waiting.append((version, completion))
      state.file = file
      defer { state.isRunning = true }
      return (false, !state.isRunning)
    }
    if isDone { return completion(version <= store.durableVersion ? nil : failure) }
    if mustStart && !Thread.start({ [self] in run() }) { run() }
  }

  /// Starts a sync in the background if one is due after a relaxed commit. It does not keep the file open: the thread that closes the
  /// file waits for it.
  func noteRelaxedCommit(_ version: UInt64) {
    if !store.isSynchronisationDue { return }
    let mustStart = state.withLock { state in
      if state.isRunning || state.failure != nil { return false }
      (state.relaxed, state.isRunning) = (version, true)
      return true
    }
    if !mustStart || Thread.start({ [self] in run() }) { return }
    // The next commit tries again. A caller that has begun to wait meanwhile relies on this one.
    let isWanted = state.withLock { state in
      state.relaxed = nil
      state.isRunning = !state.waiting.isEmpty
      return state.isRunning
    }
    if isWanted { run() } else { state.signal() }
  }

  /// Waits until no sync runs in the background. None starts afterwards if no code uses the file any more. The thread that runs does not
  /// wait for itself, when it releases the last reference to the file.
  func waitUntilIdle() {
    let own = pthread_self()
    state.wait { $0.isRunning && $0.runner.map { pthread_equal($0, own) == 0 } ?? true ? nil : () }
  }

  private func run() {
    state.withLock { $0.runner = pthread_self() }
    // Released at the end: the last reference closes the file.
    var file: Owner?
    defer { withExtendedLifetime(file) {} }
    while let newest = takeNewest(&file) {
      var durable = store.durableVersion
      var failure = self.failure
      if newest > durable && failure == nil {
        do throws(PageError) {
          durable = try store.synchronise()
        } catch {
          failure = .notSynchronised(EntryError(error), path: path)
          durable = store.durableVersion
        }
      }
      if let failure { state.withLock { $0.failure = $0.failure ?? failure } }
      call(durable, failure)
    }
  }

  /// Calls the completions of what is durable or has failed. The file is not kept open for the last of them: the program may delete it
  /// then.
  private func call(_ durable: UInt64, _ failure: StorageError?) {
    while true {
      var file: Owner?
      let next = state.withLock { state in
        let index = state.waiting.firstIndex { failure != nil || $0.version <= durable }
        if state.waiting.count == (index == nil ? 0 : 1) { swap(&file, &state.file) }
        return index.map { state.waiting.remove(at: $0) }
      }
      file = nil
      guard let next else { return }
      next.completion(next.version <= durable ? nil : failure)
    }
  }

  /// The newest version that is to be synced; nil when there is none, and the run is over.
  ///
  /// - Parameter file: Is set at the end to the file that the run has kept open.
  private func takeNewest(_ file: inout Owner?) -> UInt64? {
    let newest = state.withLock { state in
      let newest = (state.waiting.map(\.version) + [state.relaxed].compactMap(\.self)).max()
      state.relaxed = nil
      if newest == nil {
        swap(&file, &state.file)
        (state.isRunning, state.runner) = (false, nil)
      }
      return newest
    }
    if newest == nil { state.signal() }
    return newest
  }
}
