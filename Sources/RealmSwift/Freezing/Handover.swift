import Storage
import Synchronization

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
    /// Whether the reference was made in a write transaction that was still open. What it then refers to is in the next
    /// version.
    private let isMadeInWrite: Bool
    let relocation: _Relocation
    private let configuration: Realm.Configuration
    private let openedAt: CodeLocation?

    init(_ confined: some ThreadConfined) {
      relocation = confined._rlmRelocation
      if confined.isGone { trap("Cannot construct reference to invalidated object") }
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
      isMadeInWrite = core.isInWrite
      version = core.snapshot.version + (isMadeInWrite ? 1 : 0)
      configuration = core.configuration
      openedAt = core.openedAt
      pin.reader.setOwner { [openedAt] in
        VersionReader.Owner(name: "a ThreadSafeReference", location: openedAt)
      }
    }

    /// The realm of the file on the current thread.
    func openHere() throws -> RealmCore {
      try Opening.open(configuration, at: .current, from: openedAt)
    }

    /// What it is in a realm, which shows the version of the reference when it was just opened, and is refreshed when it
    /// shows an older one.
    ///
    /// - Parameter keepsVersion: Whether a realm that was just opened is to show the version of the reference rather than
    ///   the newest one.
    func find(in core: RealmCore, keepsVersion: Bool = true) -> Any? {
      guard core.file === file else { return nil }
      core.show(version, isMadeInWrite || !keepsVersion ? nil : pin)
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
