import Foundation
import Storage
import Synchronization

/// Realms that are kept in one place although nothing refers to them, so that code may open them anew in each of its lines:
/// those in a write that was begun by itself, those that were opened in this turn of the main queue or of a run loop, and
/// the contents of the latest ones in memory.
///
/// They are let go of when the turn ends, or the thread does. What is kept without being used is let go of at once when it
/// is in somebody's way: when the file is to be deleted, or opened with other settings.
final class KeptRealms: Sendable {
  private struct State: @unchecked Sendable {
    var opened: [RealmCore] = []
    var writing: [RealmCore] = []
    var files: [DatabaseFile] = []
    /// Whether the place is going to let go of them.
    var isScheduled = false
  }

  private let state = Mutex(State())
  private let openedCount = Atomic(0)
  var hasOpened: Bool { openedCount.load(ordering: .relaxed) > 0 }

  /// A program whose main queue is not served, and which makes realms in memory in a loop, has no more of them in memory.
  private static let fileLimit = 4

  // MARK: Keeping

  /// Keeps a realm until the turn ends, where the place has turns.
  func keepOpened(_ core: RealmCore) {
    if core.isKeptForTurn { return }
    core.isKeptForTurn = true
    nonisolated(unsafe) let core = core
    openedCount.add(1, ordering: .relaxed)
    keep(core.confinement) { $0.opened.append(core) }
  }

  /// Keeps a realm until its write transaction or the turn ends.
  func keepWriting(_ core: RealmCore) {
    core.isKeptForWrite = true
    nonisolated(unsafe) let core = core
    keep(core.confinement) { $0.writing.append(core) }
  }

  func keepFile(of core: RealmCore) {
    let file = core.file
    keep(core.confinement) { state in
      if state.files.contains(where: { $0 === file }) { return }
      state.files.append(file)
      if state.files.count > Self.fileLimit { state.files.removeFirst() }
    }
  }

  private func keep(_ place: Confinement, _ add: (inout State) -> Void) {
    let isNew = state.withLock { state in
      add(&state)
      if state.isScheduled || !place.canDeliver { return false }
      state.isScheduled = true
      return true
    }
    if isNew { place.schedule { [weak self] in self?.endTurn() } }
  }

  // MARK: Letting go

  /// Lets go of everything. The last references are dropped outside of the lock, since they close realms.
  func endTurn() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    openedCount.subtract(old.opened.count, ordering: .relaxed)
    for core in old.opened { core.isKeptForTurn = false }
    for core in old.writing { core.isKeptForWrite = false }
  }

  /// The write transaction of a realm has ended.
  func stopWriting(_ core: RealmCore) {
    core.isKeptForWrite = false
    nonisolated(unsafe) let core = core
    let old = state.withLock { state in
      defer { state.writing.removeAll { $0 === core } }
      return state
    }
    withExtendedLifetime(old) {}
  }

  /// Lets go of realms that are in the way, unless something else refers to them.
  func letGo(where isInTheWay: (RealmCore) -> Bool) {
    if !hasOpened { return }
    let old = state.withLock { state in
      let old = State(opened: state.opened.filter(isInTheWay))
      state.opened.removeAll { core in old.opened.contains { $0 === core } }
      return old
    }
    openedCount.subtract(old.opened.count, ordering: .relaxed)
    for core in old.opened { core.isKeptForTurn = false }
  }
}
