import LibC
import Storage

/// The asynchronous writes of one realm: those that wait for the right to write, in the order they were asked for,
/// and those that wait for the disk.
///
/// Used where the realm is confined to. At most one request for the right to write is out at a time, for the
/// first one waiting; a synchronous write that begins meanwhile takes what the request gets, because it would
/// otherwise wait for a right that only this thread can use up.
final class AsyncWriteQueue {
  /// A block and what it needs to begin.
  struct Block {
    /// Runs within a write transaction.
    let run: () -> Void
    /// Called instead when more versions are in use than the configuration allows; nil stops the program then.
    var refuse: ((ProgrammerError) -> Void)?
  }

  enum Work {
    case block(Block)
    /// A task that goes on by itself when the right is there.
    case task(TaskTurn)
  }

  private struct Waiting {
    let number: AsyncTransactionId
    let work: Work

    var isBlock: Bool { if case .block = work { true } else { false } }
  }

  private struct Commit {
    var completion: ((Swift.Error?) -> Void)?
  }

  /// So many commits, a group counted as none, may follow each other before others that wait for the realm's thread
  /// have their turn.
  private static let commitsPerTurn = 20
  /// No transaction begins later than that in a turn, in nanoseconds.
  private static let turnDuration: UInt64 = 4_000_000

  private unowned(unsafe) let realm: RealmCore
  private var waiting = Queue<Waiting>()
  private var request: WriteRequest?
  private var commits: [AsyncTransactionId: Commit] = [:]
  private var nextNumber: AsyncTransactionId = 1
  private var isRunningBlocks = false
  /// The tasks that write, or wait for the disk to have what they wrote.
  private var runningTasks = 0
  /// The commits that are staged.
  private var group: [AsyncTransactionId] = []
  private var turnEnd: UInt64 = 0
  private let finished = FinishedCommits()
  /// The realm itself, as long as the disk does not have all commits.
  private var keptRealm: RealmCore?
  /// Whether the completion of a commit is being called, in which no write may begin.
  private(set) var isCompleting = false

  init(_ realm: RealmCore) { self.realm = realm }

  var isIdle: Bool {
    waiting.isEmpty && commits.isEmpty && !isRunningBlocks && !isCompleting && runningTasks == 0
  }

  private func takeNumber() -> AsyncTransactionId {
    defer { nextNumber &+= 1 }
    return nextNumber
  }

  // MARK: Beginning

  func enqueue(_ work: Work) -> AsyncTransactionId {
    let number = takeNumber()
    waiting.append(Waiting(number: number, work: work))
    serve()
    return number
  }

  /// Asks for the right to write for the first one waiting, unless the realm writes just now.
  func serve() {
    guard request == nil, !isRunningBlocks, !realm.isInWrite, let first = waiting.first else { return }
    request = realm.file.requestWriting(granted(first.work))
  }

  /// The work to be done when the writer lock is available.
  private func granted(_ work: Work) -> @Sendable () -> Void {
    switch work {
    case .block:
      // The closure keeps the realm open.
      nonisolated(unsafe) let realm = realm as RealmCore
      return {
        realm.scheduled(keepingAlive: true, otherwise: Self.abandon) { $0.asyncWrites.runBlocks() }
      }
    case .task(let turn): return { turn.come() }
    }
  }

  /// Takes the right to write for a synchronous write: what has been asked for already, or else a new one.
  func takeWriting() {
    if let request {
      self.request = nil
      request.take()
    } else {
      realm.file.takeWriting()
    }
  }

  private func runBlocks() {
    guard let request, let first = waiting.first, first.isBlock,
      request.tryTake(orLater: granted(first.work))
    else { return }
    self.request = nil
    isRunningBlocks = true
    turnEnd = Self.now + Self.turnDuration
    var count = 0
    repeat {
      guard case .block(let block)? = waiting.first?.work else {
        if group.isEmpty { realm.file.returnWriting() } else { realm.commitStaged() }
        break
      }
      waiting.removeFirst()
      run(block)
      if realm.isInWrite { realm.cancelWrite() }
      if group.isEmpty { count += 1 } else if !isGroupOpen { realm.commitStaged() }
    } while !group.isEmpty || mayGoOn(after: count)
    isRunningBlocks = false
    serve()
  }

  /// Runs a block in a write transaction, which it may leave open. The caller has acquired the writer lock.
  private func run(_ block: Block) {
    if let refuse = block.refuse, !realm.snapshot.hasStagedWrites {
      do throws(ProgrammerError) {
        try realm.checkVersionLimit()
      } catch {
        realm.file.returnWriting()
        return refuse(error)
      }
    }
    realm.openWrite()
    block.run()
  }

