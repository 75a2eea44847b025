import Storage
import Synchronization

/// What one realm owes its observers: it collects what changes with each move of the realm, and calls their blocks.
///
/// All blocks of one version are called before those of a later one. Several versions since the last calls
/// arrive as one change.
final class Notifier {
  /// What happened in one move of the realm to another version.
  private struct Step {
    let from: UInt64
    let changes: VersionChanges
    let isLocal: Bool
  }

  /// A registration is in the list only while its token keeps it alive: it is taken out before it is released.
  private struct Entry: @unchecked Sendable {
    let registration: Unmanaged<Registration>
  }

  private unowned(unsafe) let realm: RealmCore
  private let entries = Mutex<[Entry]>([])
  /// What happened since the last calls, up to the version of the realm.
  private var steps: [Step] = []
  private var calls: [(registration: Registration, call: ObserverCall)] = []
  private var nextCall = 0
  private var depth = 0
  private let isScheduled = Atomic(false)

  init(_ realm: RealmCore) { self.realm = realm }

  // MARK: Registrations

  func add(_ registration: Registration) {
    entries.withLock { $0.append(Entry(registration: .passUnretained(registration))) }
  }

  /// From any thread.
  func remove(_ registration: Registration) {
    let address = Unmanaged.passUnretained(registration).toOpaque()
    let number = UInt(bitPattern: address)
    entries.withLock { entries in
      entries.removeAll { UInt(bitPattern: $0.registration.toOpaque()) == number }
    }
  }

  private var registrations: [Registration] {
    entries.withLock { $0.map { $0.registration.takeUnretainedValue() } }
  }

  var isEmpty: Bool { entries.withLock(\.isEmpty) }
  /// Whether a block is just being called.
  var isDelivering: Bool { depth > 0 }

  // MARK: Moves

  /// Records what has changed, without notifying observers.
  func follow(_ move: inout RealmMove) {
    if !move.isToOtherVersion { return }
    if isEmpty {
      steps = []
      return
    }
    guard let changes = move.changes else {
      if realm.snapshot.noteDamage("the change log cannot be read") { return }
      trap("The change log of the Realm file at path '\(realm.file.path)' is damaged.")
    }
    if steps.count == Self.stepLimit { joinSteps(upTo: move.from) }
    steps.append(Step(from: move.from, changes: changes, isLocal: move.isLocal))
  }

  private static let stepLimit = 16

  /// Makes one step of many, as long as no observer knows of a version between them.
  private func joinSteps(upTo version: UInt64) {
    guard let first = steps.first,
      registrations.allSatisfy({ $0.version == nil || $0.version == first.from || $0.version == version })
    else { return }
    var changes = first.changes
    for step in steps.dropFirst() { changes.merge(step.changes) }
    steps = [Step(from: first.from, changes: changes, isLocal: steps.allSatisfy(\.isLocal))]
  }

  /// Notifies the observers of the realm as a whole, and calls the other blocks: at once after a move to what others have
  /// written, soon after a commit.
  func tell(of move: RealmMove) {
    switch move.cause {
    case .refreshed, .writeBegun:
      if move.isToOtherVersion { tellOfVersion() }
      deliver()
    case .committed(let skippedTokens):
      for token in skippedTokens {
        if let registration = token.registration, registration.version != nil { _ = prepare(registration) }
      }
      tellOfVersion(skipping: skippedTokens)
      schedule()
    case .refreshedQuietly, .staged, .rolledBack, .invalidated: break
    }
  }

  private func tellOfVersion(skipping tokens: [NotificationToken] = []) {
    let skipped = tokens.compactMap(\.registration)
    for registration in registrations where registration.isActive {
      if !skipped.contains(where: { $0 === registration }) { registration.observer.realmChanged() }
    }
  }

  /// There is a newer version, which the realm does not move to by itself.
  func refreshRequired() {
    for registration in registrations where registration.isActive { registration.observer.refreshRequired() }
  }

  // MARK: Calling

  /// Calls the blocks for everything that has happened. Not within a write transaction that has changed something.
  func deliver() {
    if realm.snapshot.hasChanges { return }
    finishCalls()
    for registration in registrations where registration.isActive {
      if let call = prepare(registration) { calls.append((registration, call)) }
    }
    if !calls.isEmpty {
      realm.log(.debug, "Notifying observers (\(calls.count)) of version \(realm.snapshot.version)")
    }
    steps = []
    contexts = [:]
    finishCalls()
  }

  /// Makes the calls that are left from an outer delivery, one of whose blocks has led here.
  func finishCalls() {
    depth += 1
    while nextCall < calls.count {
      let (registration, call) = calls[nextCall]
      nextCall += 1
      guard registration.isActive else { continue }
      if call.isLast { registration.end() }
      call.body()
    }
    calls = []
    nextCall = 0
    depth -= 1
  }

  private var contexts: [UInt64: ChangeContext] = [:]

  private func prepare(_ registration: Registration) -> ObserverCall? {
    let version = realm.snapshot.version
    guard let known = registration.version else {
      registration.version = version
      return registration.observer.start()
    }
    if known == version { return nil }
    registration.version = version
    return registration.observer.update(context(after: known))
  }

  /// What has happened since a version, prepared once for all observers that know that version.
  private func context(after known: UInt64) -> ChangeContext {
    let snapshot = realm.snapshot
    if let last = contexts[known], last.version == snapshot.version,
      last.visibleStamp == snapshot.visibleStamp
    {
      return last
    }
    var changes = VersionChanges()
    var isLocal = true
    for step in steps where step.from >= known {
      if changes.isEmpty { changes = step.changes } else { changes.merge(step.changes) }
      if !step.isLocal { isLocal = false }
    }
    let context = ChangeContext(snapshot, changes, isLocal: isLocal)
    contexts = [known: context]
    return context
  }

  /// Sees to it that `deliver` is called soon, where the realm belongs.
  func schedule() {
    if isEmpty { return }
    guard isScheduled.exchange(true, ordering: .acquiringAndReleasing) == false else { return }
    realm.scheduled { core in
      guard let notifier = core.notifier else { return }
      notifier.isScheduled.store(false, ordering: .releasing)
      notifier.deliver()
    }
  }
}
