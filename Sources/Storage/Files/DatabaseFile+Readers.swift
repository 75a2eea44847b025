import LibC
import Pages

extension DatabaseFile {
  /// A read transaction that holds the newest version.
  func takeReader() throws(StorageError) -> EntryTransaction {
    if isInherited { throw .inheritedByFork(path: path) }
    let reader = EntryTransaction(entries)
    try pin(reader)
    return reader
  }

  /// Lets a transaction without a version hold the newest one. When it throws, it still has none.
  func pin(_ reader: EntryTransaction) throws(StorageError) {
    try StorageError.describing(path) { () throws(EntryError) in try reader.renew() }
  }

  // MARK: Readers

  /// The readers of the file in this process, the oldest version first.
  package var readers: [VersionReader] {
    readerList.withLock { $0.values }.sorted { ($0.version, $0.since) < ($1.version, $1.since) }
  }

  /// A reader of any process.
  package struct AnyReader: Sendable {
    /// Whether it is of this process.
    package let isOwn: Bool
    /// The number of its process; nil when the process is in another PID namespace, as those of other containers are.
    package let process: Int32?
    package let version: UInt64
  }

  /// The readers of all processes that read a version at present.
  package var readersOfAllProcesses: [AnyReader] {
    var own: [AnyReader] = []
    if entries.store == nil {
      own = readers.map { AnyReader(isOwn: true, process: getpid(), version: $0.version) }
    }
    return own
      + entries.heldVersions.map {
        AnyReader(isOwn: $0.isOwn, process: $0.process, version: $0.version)
      }
  }

  /// The oldest version that a reader of any process holds; nil when there is none.
  var oldestPinnedVersion: UInt64? {
    guard let store = entries.store else { return readersOfAllProcesses.map(\.version).min() }
    return store.oldestHeldVersion
  }

  /// The number of versions from the oldest one that is in use, by any process, to the newest.
  package var activeVersionCount: UInt64 {
    let newest = newestVersion
    return newest - min(oldestPinnedVersion ?? newest, newest) + 1
  }
}
