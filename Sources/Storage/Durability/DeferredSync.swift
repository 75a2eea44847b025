import LibC
import Synchronization

/// Commits that are visible at once and reach the disk later, many of them with one synchronisation.
///
/// Guarantee: a completion is called when its commit and all before it are durable; after a failure of the
/// system at any moment the file is one of its versions, whole, and none older than the newest one whose completion
/// was called. The death of processes loses no commit.
///
/// How that is had from LMDB 0.9, whose commits without a synchronisation (`MDB_NOSYNC`) leave it to the system which
/// of their pages reach the disk first, so that the disk may have a meta page without what it points to:
///  1. Before the first such commit the recovery record is written: it names a version S that the disk has.
///     From then on it is the record that counts after a failure of the system, not the meta pages.
///  2. A reader pins S, so that LMDB writes its later versions only to pages that S does not use.
///  3. A synchronisation of everything up to a version T, which a reader pins as well, is followed by a record
///     that names T. Then the completions up to T are called, and S is released.
///  4. When no commit is left without synchronisation, and while there is no writer, the record is ended, and LMDB's
///     own commits with synchronisation count again.
/// While a record is pending, no commit of any process may sync by itself, since the record would not name it: commits of
/// this process wait for the next sync; another process, which finds a record that is not its own, first syncs everything
/// and ends the record. It does the same when the owner has died, and its
/// readers no longer pin anything.
///
/// Whose a record is: each has a sequence number, and is replaced by the next one only under a lock that all processes
/// share. This process notes in its state what it is about to write, so that the record in the file is its own
/// exactly if its state knows the number, at any moment and without acquiring the lock. Only the holder of the writer lock
/// ends a record: for that holder its owner cannot change any more.
///
/// What becomes of a failed synchronisation: the system may have dropped the pages and taken them for written, so
/// that a later synchronisation which succeeds says nothing about them. Therefore
///  - everything after the last version that is surely on the disk has failed, for all present and later requests for durability;
///  - the file has failed: this process begins no other commit, of any durability, since the commit would be built on pages
///    that may be missing. Reading continues;
///  - the record is replaced by one that says so, of a boot that never was, before the lock is released. The other
///    processes find it when they are about to commit, and fail as well. The lock is held over the sync and this, so that no
///    process can end the record in between by a sync that proves nothing (a descriptor that is younger than the failure
///    does not report it). The first opener of the file goes back to the version that the record names, also in the same
///    boot. Its pages are still pinned. It is written over the older of the
///    two copies, or over the one whose writing has failed, never over the last one that is known to be on the disk.
///    Should it be lost as well, the disk still has that one for the next boot.
/// A commit that LMDB synchronises by itself stands only on a version that is surely on the disk: what this process does
/// not know of (another one's commits, relaxed ones, those from before the file was opened) is synchronised first. So
/// when it fails, LMDB drops it with all of its pages and nothing else is lost, and the next one is sound.
///
/// Locks are acquired in this order: the writer lock, the lock of the record, the lock of the state. While the record is
/// locked, the writer lock is only tried. A callback that finds it held by the next writer only records that.
///
/// The two writes of a group (data, record) are as many as LMDB needs for each single commit (data, meta page).
final class DeferredSync: @unchecked Sendable {
  typealias Completion = SyncState.Completion

  private let path: String
  private let environment: EntryStore
  private let lockDescriptor: Int32
  let calls: DiskCalls
  let state = Monitor(SyncState())
  let recordsReference = AtomicLazyReference<RecordFile>()
  /// The journal that the last record of this process names, unless it was ended. For the holder of the writer lock.
  var ownJournal: OwnJournal?
  /// For the holder of the writer lock.
  var quickCommits = QuickCommits()
  /// Whether a journal of this process could not be ended, as the recovery record says then.
  private let journalFailure = Atomic(false)
  var hasJournalFailed: Bool { journalFailure.load(ordering: .sequentiallyConsistent) }
  /// Whether a thread looks for a pause. For the holder of the writer lock.
  var isAwaitingPause = false

  /// For a file that may be written.
  ///
  /// - Parameter lockDescriptor: For the lock of the record; a child of fork() closes it.
  init(path: String, environment: EntryStore, lockDescriptor: Int32, calls: DiskCalls = DiskCalls()) {
    self.path = path
    self.environment = environment
    self.lockDescriptor = lockDescriptor
    self.calls = calls
  }

