import Glibc

extension DatabaseFile {
  /// A reader as LMDB knows it, of any process.
  package struct AnyReader: Sendable {
    package let process: Int32
    package let version: UInt64
  }

  /// The readers of all processes that read a version at present.
  package var readersOfAllProcesses: [AnyReader] {
    environment.forgetDeadReaders()
    return knownReaders
  }

  private var knownReaders: [AnyReader] { environment.readerLines.compactMap { AnyReader($0) } }

  /// The oldest version that a reader of any process holds; nil when there is none.
  var oldestPinnedVersion: UInt64? { readersOfAllProcesses.map(\.version).min() }

  /// The number of versions from the oldest one that is in use, by any process, to the newest.
  package var activeVersionCount: UInt64 { activeVersionCount(readers: readersOfAllProcesses) }

  /// The same, with little effort as long as it is not above a limit: nobody looks for readers that have died then.
  package func activeVersionCount(checkedAbove limit: UInt64) -> UInt64 {
    let count = activeVersionCount(readers: knownReaders)
    return count > limit ? activeVersionCount : count
  }

  private func activeVersionCount(readers: [AnyReader]) -> UInt64 {
    let newest = newestVersion
    return newest - min(readers.map(\.version).min() ?? newest, newest) + 1
  }
}

extension DatabaseFile.AnyReader {
  /// One of LMDB's lines: process, thread and version ("-" when it reads nothing). Nil for others than those of readers
  /// that read a version.
  fileprivate init?(_ line: UnsafePointer<CChar>) {
    var end: UnsafeMutablePointer<CChar>?
    let process = strtol(line, &end, 10)
    guard let threadStart = end, UnsafePointer(threadStart) != line else { return nil }
    _ = strtoull(threadStart, &end, 16)
    guard let versionStart = end, versionStart != threadStart else { return nil }
    let version = strtoull(versionStart, &end, 10)
    if end == versionStart { return nil }
    self.init(process: Int32(truncatingIfNeeded: process), version: version)
  }
}
