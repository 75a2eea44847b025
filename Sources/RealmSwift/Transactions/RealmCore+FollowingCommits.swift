import Storage
import Synchronization

// Following the commits of other threads and processes.
extension RealmCore {
  /// Subscribes to the commits to the file, where the realm can be told of them and does not know of them yet.
  func followCommits() {
    guard commitSubscription == nil, !isFrozen, !configuration.readOnly, confinement.canDeliver, let handle
    else {
      return
    }
    let turn = CommitTurn()
    let look: @Sendable () -> Void = {
      if turn.isScheduled.exchange(true, ordering: .sequentiallyConsistent) { return }
      handle.scheduled { core in
        turn.isScheduled.store(false, ordering: .sequentiallyConsistent)
        core.commitArrived()
      }
    }
    commitSubscription = file.subscribeToCommits(look)
    // No notification arrives for commits before the subscription.
    if file.newestVersion > snapshot.version { look() }
  }

  /// There may be a newer version.
  private func commitArrived() {
    if isClosed || isInWrite || file.newestVersion <= snapshot.version { return }
    if autorefresh { _ = refresh() } else { notifier?.refreshRequired() }
  }

  /// Stops the program where nothing can be scheduled.
  func checkCanSchedule() {
    if !confinement.canDeliver { trap(.asyncWriteOutsideRunLoop) }
    followCommits()
  }
}

/// Whether a realm is going to look for newer versions, so that many commits make it do that once.
private final class CommitTurn: Sendable {
  let isScheduled = Atomic(false)
}