  /// Ends the readers, before LMDB's environment is closed.
  func close() { state.withLock { $0.endReaders() } }

  /// Why nothing can be written any more, if so.
  var failure: StorageError? { state.withLock { $0.failure } }

  private func openRecords() throws(EntryError) -> RecordFile {
    if let known = recordsReference.load() { return known }
    return recordsReference.storeIfNil(
      try RecordFile(
        path: path, environment: environment, lockDescriptor: lockDescriptor, calls: calls))
  }

  // MARK: Committing

  // The caller of each of these holds the writer lock.

  /// Decides, before a commit on top of a version, how the commit will become durable. The caller reports the result to
  /// `DatabaseFile.noteCommit`.
  func prepareCommit(
    _ durability: Durability, version: UInt64, _ file: DatabaseFile
  ) throws(EntryError) -> CommitPath {
    let records = try openRecords()
    enum Situation { case failed, ownRecord, ownJournal, otherRecord, noRecord }
    let situation = state.withLock { state in
      state.journalledVersion = 0
      if state.failure != nil { return Situation.failed }
      if ownJournal != nil { return ownsJournal(records) ? .ownJournal : .otherRecord }
      if state.own == nil && !records.isPending { return .noRecord }
      if let record = records.record, state.owns(record) { return .ownRecord }
      return .otherRecord
    }
    switch situation {
    case .failed: throw EntryError(code: EIO)
    case .ownRecord:
      try makeSpareReaders(1)
      return .deferred
    case .ownJournal:
      // There are writes that do not consult the record, such as those of an opening process.
      if durability == .full, let journal = ownJournal?.journal, journal.version == version, journal.isNamed,
        hasSpaceForJournal(records.descriptor, size: 0)
      {
        state.withLock { $0.journalledVersion = version + 1 }
        return .journal
      }
      try endJournal(version, records)
    case .otherRecord: try endOtherRecord(records, version, file)
    case .noRecord: break
    }
    switch durability {
    case .relaxed:
      quickCommits.interrupt()
      return .unsynchronised
    case .deferred where RecoveryRecord.Boot.current != nil:
      quickCommits.interrupt()
      try makeSpareReaders(2)
      try beginRecord(version, records)
      run(file)
      return .deferred
    case .deferred, .full:
      try synchroniseFormerCommits(version, records)
      return try beginJournal(version, records, file) ? .journal : .synchronised
    }
  }

  /// After a commit that LMDB has synchronised.
  func noteSynchronisedCommit(_ version: UInt64) {
    state.withLock { $0.syncedVersion = max($0.syncedVersion, version) }
  }

  /// So that nothing can fail after the commit.
  private func makeSpareReaders(_ count: Int) throws(EntryError) {
    while state.withLock({ $0.spareReaderCount < count }) {
      let reader = try environment.beginReading()
      reader.reset()
      state.withLock { $0.add(spareReader: reader) }
    }
  }

  private func beginRecord(_ version: UInt64, _ records: RecordFile) throws(EntryError) {
    guard let pinned = state.withLock({ $0.pin(version, records) }) else {
      throw EntryError.badTransaction
    }
    try records.withLock { () throws(EntryError) in
      let new = RecoveryRecord(
        sequence: (records.record?.sequence ?? 0) + 1, isPending: true, boot: .current ?? .none,
        meta: pinned.meta)
      do throws(EntryError) {
        try records.writeWithEverything(new)
      } catch {
        state.withLock { $0.keep(pinned) }
        fail(error, records, lastSure: pinned.meta, sequence: new.sequence + 2)
        throw error
      }
      state.withLock { state in
        state.own = SyncState.OwnRecord(sequence: new.sequence)
        state.durable = pinned
        state.syncedVersion = max(state.syncedVersion, version)
      }
    }
  }

