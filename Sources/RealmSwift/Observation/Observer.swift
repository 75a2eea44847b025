import Synchronization

/// One registration: what is observed, what it looked like when its block was last called, and the block.
///
/// Used where its realm is used, but for `end` and `isActive`. Its token keeps it alive, and with it the realm.
class Observer: @unchecked Sendable {
  final let realm: RealmCore
  private let notifier: Notifier
  private let active = Atomic(true)
  /// The version that the block knows of; nil before the first call where there is an initial one.
  final var version: UInt64?

  init(_ realm: RealmCore) {
    self.realm = realm
    notifier = realm.notifier ?? Notifier(realm)
    realm.notifier = notifier
  }

  /// Lets the observer take part, from the present version on.
  ///
  /// Whoever calls this keeps the observer alive until it ends.
  final func join() {
    realm.followCommits()
    notifier.add(self)
  }

  final var isActive: Bool { active.load(ordering: .acquiring) }

  /// Ends the observation. From any thread.
  final func end() {
    if active.exchange(false, ordering: .acquiringAndReleasing) { notifier.remove(self) }
  }

  /// Reads the present state, and returns the call that tells of it.
  func start() -> (() -> Void)? { nil }

  /// Moves to the state after some changes. Returns the call to be made, or nil when nothing concerns the observer.
  func update(_ context: ChangeContext) -> (() -> Void)? { fatalError("overridden") }

  /// The version of the file is another one, before any collection or object is told.
  func realmChanged() {}

  /// There is a newer version, which the realm does not move to by itself.
  func refreshRequired() {}
}
