import LibC
import Synchronization

/// An open file of pages that is only read, by a process that may not write to its lock file, or where there is none.
///
/// Versions that it holds are announced by locks on the file itself (`OutsideReaders`). The newest version is found in the shared
/// memory if that can be read, else in the file.
package final class PageViewer: Sendable {
  let file: DiskFile
  let map: FileMap
  private let memory: LockMemory?
  private let fileNumber: UInt64
  private let mapLimit: Int
  /// How often each version is held.
  private let held = Mutex<[UInt64: Int]>([:])

  package init(path: String, mapLimit: Int = 1 << 38) throws(PageError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw .system(errno) }
    file = DiskFile(descriptor, watcher: nil)
    map = try FileMap(file, limit: mapLimit)
    self.mapLimit = mapLimit
    let recovery = try Recovery(file, mapLimit: mapLimit)
    guard let number = recovery.fileNumber else { throw .notPages }
    fileNumber = number
    let identity = try file.identity
    let memory = LockMemory(viewing: path + "-lock")
    self.memory = memory?[.ready] == PageStore.readiness(identity.inode) ? memory : nil
  }

  /// Holds the newest version.
  package func hold() throws(PageError) -> PageVersion {
    while true {
      let (version, root) = try newest()
      try hold(version)
      // A writer that has not seen the lock has not made another version before this look.
      if try newest().version == version { return PageVersion(self, version, root) }
      release(version)
    }
  }

  private func newest() throws(PageError) -> (version: UInt64, root: Reference) {
    if let memory, memory[.fileNumber] == fileNumber, memory[.ready] != 0 {
      while true {
        let version = memory[.newest]
        let root = memory.publishedRoot(version)
        if memory[.newest] == version { return (version, root) }
      }
    }
    for candidate in try Recovery(file, mapLimit: mapLimit).candidates
    where candidate.record.fileNumber == fileNumber {
      let record = candidate.record
      if record.isConfirmed || (try? map.verify(record.root, after: record.durable)) != nil {
        return (record.version, record.root)
      }
    }
    throw .damaged("no version is whole")
  }

  private func hold(_ version: UInt64) throws(PageError) {
    try held.withLock { (held) throws(PageError) in
      if held[version] == nil { try OutsideReaders.hold(version, file.descriptor) }
      held[version, default: 0] += 1
    }
  }

  func release(_ version: UInt64) {
    held.withLock { held in
      let count = held[version]! - 1
      held[version] = count == 0 ? nil : count
      if count == 0 { OutsideReaders.release(version, file.descriptor) }
    }
  }
}
