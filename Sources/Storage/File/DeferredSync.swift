import CLMDB
import Glibc
import Synchronization

/// Commits that are visible at once and reach the disk later, many of them with one synchronisation.
///
/// What is guaranteed: a completion is called when the disk has its commit and all before it; after a failure of the
/// system at any moment the file is one of its versions, whole, and none older than the newest one whose completion
/// was called. The death of processes loses no commit.
///
/// How that is had from LMDB 0.9, whose commits without a synchronisation (`MDB_NOSYNC`) leave it to the system which
/// of their pages reach the disk first, so that the disk may have a meta page without what it points to:
///  1. Before the first such commit the recovery record is written: it names a version S that the disk has.
///     From then on it is the record that counts after a failure of the system, not the meta pages.
///  2. A reader pins S, so that LMDB writes its later versions only to pages that S does not use.
///  3. A synchronisation of everything up to a version T, which a reader pins as well, is followed by a record
///     that names T. Then the completions up to T are called, and S is let go of.
///  4. When no commit is left without synchronisation, and while nobody writes, the record is ended, and LMDB's
///     own commits with synchronisation count again.
/// While a record is pending no commit of anybody may synchronise by itself, as the record would not know: those
/// of this process join in and wait for the next synchronisation; another process, which finds a record that is not
/// its own, first brings everything to the disk and ends the record. It does the same when the owner has died, and its
/// readers no longer pin anything. Records change under a lock of their own, so that the owner notices that the
/// record has been ended by another process: everything is on the disk then.
///
/// The two writes of a group (data, record) are as many as LMDB needs for each single commit (data, meta page).
final class DeferredSync: @unchecked Sendable {
  typealias Completion = @Sendable (StorageError?) -> Void

  /// A version that a reader keeps LMDB from overwriting.
  private struct Pinned {
    let reader: OpaquePointer
    let meta: RecoveryRecord.Meta
    var version: UInt64 { meta.version }
  }

  private struct State {
    /// The sequence of the record that this process has pending; nil when it has none.
    var sequence: UInt64?
    /// The version that the record names.
    var durable: Pinned?
    /// The newest commit without synchronisation.
    var newest: Pinned?
    /// Everything up to this version is on the disk.
    var syncedVersion: UInt64 = 0
    var waiting: [(version: UInt64, completion: Completion)] = []
    var isRunning = false
    /// For ending the record.
    var request: WriteRequest?
    var spareReaders: [OpaquePointer] = []

    mutating func unpin(_ pinned: Pinned) {
      mdb_txn_reset(pinned.reader)
      spareReaders.append(pinned.reader)
    }

    mutating func unpinDurable() {
      if let durable { unpin(durable) }
      durable = nil
    }

    mutating func unpinNewest() {
      if let newest { unpin(newest) }
      newest = nil
    }
  }

  private let path: String
  private let environment: OpaquePointer
  private let descriptor: Int32
  /// Writes to it are synchronisations of themselves.
  private let syncingDescriptor: Int32
  private let pages: UnsafeRawPointer
  private let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state = State()
  /// Guards the record within the process, and a lock on this byte of the file between processes.
  private let recordMutex = Mutex(())
  private static let recordByte: off_t = 1 << 62

