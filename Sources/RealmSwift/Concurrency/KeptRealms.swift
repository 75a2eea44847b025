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
  private struct Content: @unchecked Sendable {
    var opened: [RealmCore] = []
    var writing: [RealmCore] = []
    /// With the path that stands for the name of each.
    var files: [(path: String, file: DatabaseFile)] = []
  }

  private struct State {
    var content = Content()
    /// Whether the place is going to let go of it.
    var isScheduled = false
  }

  private let state = Mutex(State())
  var hasOpened: Bool { state.withLock { !$0.content.opened.isEmpty } }

  /// A program whose main queue is not served, and which makes realms in memory in a loop, has no more of them in memory.
  private static let fileLimit = 4

  /// Changes what is kept. What the body takes out is dropped when the lock is free again: the last references close realms.
  private func change(_ body: (inout Content) -> Content) {
    let old = state.withLock { body(&$0.content) }
    for core in old.opened { core.isKeptForTurn = false }
    for core in old.writing { core.isKeptForWrite = false }
  }

  // MARK: Keeping

  /// Keeps a realm until the turn ends, where the place has turns.
  func keepOpened(_ core: RealmCore) {
    if core.isKeptForTurn { return }
    core.isKeptForTurn = true
    nonisolated(unsafe) let core = core
    keep(core.confinement) {
      $0.opened.append(core)
      return Content()
    }
  }

  /// Keeps a realm until its write transaction or the turn ends.
  func keepWriting(_ core: RealmCore) {
    core.isKeptForWrite = true
    nonisolated(unsafe) let core = core
    keep(core.confinement) {
      $0.writing.append(core)
      return Content()
    }
  }

  func keepFile(of core: RealmCore) {
    let entry = (path: core.configuration.path, file: core.file)
    keep(core.confinement) { content in
      if content.files.contains(where: { $0.file === entry.file }) { return Content() }
      content.files.append(entry)
      return content.files.count > Self.fileLimit
        ? Content(files: [content.files.removeFirst()]) : Content()
    }
  }

  private func keep(_ place: Confinement, _ add: (inout Content) -> Content) {
    change(add)
    let isNew = state.withLock { state in
      if state.isScheduled || !place.canDeliver { return false }
      state.isScheduled = true
      return true
    }
    if isNew { place.schedule { [weak self] in self?.endTurn() } }
  }

  // MARK: Letting go

  /// Lets go of everything.
  func endTurn() {
    state.withLock { $0.isScheduled = false }
    change { content in
      defer { content = Content() }
      return content
    }
  }

  /// The write transaction of a realm has ended.
  func stopWriting(_ core: RealmCore) {
    nonisolated(unsafe) let core = core
    change { content in
      content.writing.removeAll { $0 === core }
      return Content(writing: [core])
    }
  }

  /// Lets go of what was opened with a path, and that of contents in memory, unless something else refers to them.
  func letGo(path: String, _ isInTheWay: (RealmCore) -> Bool) {
    change { content in
      let old = Content(
        opened: content.opened.filter(isInTheWay), files: content.files.filter { $0.path == path })
      content.opened.removeAll { core in old.opened.contains { $0 === core } }
      content.files.removeAll { $0.path == path }
      return old
    }
  }

  /// What is kept at some moment.
  struct Mark {
    fileprivate var realms: Set<UInt64> = []
    fileprivate var paths: Set<String> = []
  }

  var mark: Mark {
    state.withLock {
      Mark(realms: Set($0.content.opened.map(\.number)), paths: Set($0.content.files.map(\.path)))
    }
  }

  /// Lets go of all that is not in a write and was not there at a moment before.
  func drain(since mark: Mark = Mark()) {
    change { content in
      let old = Content(
        opened: content.opened.filter { !mark.realms.contains($0.number) },
        files: content.files.filter { !mark.paths.contains($0.path) })
      content.opened.removeAll { !mark.realms.contains($0.number) }
      content.files.removeAll { !mark.paths.contains($0.path) }
      return old
    }
  }
}
