import Pages

/// One version of the file that does not go away, or what becomes the next one. The code that began it has to end it.
final class EntryTransaction: Equatable, @unchecked Sendable {
  let entries: EntryStore
  /// The version that is read; nil of a reader that holds none at present.
  private var held: PageVersion?
  private var heldSize: PageVersion.DecryptedSize?
  private let writing: PageTransaction?
  private let writtenVersion: UInt64
  var isWriting: Bool { writing != nil }
  /// How often something was changed: cursors look for their places again.
  private(set) var changeCount = 0

  init(_ entries: EntryStore, writing: PageTransaction? = nil) {
    (self.entries, self.writing, writtenVersion) = (entries, writing, writing?.version ?? 0)
  }

  deinit { reset() }

  static func == (first: EntryTransaction, second: EntryTransaction) -> Bool { first === second }

  /// The version that is read, or that the commit makes.
  var version: UInt64 { held?.version ?? writtenVersion }

  // MARK: Ending

  /// Undoes it, or ends reading.
  func abort() {
    writing?.abort()
    releaseVersion()
  }

  /// Also when it throws, it has ended.
  ///
  /// - Parameter durability: Whether it waits for the disk.
  func commit(_ durability: PageDurability = .full) throws(EntryError) {
    try withPageErrors { () throws(PageError) in try writing!.commit(durability) }
  }

  /// Releases the version; the transaction can hold another one with `renew`.
  func reset() {
    if held == nil { return }
    releaseVersion()
  }

  private func releaseVersion() {
    let version = held.take()
    heldSize = nil
    version?.release()
  }

  private func hold(_ version: consuming PageVersion) {
    heldSize = version.decryptedSize
    held = version
  }

  /// Holds the newest version from now on.
  func renew() throws(EntryError) {
    let new = try withPageErrors { () throws(PageError) in try entries.hold() }
    reset()
    hold(new)
  }

  /// Holds the newest version from now on. To be called before anything was read, in a process that writes.
  func moveToNewest() { held!.moveToNewest() }

  // MARK: Decrypted memory

  /// Number of bytes that are decrypted for the version that is read.
  @inline(__always) var decryptedSize: Int { heldSize?.bytes ?? 0 }

  /// Releases what was decrypted for the version that is read: all addresses that were obtained from it are invalid then.
  func releaseDecrypted() { held?.releaseDecrypted(beyond: 0) }

  /// Leaves what was decrypted to another transaction, so that addresses hold until that one ends.
  func moveDecrypted(to other: EntryTransaction) {
    if let held, let next = other.held { held.moveDecrypted(to: next) }
  }

  /// What is in use no more since an older version, which another transaction holds. Nil when it cannot be found out, or too much
  /// has changed for it to matter.
  func extentsGone(since former: EntryTransaction) -> GoneExtents? {
    guard let old = former.held, let new = held, new.version > old.version else { return nil }
    return try? GoneExtents(from: old, to: new)
  }

  /// A transaction that reads the same, whose decrypted memory is released by itself; of one that writes, the same. To be ended
  /// before this one.
  func makeReader() throws(EntryError) -> EntryTransaction {
    guard let held else { return self }
    let reader = EntryTransaction(entries)
    reader.hold(try withPageErrors { () throws(PageError) in try held.makeReader() })
    return reader
  }

  // MARK: Trees

  /// Takes time in proportion to the entries.
  @discardableResult
  func entryCount(_ tree: EntryTree) throws(EntryError) -> Int {
    let cursor = try openCursor(tree)
    defer { cursor.close() }
    return try cursor.entryCount()
  }

  func openCursor(_ tree: EntryTree) throws(EntryError) -> EntryCursor { EntryCursor(self, tree) }

  // MARK: Entries

  /// What is read; nil of a reader that holds no version at present.
  var source: PageSource? {
    if let writing { return .transaction(writing) }
    return held.map { .version($0) }
  }

  func read(_ key: UnsafeRawBufferPointer) throws(PageError) -> UnsafeRawBufferPointer? {
    if let writing { return try writing.value(key) }
    return try held!.value(key)
  }

  func makeRoom(_ key: UnsafeRawBufferPointer, size: Int) throws(PageError) -> UnsafeMutableRawPointer {
    changeCount += 1
    return try writing!.reserve(key, size)
  }

  func remove(_ key: UnsafeRawBufferPointer) throws(PageError) {
    changeCount += 1
    try writing!.remove(key)
  }
}