  /// For a file that may be written; nil when the system does not offer what is needed, or the path is not that of
  /// the file any more.
  init?(path: String, identity: FileIdentity, environment: OpaquePointer) {
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    syncingDescriptor = open(path, O_RDWR | O_DSYNC | O_CLOEXEC)
    guard RecoveryRecord.Boot.current != nil, descriptor >= 0, syncingDescriptor >= 0,
      FileIdentity(descriptor: descriptor) == identity,
      let mapped = mmap(nil, 2 * pageSize, PROT_READ, MAP_SHARED, descriptor, 0), mapped != MAP_FAILED
    else {
      Glibc.close(descriptor)
      Glibc.close(syncingDescriptor)
      mutex.deallocate()
      changed.deallocate()
      return nil
    }
    self.path = path
    self.environment = environment
    pages = UnsafeRawPointer(mapped)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: pages), 2 * pageSize)
    Glibc.close(descriptor)
    Glibc.close(syncingDescriptor)
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Ends the readers, before LMDB's environment is closed.
  func close() {
    withState { state in
      state.unpinDurable()
      state.unpinNewest()
      for reader in state.spareReaders { mdb_txn_abort(reader) }
      state.spareReaders = []
    }
  }

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }

  // MARK: The record

  private var record: RecoveryRecord? { RecoveryRecord(pages, pageSize: pageSize) }

  private func withRecordLock<Result>(_ body: () throws(LMDBError) -> Result) throws(LMDBError) -> Result {
    try recordMutex.withLock { (_) throws(LMDBError) in
      try OpenFileLock.lock(descriptor, byte: Self.recordByte)
      defer { OpenFileLock.unlock(descriptor, byte: Self.recordByte) }
      return try body()
    }
  }

  /// Brings a record to the disk, and everything before it with it unless that is there.
  private func write(_ record: RecoveryRecord, withEverything: Bool) throws(LMDBError) {
    guard record.write(to: withEverything ? descriptor : syncingDescriptor, pageSize: pageSize),
      !withEverything || fdatasync(descriptor) == 0
    else { throw LMDBError(code: errno == 0 ? EIO : errno) }
  }

  // MARK: Committing

  // All of these are called by the holder of the right to write.

  /// Before a commit: decides whether it synchronises by itself.
  ///
  /// - Returns: False when it does. Otherwise `noteCommit` has to be called after it.
  func prepareCommit(defers: Bool, version: UInt64) throws(LMDBError) -> Bool {
    if RecoveryRecord.mayBePending(pages, pageSize: pageSize), let record, record.isPending {
      let isOwn = withState { $0.sequence == record.sequence }
      if isOwn {
        try makeSpareReaders(1)
        return true
      }
      try endForeignRecord()
    }
    if !defers { return false }
    try makeSpareReaders(2)
    try beginRecord(version)
    return true
  }

  /// So that nothing can fail after the commit.
  private func makeSpareReaders(_ count: Int) throws(LMDBError) {
    while withState({ $0.spareReaders.count < count }) {
      var reader: OpaquePointer?
      try LMDBError.check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &reader))
      mdb_txn_reset(reader)
      withState { $0.spareReaders.append(reader!) }
    }
  }

  /// Pins the newest version, which is that of the last commit.
  private func pinNewest(_ state: inout State) -> Pinned? {
    guard let reader = state.spareReaders.popLast() else { return nil }
    guard mdb_txn_renew(reader) == 0 else {
      mdb_txn_abort(reader)
      return nil
    }
    let version = UInt64(mdb_txn_id(reader))
    return Pinned(reader: reader, meta: RecoveryRecord.Meta(pages, version: version, pageSize: pageSize))
  }

  private func beginRecord(_ version: UInt64) throws(LMDBError) {
    guard let pinned = withState({ pinNewest(&$0) }) else { throw LMDBError(code: MDB_BAD_TXN) }
    guard pinned.version == version, pinned.meta.version == version else {
      withState { $0.unpin(pinned) }
      throw LMDBError(code: MDB_BAD_TXN)
    }
    do throws(LMDBError) {
      let sequence = try withRecordLock { () throws(LMDBError) in
        let sequence = (record?.sequence ?? 0) + 1
        try write(
          RecoveryRecord(
            sequence: sequence, isPending: true, boot: RecoveryRecord.Boot.current!, meta: pinned.meta),
          withEverything: true)
        return sequence
      }
      withState { state in
        state.unpinNewest()
        state.unpinDurable()
        state.durable = pinned
        state.sequence = sequence
        state.syncedVersion = version
      }
    } catch {
      withState { $0.unpin(pinned) }
      throw error
    }
  }

  /// Another process has left a record, or has not come to end it.
  private func endForeignRecord() throws(LMDBError) {
    try withRecordLock { () throws(LMDBError) in
      guard var record, record.isPending else { return }
      try LMDBError.check(mdb_env_sync(environment, 1))
      record.sequence += 1
      record.isPending = false
      try write(record, withEverything: false)
    }
  }

  /// After a commit that has not synchronised.
  func noteCommit(_ file: DatabaseFile) {
    let request = withState { state in
      let pinned = pinNewest(&state)
      state.unpinNewest()
      state.newest = pinned
      defer { state.request = nil }
      return state.request
    }
    request?.cancel()
    run(file)
  }

  // MARK: Waiting

  /// Calls back when the disk has a version, or with the error that hindered it; at once when it has it already.
  func whenSynced(_ version: UInt64, _ completion: @escaping Completion) {
    let isSynced = withState { state in
      if state.sequence == nil && !state.isRunning || version <= state.syncedVersion { return true }
      state.waiting.append((version, completion))
      return false
    }
    if isSynced { completion(nil) }
  }

  // MARK: Synchronising

  /// Sees to it that a thread brings the commits to the disk.
  private func run(_ file: DatabaseFile) {
    let isRunning = withState { state in
      defer { state.isRunning = true }
      if state.isRunning { pthread_cond_signal(changed) }
      return state.isRunning
    }
    if isRunning { return }
    let open = OpenFile(file)
    let loop: @Sendable () -> Void = { [self] in synchronise(open) }
    if !Thread.start(loop) { loop() }
  }

  /// Keeps the file open as long as there is something to do. Only used by the thread.
  private final class OpenFile: @unchecked Sendable {
    var file: DatabaseFile?
    init(_ file: DatabaseFile) { self.file = file }
  }

  private enum Step {
    case sync(Pinned, sequence: UInt64)
    case end
    case request
    case stop([Completion])
  }

  private func nextStep(_ state: inout State) -> Step {
    while true {
      guard let sequence = state.sequence else {
        // Nothing is left to be brought to the disk.
        state.isRunning = false
        defer { state.waiting = [] }
        return .stop(state.waiting.map(\.completion))
      }
      if let newest = state.newest {
        state.newest = nil
        return .sync(newest, sequence: sequence)
      }
      guard let request = state.request else { return .request }
      if request.tryTake() {
        state.request = nil
        return .end
      }
      pthread_cond_wait(changed, mutex)
    }
  }

  private func synchronise(_ open: OpenFile) {
    // Called before the next step, and after the file was let go of when that is the last one: a program may delete
    // the file in answer to them.
    var completions: [Completion] = []
    var failure: StorageError?
    while true {
      let step = withState(nextStep)
      if case .stop = step { open.file = nil }
      for completion in completions { completion(failure) }
      completions = []
      guard let file = open.file else {
        if case .stop(let rest) = step { for completion in rest { completion(nil) } }
        return
      }
      switch step {
      case .sync(let pinned, let sequence):
        (completions, failure) = synchronise(pinned, sequence, file)
      case .end:
        endRecord()
        file.returnWriting()
      case .request: request(file)
      case .stop: break
      }
    }
  }

  /// Asks for the right to write, to end the record.
  private func request(_ file: DatabaseFile) {
    let request = file.requestWriting(isPatient: true) { [self] in
      withState { _ in _ = pthread_cond_signal(changed) }
    }
    let isNeeded = withState { state in
      if state.newest == nil { state.request = request }
      return state.newest == nil
    }
    if !isNeeded { request.cancel() }
  }

  private func synchronise(
    _ pinned: Pinned, _ sequence: UInt64, _ file: DatabaseFile
  ) -> ([Completion], StorageError?) {
    var failure: StorageError?
    var isWriter = false
    do throws(LMDBError) {
      try LMDBError.check(mdb_env_sync(environment, 1))
      // When nobody writes, the record is ended with the same write.
      isWriter = withState { $0.newest == nil } && file.tryTakeWriting()
      if isWriter && withState({ $0.newest != nil }) {
        file.returnWriting()
        isWriter = false
      }
      try replaceRecord(sequence, pinned, isPending: !isWriter)
    } catch {
      failure = .lmdb(error, path: path)
      abandon(sequence)
    }
    let completions = withState { state in
      if failure == nil { state.syncedVersion = max(state.syncedVersion, pinned.version) }
      if failure == nil, state.sequence == sequence + 1 {
        state.unpinDurable()
        state.durable = pinned
      } else {
        state.unpin(pinned)
      }
      let limit = failure != nil ? UInt64.max : state.syncedVersion
      defer { state.waiting.removeAll { $0.version <= limit } }
      return state.waiting.filter { $0.version <= limit }.map(\.completion)
    }
    if isWriter { file.returnWriting() }
    return (completions, failure)
  }

  /// Lets the record name another version, or ends it, unless another process has ended it: then this one has none.
  private func replaceRecord(_ sequence: UInt64, _ pinned: Pinned, isPending: Bool) throws(LMDBError) {
    let isOwn = try withRecordLock { () throws(LMDBError) in
      guard let record, record.sequence == sequence, withState({ $0.sequence == sequence }) else {
        return false
      }
      try write(
        RecoveryRecord(sequence: sequence + 1, isPending: isPending, boot: record.boot, meta: pinned.meta),
        withEverything: false)
      withState { $0.sequence = isPending ? sequence + 1 : nil }
      return true
    }
    if !isOwn || !isPending { abandon(sequence) }
  }

  /// Ends the record when it names the newest version. For the holder of the right to write.
  private func endRecord() {
    guard
      let (sequence, durable) = withState({ state in
        state.newest == nil
          ? state.sequence.flatMap { sequence in state.durable.map { (sequence, $0) } } : nil
      })
    else { return }
    do {
      try replaceRecord(sequence, durable, isPending: false)
    } catch {
      abandon(sequence)
    }
  }

  /// Lets go of a record that is another process's business now, or nobody's.
  private func abandon(_ sequence: UInt64) {
    withState { state in
      guard state.sequence == nil || state.sequence == sequence else { return }
      state.sequence = nil
      state.unpinDurable()
      state.unpinNewest()
    }
  }
}
