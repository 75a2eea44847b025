import Storage
import Synchronization

/// What one realm owes its observers: it collects what changes from version to version, and calls their blocks.
///
/// All blocks of one version are called before those of a later one. Several versions that went by since the last
/// calls are told as one change.
final class Notifier {
  /// What happened in one move of the realm to another version.
  private struct Step {
    let from: UInt64
    let changes: VersionChanges
    let isLocal: Bool
  }

  /// An observer is in the list only while its token keeps it alive: it is taken out before it is released.
  private struct Registered: @unchecked Sendable {
    let observer: Unmanaged<Observer>
  }

  private unowned(unsafe) let realm: RealmCore
  private let registered = Mutex<[Registered]>([])
  private var steps: [Step] = []
  /// The version up to which `steps` tells.
  private var version: UInt64 = 0
  private var calls: [(observer: Observer, call: () -> Void)] = []
  private var nextCall = 0
  private var depth = 0
  private let isScheduled = Atomic(false)

  init(_ realm: RealmCore) {
    self.realm = realm
    version = realm.snapshot.version
  }

  // MARK: Observers

  /// Begins an observation: stops the program where nobody could ever call the block.
  func add(_ observer: Observer) {
    follow(isLocal: false)
    registered.withLock { $0.append(Registered(observer: .passUnretained(observer))) }
  }

  /// From any thread.
  func remove(_ observer: Observer) {
    let address = Unmanaged.passUnretained(observer).toOpaque()
    let number = UInt(bitPattern: address)
    registered.withLock { observers in
      observers.removeAll { UInt(bitPattern: $0.observer.toOpaque()) == number }
    }
  }

  private var observers: [Observer] {
    registered.withLock { $0.map { Unretained(observer: $0.observer.takeUnretainedValue()) } }.map(\.observer)
  }

  private struct Unretained: @unchecked Sendable {
    let observer: Observer
  }

  var isEmpty: Bool { registered.withLock(\.isEmpty) }
  /// Whether a block is just being called.
  var isDelivering: Bool { depth > 0 }

  // MARK: Versions

  /// Notes what has changed since the last time, without telling anybody.
  func follow(isLocal: Bool = false) {
    let now = realm.snapshot.version
    if now == version { return }
    if isEmpty {
      steps = []
    } else if let changes = realm.snapshot.changes(after: version) {
      if steps.count == Self.stepLimit { joinSteps() }
      steps.append(Step(from: version, changes: changes, isLocal: isLocal))
    } else {
      trap("The change log of the Realm file at path '\(realm.file.path)' is damaged.")
    }
    version = now
  }

  private static let stepLimit = 16

  /// Makes one step of many, as long as nobody knows of a version between them.
  private func joinSteps() {
    guard let first = steps.first,
      observers.allSatisfy({ $0.version == nil || $0.version == first.from || $0.version == version })
    else { return }
    var changes = first.changes
    for step in steps.dropFirst() { changes.merge(step.changes) }
    steps = [Step(from: first.from, changes: changes, isLocal: steps.allSatisfy(\.isLocal))]
  }

  /// The realm has moved to a version that others have written.
  func advanced() {
    follow(isLocal: false)
    for observer in observers where observer.isActive { observer.realmChanged() }
  }

  /// The realm has committed a write transaction of its own.
  func committed(skipping tokens: [NotificationToken]) {
    follow(isLocal: true)
    for token in tokens {
      if let observer = token.observer, observer.version != nil { _ = prepare(observer) }
    }
    for observer in observers where observer.isActive { observer.realmChanged() }
    schedule()
  }

  /// There is a newer version, which the realm does not move to by itself.
  func refreshRequired() {
    for observer in observers where observer.isActive { observer.refreshRequired() }
  }

  // MARK: Calling

  /// Calls the blocks for everything that has happened. Not within a write transaction that has changed something.
  func deliver() {
    if realm.snapshot.hasChanges { return }
    finishCalls()
    for observer in observers where observer.isActive {
      if let call = prepare(observer) { calls.append((observer, call)) }
    }
    steps = []
    contexts = [:]
    finishCalls()
  }

  /// Makes the calls that are left from an outer delivery, one of whose blocks has led here.
  func finishCalls() {
    depth += 1
    while nextCall < calls.count {
      let (observer, call) = calls[nextCall]
      nextCall += 1
      if observer.isActive { call() }
    }
    calls = []
    nextCall = 0
    depth -= 1
  }

  private var contexts: [UInt64: ChangeContext] = [:]

  private func prepare(_ observer: Observer) -> (() -> Void)? {
    guard let known = observer.version else {
      observer.version = version
      return observer.start()
    }
    if known == version { return nil }
    observer.version = version
    return observer.update(context(after: known))
  }

  /// What has happened since a version, prepared once for all who know that one.
  private func context(after known: UInt64) -> ChangeContext {
    if let last = contexts[known], last.version == version, last.contentStamp == realm.snapshot.contentStamp {
      return last
    }
    var changes = VersionChanges()
    var isLocal = true
    for step in steps where step.from >= known {
      if changes.isEmpty { changes = step.changes } else { changes.merge(step.changes) }
      if !step.isLocal { isLocal = false }
    }
    let context = ChangeContext(realm, changes, version: version, isLocal: isLocal)
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