  /// The record is not this process's: another one has left it pending or has not come to end it, or it has ended that
  /// of this process.
  private func endOtherRecord(
    _ records: RecordFile, _ version: UInt64, _ file: DatabaseFile
  ) throws(EntryError) {
    // Another process has ended it, or says that nothing after what it has counts.
    if let journal = ownJournal?.journal, records.record?.journal != journal.number { journal.remove() }
    ownJournal = nil
    quickCommits.interrupt()
    try records.withLock { () throws(EntryError) in
      if let record = records.record, record.isPending {
        if record.isFailed {
          noteFailure(EntryError(code: EIO))
          throw EntryError(code: EIO)
        }
        var ended = record
        ended.sequence += 1
        ended.isPending = false
        do throws(EntryError) {
          try records.synchronise()
        } catch {
          fail(
            error, records, lastSure: record.meta, journal: record.journal, sequence: record.sequence + 1)
          throw error
        }
        do throws(EntryError) {
          try records.write(ended)
        } catch {
          fail(
            error, records, lastSure: record.meta, journal: record.journal, sequence: record.sequence + 3)
          throw error
        }
        if record.journal != nil, (try? file.checkPlace()) != nil {
          Journal.removeLeftover(file.location.journalPath) { true }
        }
        state.withLock { $0.syncedVersion = max($0.syncedVersion, version) }
      }
      state.withLock { if $0.own != nil { $0.ownRecordEndedElsewhere() } }
    }
    state.signal()
  }

  /// Sees to it that the disk surely has the version that a commit with a synchronisation of its own stands on.
  private func synchroniseFormerCommits(_ version: UInt64, _ records: RecordFile) throws(EntryError) {
    if state.withLock({ $0.syncedVersion >= version }) { return }
    try records.withLock { () throws(EntryError) in
      do throws(EntryError) {
        try records.synchronise()
      } catch {
        // There is no older version whose pages were left alone.
        fail(
          error, records, lastSure: records.meta(of: version),
          sequence: (records.record?.sequence ?? 0) + 1)
        throw error
      }
    }
    noteSynchronisedCommit(version)
  }

  /// After a commit that has not synchronised.
  func noteCommit(_ version: UInt64, _ file: DatabaseFile) {
    guard let records = recordsReference.load() else { return }
    let (isPinned, request) = state.withLock { state in
      if state.failure != nil { return (true, nil as WriteRequest?) }
      guard let pinned = state.pin(version, records) else { return (false, nil) }
      state.unpinNewest()
      state.newest = pinned
      defer { state.request = nil }
      return (true, state.request)
    }
    request?.cancel()
    if !isPinned { failToPin(records) }
    if !run(file) { synchroniseHere(records) }
  }

  /// Nothing keeps the commit's pages as they are, so that no record may ever name it.
  private func failToPin(_ records: RecordFile) {
    do throws(EntryError) {
      try records.withLock { () throws(EntryError) in
        guard let record = ownRecord(records) else { return }
        fail(
          EntryError.badTransaction, records, lastSure: record.meta, sequence: record.sequence + 1)
      }
    } catch {
      noteFailure(error)
    }
  }

  // MARK: Waiting

  /// Calls back when the disk has a version, or with the error that hindered it; at once when that is known.
  func whenSynced(_ version: UInt64, _ completion: @escaping Completion) {
    let answer = state.withLock { state in
      let answer = state.answer(version)
      if case .unknownYet = answer { state.waiting.append((version, completion)) }
      return answer
    }
    switch answer {
    case .synced: completion(nil)
    case .failed(let failure): completion(failure)
    case .unknownYet: break
    }
  }

  // MARK: Failing

  /// For the holder of the record's lock: nothing after the last version that is surely on the disk counts any more.
  ///
  /// - Parameters:
  ///   - journal: The one that goes on from the last version that is sure.
  ///   - sequence: That of the record that is to say so, which decides on the copy that it is written over.
  func fail(
    _ error: EntryError, _ records: RecordFile, lastSure: MetaPage.Content, journal: JournalNumber? = nil,
    sequence: UInt64
  ) {
    if journal != nil { journalFailure.store(true, ordering: .sequentiallyConsistent) }
    noteFailure(error)
    // All processes see it, whether the disk takes it or not.
    try? records.writeWithEverything(
      RecoveryRecord(sequence: sequence, isPending: true, journal: journal, boot: .none, meta: lastSure))
  }

  func noteFailure(_ error: EntryError) {
    let failure = StorageError.notSynchronised(error, path: path)
    state.withLock { if $0.failure == nil { $0.failure = failure } }
    state.signal()
  }
}
