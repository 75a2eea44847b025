import LibC
import Synchronization

// Durable commits with a journal. The caller of each function holds the writer lock.

/// A journal that this process uses.
struct OwnJournal {
  let journal: Journal
  /// The sequence number of the record that names the journal.
  var sequence: UInt64
}

extension DeferredSync {
  /// Whether the newest record names the journal of this process.
  func ownsJournal(_ records: RecordFile) -> Bool {
    guard let own = ownJournal else { return false }
    return records.isNewest(own.sequence, own.journal.number)
  }

  /// Begins a journal on top of a version that is surely on the disk, when it pays. Returns whether there is one.
  func beginJournal(
    _ version: UInt64, _ records: RecordFile, _ file: DatabaseFile
  ) throws(EntryError) -> Bool {
    // What lies beside another file at its place is that one's.
    guard quickCommits.note(version), file.isNamed, (try? file.checkPlace()) != nil,
      let boot = RecoveryRecord.Boot.current
    else { return false }
    let base = records.meta(of: version)
    guard hasSpaceForJournal(records.descriptor, size: JournalCapacity.bytes.load(ordering: .relaxed)) else {
      return false
    }
    // No commit waits for a thread: without one it goes without a journal.
    guard startAwaitingPause(file),
      let journal = Journal(
        path: file.location.journalPath, base: base, data: try file.environment.descriptor, calls: calls)
    else {
      quickCommits.add(1000)
      return false
    }
    do throws(EntryError) {
      try records.withLock { () throws(EntryError) in
        let former = records.record
        let new = RecoveryRecord(
          sequence: (former?.sequence ?? 0) + 1, isPending: true, journal: journal.number, boot: boot,
          meta: base)
        do throws(EntryError) {
          try records.write(new)
        } catch {
          if records.record != former {
            fail(error, records, lastSure: base, sequence: new.sequence + 2)
          }
          throw error
        }
        ownJournal = OwnJournal(journal: journal, sequence: new.sequence)
      }
    } catch {
      if failure != nil { throw error }
      // There was no space for it, or no lock: nothing has changed, and it goes without.
      journal.remove()
      quickCommits.add(1000)
      return false
    }
    state.withLock { $0.journalledVersion = version + 1 }
    Self.endAtExit(file)
    return true
  }

  /// Programs end without closing their files.
  private static func endAtExit(_ file: DatabaseFile) {
    _ = registration
    withJournals.withLock { files in
      files.removeAll { $0.file == nil || $0.file === file }
      files.append(WeakFile(file: file))
    }
  }

  private struct WeakFile { weak var file: DatabaseFile? }
  private static let withJournals = Mutex<[WeakFile]>([])
  private static let registration: Void = {
    atexit {
      for file in DeferredSync.withJournals.withLock({ $0.compactMap { $0.file } }) where !file.isInherited {
        file.deferredSyncReference.load()?.endJournalAtClosing(file)
      }
    }
  }()

  /// Starts a thread that looks each second whether commits still come, and otherwise ends the journal: the file is whole
  /// without it, and may be copied. Returns false when the system has no more threads.
  private func startAwaitingPause(_ file: DatabaseFile) -> Bool {
    if isAwaitingPause { return true }
    let reference = WeakFileReference(file)
    isAwaitingPause = calls.startThread {
      repeat { sleep(1) } while reference.file.map { DeferredSync.lookForPause($0) } ?? false
    }
    return isAwaitingPause
  }

  /// Returns whether the thread is to look again.
  private static func lookForPause(_ file: DatabaseFile) -> Bool {
    guard let deferredSync = file.deferredSyncReference.load() else { return false }
    // The writer will go on for a while.
    guard file.tryTakeWriting() else { return true }
    defer { file.returnWriting() }
    if deferredSync.quickCommits.isPausing { deferredSync.endJournalIfOwned(file) }
    deferredSync.isAwaitingPause = deferredSync.ownJournal != nil && !deferredSync.quickCommits.isPausing
    return deferredSync.isAwaitingPause
  }

  /// A file that the thread does not keep open.
  private final class WeakFileReference: @unchecked Sendable {
    private(set) weak var file: DatabaseFile?
    init(_ file: DatabaseFile) { self.file = file }
  }

  /// Whether the disk has enough space left for a journal of a size: where little is left, commits get it.
  func hasSpaceForJournal(_ descriptor: Int32, size: Int) -> Bool {
    let reserve = 4 * JournalCapacity.bytes.load(ordering: .relaxed)
    return calls.availableSpace(descriptor) >= size + reserve
  }

