/// A version that a reader keeps LMDB from overwriting.
struct PinnedVersion {
  let reader: EntryTransaction
  let meta: MetaPage.Content
  var version: UInt64 { meta.version }
}

/// What a process knows of its commits that the disk need not have yet. See `DeferredSync`.
struct SyncState {
  typealias Completion = @Sendable (StorageError?) -> Void

  /// The record that this process has pending.
  struct OwnRecord {
    var sequence: UInt64
    /// The sequence number of the record that is being written over it.
    var next: UInt64?
  }

  /// Nil when this process has none.
  var own: OwnRecord?
  /// The version that the record names.
  var durable: PinnedVersion?
  /// The newest commit without synchronisation, unless it is just being synchronised.
  var newest: PinnedVersion?
  /// Everything up to this version is surely on the disk.
  var syncedVersion: UInt64 = 0
  /// The version that the journal makes durable if it is committed before a commit of another process.
  var journalledVersion: UInt64 = 0
  /// Why the versions after that will never be, whatever succeeds later.
  var failure: StorageError?
  var waiting: [(version: UInt64, completion: Completion)] = []
  /// Whether a thread sees to it that the commits reach the disk.
  var isRunning = false
  /// For ending the record.
  var request: WriteRequest?
  private var spareReaders: [EntryTransaction] = []
  /// Of versions that the disk may have after a failure.
  private var keptReaders: [EntryTransaction] = []

  // MARK: Pins

  var spareReaderCount: Int { spareReaders.count }

  mutating func add(spareReader: EntryTransaction) { spareReaders.append(spareReader) }

  /// Pins the newest version, which has to be this one; nil when that cannot be done.
  mutating func pin(_ version: UInt64, _ records: RecordFile) -> PinnedVersion? {
    guard let reader = spareReaders.popLast() else { return nil }
    do throws(EntryError) {
      try reader.renew()
    } catch {
      reader.abort()
      return nil
    }
    let pinned = PinnedVersion(reader: reader, meta: records.meta(of: version))
    if reader.version == version && pinned.version == version { return pinned }
    unpin(pinned)
    return nil
  }

  mutating func unpin(_ pinned: PinnedVersion) {
    pinned.reader.reset()
    spareReaders.append(pinned.reader)
  }

  mutating func keep(_ pinned: PinnedVersion) { keptReaders.append(pinned.reader) }

  mutating func unpinDurable() {
    if let durable { unpin(durable) }
    durable = nil
  }

  mutating func unpinNewest() {
    if let newest { unpin(newest) }
    newest = nil
  }

  mutating func endReaders() {
    unpinDurable()
    unpinNewest()
    for reader in spareReaders + keptReaders { reader.abort() }
    spareReaders = []
    keptReaders = []
  }

  // MARK: What has become of versions

  enum Answer {
    case synced
    case failed(StorageError)
    case unknownYet
  }

  func answer(_ version: UInt64) -> Answer {
    if version <= syncedVersion { return .synced }
    if let failure { return .failed(failure) }
    if version == journalledVersion { return .unknownYet }
    // Without a record all commits of this process are on the disk that were to be.
    return own == nil || !isRunning && newest == nil ? .synced : .unknownYet
  }

  func owns(_ record: RecoveryRecord) -> Bool {
    guard let own, record.isPending, !record.isFailed else { return false }
    return record.sequence == own.sequence || record.sequence == own.next
  }

  /// Ends the thread's work before the record was ended, unless there are commits or a failure to report. Returns
  /// whether it has ended.
  mutating func stopRunning() -> Bool {
    if newest != nil || failure != nil || !waiting.isEmpty { return false }
    isRunning = false
    return true
  }

  /// Another process has ended the record, and has brought everything to the disk before.
  mutating func ownRecordEndedElsewhere() {
    own = nil
    if let newest { syncedVersion = max(syncedVersion, newest.version) }
    unpinDurable()
    unpinNewest()
  }

  /// Removes and returns the completions whose versions are durable.
  mutating func takeSynced() -> [Completion] {
    let done = waiting.filter { $0.version <= syncedVersion }.map(\.completion)
    waiting.removeAll { $0.version <= syncedVersion }
    return done
  }

  /// All who waited, each with what came of it, when there is nothing more to be done.
  mutating func takeAll() -> [() -> Void] {
    defer { waiting = [] }
    return waiting.map { [failure, syncedVersion] version, completion in
      { completion(version <= syncedVersion ? nil : failure) }
    }
  }
}