  /// Whether another transaction is to follow at once, for which the right to write is taken then.
  private func mayGoOn(after count: Int) -> Bool {
    count < Self.commitsPerTurn && waiting.first?.isBlock ?? false && Self.now < turnEnd
      && realm.file.tryTakeWriting()
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Whether another block follows at once that a commit can wait for: no other writer waits, it does not take too
  /// long, and the realm has no observers, who are told of each transaction before the next one begins.
  private var isGroupOpen: Bool {
    isRunningBlocks && waiting.first?.isBlock ?? false && realm.notifier?.isEmpty ?? true
      && !realm.file.isWritingWanted && Self.now < turnEnd
  }

  /// Begins the write of a task whose turn has come. Returns false when its right has gone to another write of the
  /// realm; its turn will come again.
  func begin(_ turn: TaskTurn) -> Bool {
    guard case .task(let first)? = waiting.first?.work, first === turn, let request,
      request.tryTake(orLater: { turn.come() })
    else { return false }
    self.request = nil
    waiting.removeFirst()
    runningTasks += 1
    realm.openWrite()
    return true
  }

  /// A task that has begun is done.
  func end(_ turn: TaskTurn) { runningTasks -= 1 }

  /// Gives up a write that waits for the right.
  private func remove(_ place: Int) {
    waiting.remove(at: place)
    if place == 0 {
      // The request was for this one.
      request?.cancel()
      request = nil
      serve()
    }
  }

  func remove(_ turn: TaskTurn) {
    let place = waiting.firstOffset { if case .task(let other) = $0.work { other === turn } else { false } }
    if let place { remove(place) }
  }

  func cancel(_ number: AsyncTransactionId) {
    if let place = waiting.firstOffset(where: { $0.number == number }) {
      remove(place)
    } else {
      commits[number]?.completion = nil
    }
  }

  // MARK: Committing

  /// Ends the open write transaction; the completion is called when the disk has it.
  ///
  /// - Parameter allowGrouping: Whether it may become one version with those of the blocks that follow.
  @discardableResult
  func commit(
    allowGrouping: Bool = false, _ completion: ((Swift.Error?) -> Void)?
  ) -> AsyncTransactionId {
    let number = takeNumber()
    commits[number] = Commit(completion: completion)
    // Held here rather than by what waits for the disk: the realm is then closed where it belongs, and before
    // any observer that was notified of the last commit goes on.
    keptRealm = realm
    do {
      try realm.checkRules()
    } catch {
      tell([number], error)
      return number
    }
    group.append(number)
    // When they fail, the completions are called with it.
    if allowGrouping && isGroupOpen && realm.snapshot.hasChanges {
      realm.stageWrite()
    } else {
      try? realm.commitWrite(waitsForDisk: false)
    }
    return number
  }

  /// The realm has moved: when everything that was staged has become the present version, which the disk is still to
  /// get, or has been rolled back, those who wait for it are to be told.
  func follow(_ move: RealmMove) {
    switch move.cause {
    case .committed: endGroup(move.failure)
    case .rolledBack: if let failure = move.failure { endGroup(failure) }
    case .refreshed, .refreshedQuietly, .writeBegun, .staged, .invalidated: break
    }
  }

  /// All have been told of a move, with which the right to write may have become free.
  func goOn(after move: RealmMove) {
    switch move.cause {
    case .writeBegun, .committed, .rolledBack: serve()
    case .refreshed, .refreshedQuietly, .staged, .invalidated: break
    }
  }

  private func endGroup(_ error: StorageError?) {
    if group.isEmpty { return }
    let numbers = group
    group = []
    if let error { return tell(numbers, Realm.Error(error)) }
    let tell = teller(numbers)
    realm.file.whenSynced(realm.snapshot.version) { tell($0.map { Realm.Error($0) }) }
  }

  /// Lets the completions of commits be called.
  private func tell(_ numbers: [AsyncTransactionId], _ error: (any Swift.Error)?) { teller(numbers)(error) }

  private func teller(_ numbers: [AsyncTransactionId]) -> @Sendable ((any Swift.Error)?) -> Void {
    let finished = finished
    let handle = realm.handle
    return { error in
      if finished.add(numbers, error) {
        handle?.scheduled(otherwise: Self.abandon) { $0.asyncWrites.completeCommits() }
      }
    }
  }

  private func completeCommits() {
    for (number, error) in finished.take() {
      guard let commit = commits[number] else { continue }
      isCompleting = true
      commit.completion?(error)
      isCompleting = false
      commits[number] = nil
    }
    if commits.isEmpty { keptRealm = nil }
  }

  /// The thread or actor of a realm is gone, and with it those who would be told: nothing keeps the realm open any more,
  /// and it blocks no writer.
  @Sendable private static func abandon(_ realm: RealmCore) {
    guard let writes = realm.startedAsyncWrites else { return }
    writes.waiting = Queue()
    writes.request?.cancel()
    writes.request = nil
    writes.commits = [:]
    writes.keptRealm = nil
  }

  /// Waits until the disk has a version.
  func sync(_ version: UInt64, isolation: isolated (any Actor)? = #isolation) async throws {
    let file = realm.file
    let error = await withCheckedContinuation { continuation in
      file.whenSynced(version) { continuation.resume(returning: $0) }
    }
    if let error { throw Realm.Error(error) }
  }

  /// Waits until the disk has all commits, and calls their completions.
  func finishCommits() {
    if isCompleting { return }
    realm.commitStaged()
    while !commits.isEmpty {
      finished.wait()
      completeCommits()
    }
  }
}
