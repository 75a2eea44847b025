import Foundation
import Storage
import Synchronization

/// Realms that are kept in one place although nothing refers to them, so that code may open them anew in each of its lines:
/// those in a write that was begun by itself, those that were opened in this turn of the main queue or of a run loop, and
/// the contents of the latest ones in memory.
///
/// They are released when the turn ends, or the thread does: on a main thread whose queue is not served, with the program.
/// A realm that is freed in a write rolls it back. What is kept without being used is released at once when the file is to
/// be deleted, or opened with other settings; and `autoreleasepool` releases what its block has kept, wherever that is.
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
    keep(core.confinement, .realm(core.number)) {
      $0.opened.append(core)
      return Content()
    }
  }

  /// Keeps a realm until its write transaction or the turn ends.
  func keepWriting(_ core: RealmCore) {
    core.isKeptForWrite = true
    nonisolated(unsafe) let core = core
    keep(core.confinement, .realm(core.number)) {
      $0.writing.append(core)
      return Content()
    }
  }

  func keepFile(of core: RealmCore) {
    let entry = (path: core.configuration.path, file: core.file)
    if state.withLock({ $0.content.files.contains { $0.file === entry.file } }) { return }
    keep(core.confinement, .file(entry.path)) { content in
      content.files.append(entry)
      return content.files.count > Self.fileLimit
        ? Content(files: [content.files.removeFirst()]) : Content()
    }
  }

  private func keep(_ place: Confinement, _ item: Item, _ add: (inout Content) -> Content) {
    change(add)
    Self.pools.value.add(self, item)
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

  /// Releases the realms that are in no write.
  func releaseOpened() {
    change { content in
      defer { (content.opened, content.files) = ([], []) }
      return Content(opened: content.opened, files: content.files)
    }
  }

  // MARK: Pools

  fileprivate enum Item: Hashable {
    case realm(UInt64)
    /// With the path that stands for the name of contents in memory.
    case file(String)
  }

  fileprivate struct Key: Hashable {
    let place: ObjectIdentifier
    let item: Item
  }

  /// What the blocks of `autoreleasepool` that run on a thread have kept: the places are those of the thread, of queues and
  /// of actors. Items of inner blocks come last.
  private final class Pools {
    var depth = 0
    var items: [(place: KeptRealms, item: Item)] = []
    /// What the innermost block has kept, so that a loop of writes within it adds its realm once.
    var known: Set<Key> = []

    func add(_ place: KeptRealms, _ item: Item) {
      guard depth > 0, known.insert(Key(place: ObjectIdentifier(place), item: item)).inserted else { return }
      items.append((place, item))
    }
  }

  private static let pools = ThreadLocal { Pools() }

  /// A block of `autoreleasepool`: the number of items that the blocks around it have kept, and those of the one around it.
  struct Pool {
    fileprivate let start: Int
    fileprivate let known: Set<Key>
  }

  /// Begins a block of the current thread, which must end with `close`.
  static func openPool() -> Pool {
    let pools = pools.value
    pools.depth += 1
    defer { pools.known = [] }
    return Pool(start: pools.items.count, known: pools.known)
  }

  /// Releases what the block has kept.
  static func close(_ pool: Pool) {
    let pools = pools.value
    pools.depth -= 1
    pools.known = pool.known
    while pools.items.count > pool.start {
      let (place, item) = pools.items.removeLast()
      place.release(item)
    }
  }

  private func release(_ item: Item) {
    change { content in
      var old = Content()
      switch item {
      case .realm(let number):
        old.opened = content.opened.filter { $0.number == number }
        old.writing = content.writing.filter { $0.number == number }
        content.opened.removeAll { $0.number == number }
        content.writing.removeAll { $0.number == number }
      case .file(let path):
        old.files = content.files.filter { $0.path == path }
        content.files.removeAll { $0.path == path }
      }
      return old
    }
  }
}
