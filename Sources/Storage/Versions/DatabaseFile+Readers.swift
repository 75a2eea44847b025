import LibC

extension DatabaseFile {
  /// A reader as LMDB knows it, of any process.
  package struct AnyReader: Sendable {
    /// Whether it is of this process.
    package let isOwn: Bool
    /// The number of its process; nil when the process is in another PID namespace, as those of other containers are.
    package let process: Int32?
    package let version: UInt64
  }

  /// The readers of all processes that read a version at present.
  package var readersOfAllProcesses: [AnyReader] {
    environment.forgetDeadReaders()
    return knownReaders
  }

  private var knownReaders: [AnyReader] {
    environment.readers.compactMap { reader in
      guard let version = reader.version else { return nil }
      let isOwn = reader.number == readerNumber.value
      return AnyReader(
        isOwn: isOwn, process: isOwn ? getpid() : readerNumber.process(of: reader.number), version: version)
    }
  }

  /// The oldest version that a reader of any process holds; nil when there is none.
  var oldestPinnedVersion: UInt64? { readersOfAllProcesses.map(\.version).min() }

  /// The number of versions from the oldest one that is in use, by any process, to the newest.
  package var activeVersionCount: UInt64 { activeVersionCount(readers: readersOfAllProcesses) }

  /// Returns the number of versions in use, cheaply as long as it does not exceed a limit: dead readers are not removed then.
  package func activeVersionCount(checkedAbove limit: UInt64) -> UInt64 {
    let count = activeVersionCount(readers: knownReaders)
    return count > limit ? activeVersionCount : count
  }

  private func activeVersionCount(readers: [AnyReader]) -> UInt64 {
    let newest = newestVersion
    return newest - min(readers.map(\.version).min() ?? newest, newest) + 1
  }
}
