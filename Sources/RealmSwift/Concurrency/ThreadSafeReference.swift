import Storage
import Synchronization

/// Hands something of a realm over to another thread, queue or actor.
///
///     let reference = ThreadSafeReference(to: person)
///     queue.async {
///       let realm = try! Realm(configuration: configuration, queue: queue)
///       guard let person = realm.resolve(reference) else { return }  // Deleted meanwhile.
///     }
///
/// It can be resolved once. Until then the file keeps the version that it was made in.
@frozen public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let handover: Handover

  /// Stops the program when the object is in memory only, was deleted, or is a query on what the open write
  /// transaction has created.
  public init(to threadConfined: Confined) {
    handover = Handover(threadConfined)
  }

  /// Whether it has been resolved already.
  public var isInvalidated: Bool { handover.isTaken }

  fileprivate func take() -> Handover.Content { handover.take() }
}

extension Realm {
  /// What a reference stands for, in this realm; nil when it was deleted meanwhile, or is of another file.
  ///
  /// When the realm shows an older version than the one that the reference was made in, it is refreshed, unless it is
  /// in a write transaction. Stops the program when the reference was resolved before.
  public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    core.checkThread()
    return reference.take().find(in: core) as? Confined
  }
}

/// What a thread safe reference holds until it is resolved.
@usableFromInline
final class Handover: Sendable {
  private let content: Mutex<Content?>

  struct Content: @unchecked Sendable {
    /// Keeps the version, and is used for nothing else.
    let pin: VersionPin
    let file: DatabaseFile
    /// The version in which it is to be found.
    let version: UInt64
    let relocation: _Relocation
    private let configuration: Realm.Configuration
    private let openedAt: CodeLocation?

    init(_ confined: some ThreadConfined) {
      relocation = confined._rlmRelocation
      if confined.isInvalidated { trap("Cannot construct reference to invalidated object") }
      guard let core = confined.realm?.core else { _Relocation.failUnmanaged() }
      core.checkThread()
      core.commitStaged()
      let isNew = relocation.row.map { core.snapshot.isNew(table: $0.table, row: $0.row) } ?? false
      if isNew && relocation.isQuery {
        trap(
          "Cannot create a ThreadSafeReference to Results backed by a collection of objects inside the write transaction which created the collection."
        )
      }
      pin = core.snapshot.pinCommitted()
      file = core.file
      version = core.snapshot.version + (isNew ? 1 : 0)
      configuration = core.configuration
      openedAt = core.openedAt
      pin.reader.setOwner { [openedAt] in
        FileReader.Owner(name: "a ThreadSafeReference", location: openedAt)
      }
    }

    /// The realm of the file on the current thread.
    func openHere() throws -> RealmCore {
      try Opening.open(configuration, at: .current, from: openedAt)
    }

    /// What it is in a realm, which is refreshed if it has to be.
    func find(in core: RealmCore) -> Any? {
      guard core.file === file else { return nil }
      if !core.isFrozen { core.advance(atLeastTo: version) }
      return relocation.find(core)
    }
  }

  init(_ confined: some ThreadConfined) {
    content = Mutex(Content(confined))
  }

  var isTaken: Bool { content.withLock { $0 == nil } }

  func take() -> Content {
    let taken = content.withLock { content in
      defer { content = nil }
      return content
    }
    guard let taken else { trap("Can only resolve a thread safe reference once.") }
    return taken
  }
}
