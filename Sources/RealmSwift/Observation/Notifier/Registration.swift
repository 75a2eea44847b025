import Synchronization

/// One active observation: its observer, and the version that the observer was last notified of.
///
/// Used where its realm is used, but for `end` and `isActive`. Its token keeps it alive, and with it the realm.
final class Registration: @unchecked Sendable {
  let realm: RealmCore
  let observer: any Observer
  private let notifier: Notifier
  private let active = Atomic(true)
  /// The version that the observer knows of; nil before the first call where there is an initial one.
  var version: UInt64?

  init(_ observer: any Observer, _ realm: RealmCore) {
    self.realm = realm
    self.observer = observer
    notifier = realm.notifier ?? Notifier(realm)
    realm.notifier = notifier
    version = observer.hasInitialCall ? nil : realm.snapshot.version
  }

  /// Lets the observer take part, from the present version on.
  ///
  /// The caller keeps the registration alive until it ends.
  func join() {
    realm.followCommits()
    notifier.add(self)
  }

  var isActive: Bool { active.load(ordering: .acquiring) }

  /// Ends the observation. From any thread.
  func end() {
    if active.exchange(false, ordering: .acquiringAndReleasing) { notifier.remove(self) }
  }
}