  /// Deletes the journal after a commit for which the disk had no space left. For the holder of the writer lock.
  func releaseSpace(_ file: DatabaseFile) {
    guard ownJournal != nil else { return }
    endJournalIfOwned(file)
    quickCommits.add(100)
  }

  /// Makes a commit durable that LMDB has just made without a sync. If that fails, all requests for the durability of the
  /// version get the error.
  func journalCommit(_ version: UInt64, _ file: DatabaseFile) {
    guard let records = recordsReference.load(), let journal = ownJournal?.journal else { return }
    quickCommits.noteTime()
    defer { tellWaiting() }
    let map = file.checkedPlaces.map
    let pageSize = LMDBPage.size
    var pages = CommittedPages(map: map, pageSize: pageSize, limit: journal.room)
    let meta = records.meta(of: version)
    let isTooLarge = !pages.find(from: records.meta(of: version - 1), to: meta)
    var hasFailed = false
    if !isTooLarge {
      do throws(EntryError) {
        let record = JournalRecord(journal: journal.number, meta: meta, pages: pages)
        if try journal.append(record, map: map, pageSize: pageSize) { return noteSynchronisedCommit(version) }
      } catch {
        // The file itself may be sound.
        hasFailed = true
      }
    }
    let isUseless = hasFailed || journal.isEmpty
    makeCheckpoint(version, records, ends: isUseless)
    // The next opener of the file must not find a commit there that has failed.
    if failure != nil { journal.discardFailedRecord() }
    if isUseless { quickCommits.add(100) }
  }

  /// Calls the completions that were added while the version was being synced.
  private func tellWaiting() {
    let (synced, rest) = state.withLock { state in
      state.journalledVersion = 0
      return (state.takeSynced(), state.failure == nil ? [] : state.takeAll())
    }
    for completion in synced { completion(nil) }
    for completion in rest { completion() }
  }

  /// Brings LMDB's file to the disk, after which nothing that the journal has is needed any more.
  ///
  /// - Parameters:
  ///   - version: The newest one.
  ///   - ends: Whether the journal is to end with it. Otherwise it is empty.
  func makeCheckpoint(_ version: UInt64, _ records: RecordFile, ends: Bool) {
    guard let own = ownJournal else { return }
    let journal = own.journal
    do throws(EntryError) {
      try records.withLock { () throws(EntryError) in
        guard ownsJournal(records) else { return noteFailure(EntryError(code: EIO)) }
        do throws(EntryError) {
          try records.synchronise()
        } catch {
          return fail(
            error, records, lastSure: journal.base, journal: journal.number, sequence: own.sequence + 1)
        }
        let new = RecoveryRecord(
          sequence: own.sequence + 1, isPending: !ends, journal: ends ? nil : .random(),
          boot: .current ?? .none, meta: records.meta(of: version))
        do throws(EntryError) {
          try records.write(new)
        } catch {
          return fail(
            error, records, lastSure: journal.base, journal: journal.number, sequence: new.sequence + 2)
        }
        noteSynchronisedCommit(version)
        if let number = new.journal {
          ownJournal?.sequence = new.sequence
          journal.begin(number, base: new.meta)
        } else {
          ownJournal = nil
          journal.remove()
        }
      }
    } catch {
      noteFailure(error)
    }
  }

  /// Ends the journal before a commit that does without it.
  func endJournal(_ version: UInt64, _ records: RecordFile) throws(EntryError) {
    makeCheckpoint(version, records, ends: true)
    if failure != nil { throw EntryError(code: EIO) }
  }

  /// Ends the journal so that the file is complete without it. If another process is writing, that process does it.
  func endJournalAtClosing(_ file: DatabaseFile) {
    guard ownJournal != nil, file.tryTakeWriting() else { return }
    endJournalIfOwned(file)
    file.returnWriting()
  }

  private func endJournalIfOwned(_ file: DatabaseFile) {
    guard failure == nil, let records = recordsReference.load(), ownsJournal(records),
      (try? file.writeLock.checkHeld()) != nil,
      // Otherwise a commit may have failed that LMDB shows.
      ownJournal?.journal.version == file.newestVersion
    else { return }
    makeCheckpoint(file.newestVersion, records, ends: true)
  }
}
