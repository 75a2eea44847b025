import LibC

/// The thread that brings commits to the disk, and ends the record when it has nothing to do.
extension DeferredSync {
  /// Sees to it that a thread brings the commits to the disk. Returns false when there can be none.
  @discardableResult
  func run(_ file: DatabaseFile) -> Bool {
    let isRunning = state.withLock { state in
      defer { state.isRunning = true }
      return state.isRunning
    }
    if isRunning {
      state.signal()
      return true
    }
    let open = OpenFile(file)
    if calls.startThread({ [self] in synchronise(open) }) { return true }
    state.withLock { $0.isRunning = false }
    return false
  }

  /// Keeps the file open as long as there is something to do. Only used by the thread.
  private final class OpenFile: @unchecked Sendable {
    var file: DatabaseFile?
    init(_ file: DatabaseFile) { self.file = file }
  }

  private enum Step {
    case sync(PinnedVersion)
    case end
    case request
    case stop([() -> Void], WriteRequest?)
  }

  /// Nil when nothing is to be done before something changes.
  private static func nextStep(_ state: inout SyncState) -> Step? {
    guard state.own != nil, state.failure == nil else {
      // There is nothing left to sync.
      state.isRunning = false
      defer { state.request = nil }
      return .stop(state.takeAll(), state.request)
    }
    if let newest = state.newest {
      state.newest = nil
      return .sync(newest)
    }
    guard let request = state.request else { return .request }
    if !request.tryTake() { return nil }
    state.request = nil
    return .end
  }

  private func synchronise(_ open: OpenFile) {
    guard let records = recordsReference.load() else { return }
    // Called before the next step; in the last step after the file was released, because a program may delete the file in
    // a completion.
    var completions: [Completion] = []
    while true {
      let step = state.wait(for: Self.nextStep)
      var rest: [() -> Void]?
      if case .stop(let last, let request) = step {
        request?.cancel()
        open.file = nil
        rest = last
      }
      for completion in completions { completion(nil) }
      completions = []
      guard let file = open.file else {
        for completion in rest ?? [] { completion() }
        return
      }
      switch step {
      case .sync(let pinned):
        // If there is no writer, the record is ended with the same write.
        var isWriter = false
        synchronise(pinned, records) {
          isWriter = state.withLock { $0.newest == nil } && file.tryTakeWriting()
          return isWriter && state.withLock { $0.newest == nil }
        }
        if isWriter { file.returnWriting() }
        completions = state.withLock { $0.takeSynced() }
      case .end:
        let mayGoOn = endRecord(records, file)
        file.returnWriting()
        // The record says what is on the disk, and the next commit that is deferred goes on from it.
        if mayGoOn || state.withLock({ $0.newest != nil || $0.failure != nil }) { continue }
        if state.withLock({ $0.stopRunning() }) {
          open.file = nil
          return
        }
        noteFailure(EntryError(code: ENOLCK))
      case .request: request(file)
      case .stop: break
      }
    }
  }

  /// Syncs on the calling thread, for the holder of the writer lock, when no thread can be started: it must not wait for that lock.
  func synchroniseHere(_ records: RecordFile) {
    let newest = state.withLock { state in
      defer { state.newest = nil }
      return state.newest
    }
    if let newest { synchronise(newest, records) { true } }
    for completion in state.withLock({
      $0.takeSynced().map { completion in { completion(nil) } } + $0.takeAll()
    }) {
      completion()
    }
  }

  /// Requests the writer lock, to end the record.
  private func request(_ file: DatabaseFile) {
    let request = file.requestWriting(isPatient: true) { [state] in state.signal() }
    let isNeeded = state.withLock { state in
      let isNeeded = state.newest == nil && state.failure == nil
      if isNeeded { state.request = request }
      return isNeeded
    }
    if !isNeeded { request.cancel() }
  }

  /// The record in the file when it is this process's. For the holder of its lock.
  func ownRecord(_ records: RecordFile) -> RecoveryRecord? {
    guard let record = records.record else { return nil }
    return state.withLock { $0.owns(record) } ? record : nil
  }

  /// Syncs everything up to a version.
  ///
  /// - Parameter mayEnd: Whether the record can be ended together with it: if there is neither a writer nor a newer version.
  ///   Evaluated when the version is durable.
  private func synchronise(_ pinned: PinnedVersion, _ records: RecordFile, mayEnd: () -> Bool) {
    do throws(EntryError) {
      try records.withLock { () throws(EntryError) in
        guard let record = ownRecord(records) else {
          state.withLock { $0.unpin(pinned) }
          return noteOtherRecord(records)
        }
        do throws(EntryError) {
          try records.synchronise()
        } catch {
          state.withLock { $0.keep(pinned) }
          return fail(error, records, lastSure: record.meta, sequence: record.sequence + 1)
        }
        replace(record, records, naming: pinned, isPending: !mayEnd())
      }
    } catch {
      // Without the lock the record cannot be written.
      state.withLock { $0.keep(pinned) }
      noteFailure(error)
    }
  }

  /// Lets the record name another version, or ends it. For the holder of its lock.
  private func replace(
    _ record: RecoveryRecord, _ records: RecordFile, naming pinned: PinnedVersion, isPending: Bool
  ) {
    let new = RecoveryRecord(
      sequence: record.sequence + 1, isPending: isPending, boot: record.boot, meta: pinned.meta)
    state.withLock { $0.own?.next = new.sequence }
    do throws(EntryError) {
      try records.write(new)
    } catch {
      state.withLock { if $0.durable?.reader != pinned.reader { $0.keep(pinned) } }
      return fail(error, records, lastSure: record.meta, sequence: new.sequence + 2)
    }
    state.withLock { state in
      state.own = isPending ? SyncState.OwnRecord(sequence: new.sequence) : nil
      state.syncedVersion = max(state.syncedVersion, pinned.version)
      if state.durable?.reader != pinned.reader { state.unpinDurable() }
      state.durable = pinned
      if !isPending { state.unpinDurable() }
    }
  }

  /// Ends the record if it names the newest version. The caller holds the writer lock. Returns false if the system did not
  /// grant a lock that is needed for it.
  private func endRecord(_ records: RecordFile, _ file: DatabaseFile) -> Bool {
    do {
      try file.writeLock.checkHeld()
      try records.withLock { () throws(EntryError) in
        guard let record = ownRecord(records) else { return noteOtherRecord(records) }
        guard let durable = state.withLock({ $0.newest == nil ? $0.durable : nil }) else { return }
        replace(record, records, naming: durable, isPending: false)
      }
      return true
    } catch {
      return false
    }
  }

  /// Another process has ended the record of this one, after it brought everything to the disk, or has found that it
  /// cannot. For the holder of the record's lock.
  private func noteOtherRecord(_ records: RecordFile) {
    if let record = records.record, record.isFailed { return noteFailure(EntryError(code: EIO)) }
    state.withLock { if $0.own != nil { $0.ownRecordEndedElsewhere() } }
  }
}
