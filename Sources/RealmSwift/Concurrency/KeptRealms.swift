import Foundation
import Storage
import Synchronization

/// Realms that are kept in one place although nothing refers to them, so that code may open them anew in each of its lines:
/// those in a write that was begun by itself, those that were opened in this turn of the main queue or of a run loop, and
/// the contents of the latest ones in memory.
///
/// They are let go of when the turn ends, or the thread does: on a main thread whose queue is not served, with the program.
/// What is kept without being used is let go of at once when it is in somebody's way: when the file is to be deleted, or
/// opened with other settings; and by `autoreleasepool`.
final class KeptRealms: Sendable {
  private struct State: @unchecked Sendable {
    var opened: [RealmCore] = []
    var writing: [RealmCore] = []
    /// With the path that stands for the name of each.
    var files: [(path: String, file: DatabaseFile)] = []
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
    let entry = (path: core.configuration.path, file: core.file)
    keep(core.confinement) { state in
      if state.files.contains(where: { $0.file === entry.file }) { return }
      state.files.append(entry)
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
    release(old)
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

  /// Lets go of what was opened with a path, and that of contents in memory, unless something else refers to them.
  func letGo(path: String, _ isInTheWay: (RealmCore) -> Bool) {
    let old = state.withLock { state in
      let old = State(
        opened: state.opened.filter(isInTheWay), files: state.files.filter { $0.path == path })
      state.opened.removeAll { core in old.opened.contains { $0 === core } }
      state.files.removeAll { $0.path == path }
      return old
    }
    release(old)
  }

  /// Lets go of all that is not in a write.
  func drain() {
    release(
      state.withLock { state in
        defer { (state.opened, state.files) = ([], []) }
        return State(opened: state.opened, files: state.files)
      })
  }

  private func release(_ old: State) {
    openedCount.subtract(old.opened.count, ordering: .relaxed)
    for core in old.opened { core.isKeptForTurn = false }
  }
}
