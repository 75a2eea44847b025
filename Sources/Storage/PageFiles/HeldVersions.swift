import LibC
import Pages

/// The read transactions of a file: each holds a version, or none at present.
final class ReaderPool: Sendable {
  /// Releases the version that a transaction may hold.
  func give(_ transaction: EntryTransaction) { transaction.reset() }

  func close() {}
}

extension DatabaseFile {
  /// A read transaction that holds the newest version. It goes to a lease, or back to the pool.
  func takeReader() throws(StorageError) -> EntryTransaction {
    let reader = try reserveReader()
    try pin(reader)
    return reader
  }

  /// A read transaction that holds no version yet, for `pin`.
  func reserveReader() throws(StorageError) -> EntryTransaction {
    if isInherited { throw .inheritedByFork(path: path) }
    return EntryTransaction(environment)
  }

  /// Lets a transaction without a version hold the newest one. When it throws, it still has none.
  func pin(_ reader: EntryTransaction) throws(StorageError) {
    #if DEBUG
      willPin?()
    #endif
    try StorageError.describing(path) { () throws(EntryError) in try reader.renew() }
  }

  /// A lease of the newest version.
  func takeLease() throws(StorageError) -> VersionLease { try VersionLease(file: self) }

  /// A version is shown as soon as it counts.
  func lease(inPlaceOf version: UInt64) throws(StorageError) -> VersionLease? { nil }

  // MARK: Readers

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
    guard let store = environment.store else {
      return readers.map { AnyReader(isOwn: true, process: getpid(), version: $0.version) }
    }
    return store.heldVersions.map {
      AnyReader(isOwn: $0.isOwn, process: store.process(of: $0), version: $0.version)
    }
  }

  /// The oldest version that a reader of any process holds; nil when there is none.
  var oldestPinnedVersion: UInt64? {
    environment.store?.heldVersions.map(\.version).min() ?? readers.map(\.version).min()
  }

  /// The number of versions from the oldest one that is in use, by any process, to the newest.
  package var activeVersionCount: UInt64 {
    let newest = newestVersion
    return newest - min(oldestPinnedVersion ?? newest, newest) + 1
  }

  /// Returns the number of versions in use.
  package func activeVersionCount(checkedAbove limit: UInt64) -> UInt64 { activeVersionCount }
}

/// What of the file is not in use any more since an older version.
struct ChangedPages {
  private let gone: GoneExtents

  /// Nil when it cannot be found out, or too much has changed for it to matter.
  ///
  /// - Parameters:
  ///   - former: A read transaction that holds the older version.
  ///   - transaction: One that holds the newer version.
  init?(since former: EntryTransaction, _ transaction: EntryTransaction) {
    guard let old = former.heldVersion, let new = transaction.heldVersion, new.version > old.version,
      let gone = try? GoneExtents(from: old, to: new)
    else { return nil }
    self.gone = gone
  }

  /// Whether what is at an address in the map is the same in both versions; false for all other addresses.
  func isUnchanged(_ address: UnsafeRawPointer) -> Bool { gone.isUnchanged(address) }
}
