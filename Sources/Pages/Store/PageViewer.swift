import LibC
import Synchronization

/// An open file of pages that is only read, by a process that may not write to its lock file, or where there is none.
///
/// Versions that it holds are announced by locks on the file itself (`OutsideReaders`). The newest version is found in the shared
/// memory while others have the file open and the lock file can be read, else in the file.
package final class PageViewer: Sendable {
  let file: DiskFile
  let map: FileMap
  private let lockFilePath: String
  private let trustsLockFile: @Sendable (_ lock: Int32, _ data: Int32) -> Bool
  let mapLimit: Int
  private let ready: UInt64
  struct State {
    /// The memory of the lock file that was last found.
    fileprivate var memory: LockMemory?
    /// How often each version is held.
    fileprivate var held: [UInt64: Int] = [:]
    /// Whether others have the file open whose memory cannot be read.
    fileprivate var mustReadRecords = false
    /// Milliseconds for which the newest record has been of a version that is not whole.
    var waited = 0
    /// A record whose version was found whole.
    var wholeRecord: VersionRecord?
    /// The newest record of a copy that was searched, and the newest version that a record in it says was durable.
    fileprivate var searched: (newest: VersionRecord, durable: UInt64)?
  }
  private let state = Mutex(State())

  package init(
    path: String, mapLimit: Int = 1 << 38, key: [UInt8]? = nil, decryptedLimit: Int = 32 << 20,
    expecting expected: ExpectedFiles = ExpectedFiles()
  ) throws(PageError) {
    file = try DiskFile(path: path, O_RDONLY, expecting: expected.data, watcher: nil)
    trustsLockFile = expected.trustsLockFile
    try file.findCipher(key)
    map = try FileMap(file, limit: mapLimit, decryptedLimit: decryptedLimit)
    self.mapLimit = mapLimit
    lockFilePath = path + "-lock"
    ready = try PageStore.readiness(file)
    if try Recovery(file, mapLimit: mapLimit).fileNumber == nil { throw .notPages }
  }

  /// The version of the newest commit to a file that no process has open; nil when there is none. Of an encrypted file, whose records
  /// are not verified without its key, as the last process to close it has noted it.
  package static func newestVersion(ofFileAt path: String) -> UInt64? {
    do throws(PageError) {
      let version = try PageViewer(path: path).newestVersion
      return version == 0 ? nil : version
    } catch .missingKey {
      guard let file = try? DiskFile(path: path, O_RDONLY, watcher: nil) else { return nil }
      return (0..<FileLayout.slotCount).compactMap { slot in
        let bytes = try? file.bytes(VersionRecord.size, at: slot * FileLayout.block)
        guard let bytes, bytes.count == VersionRecord.size else { return nil }
        return bytes.withUnsafeBytes { VersionRecord.unverifiedVersion(at: $0.baseAddress!) }
      }.max()
    } catch {
      return nil
    }
  }

  /// Holds the newest version.
  ///
  /// While another process opens or closes the file, this waits.
  package func hold() throws(PageError) -> PageVersion {
    try file.checkOwner()
    return try state.withLock { (state) throws(PageError) in
      state.waited = 0
      while true {
        guard let (version, root) = try newest(&state) else {
          if state.mustReadRecords, let version = try holdNewestRecord(&state) { return version }
          continue
        }
        try retain(version, &state)
        do throws(PageError) {
          // A writer that has not seen the lock has not made another version before this look.
          if try newest(&state)?.version == version { return try PageVersion(self, version, root) }
        } catch {
          release(version, &state)
          throw error
        }
        release(version, &state)
      }
    }
  }

  /// The version of the newest commit, by any process; of a file that cannot be read any more, 0.
  package var newestVersion: UInt64 {
    state.withLock { state in
      state.waited = 0
      while true {
        do throws(PageError) {
          if let found = try newest(&state) { return found.version }
          if state.mustReadRecords, let found = try newestRecordedVersion() { return found }
        } catch {
          return 0
        }
      }
    }
  }

  func release(_ version: UInt64) {
    if file.owned.isOwn { state.withLock { release(version, &$0) } }
  }

  func retain(_ version: UInt64, _ state: inout State) throws(PageError) {
    if state.held[version] == nil { try OutsideReaders.hold(version, file) }
    state.held[version, default: 0] += 1
  }

  func release(_ version: UInt64, _ state: inout State) {
    let count = state.held[version]! - 1
    state.held[version] = count == 0 ? nil : count
    if count == 0 { OutsideReaders.release(version, file) }
  }

  // MARK: The newest version

  /// The memory of the lock file that others use; nil when there is none, or it cannot be read.
  var readableMemory: LockMemory? {
    state.withLock { state in
      state.waited = 0
      _ = try? newest(&state)
      return (try? newestInMemory(state.memory)) == nil ? nil : state.memory
    }
  }

  /// Nil when it is to be looked for again, or in the records.
  private func newest(_ state: inout State) throws(PageError) -> (version: UInt64, root: Reference)? {
    state.mustReadRecords = false
    if let found = try newestInMemory(state.memory) { return found }
    if !(try FileUsers.isOpen(file.owned)) {
      let found = try newestInFile(&state)
      // A process that opens the file from now on sees what is held.
      return try FileUsers.isOpen(file.owned) ? nil : found
    }
    let isInUse = try FileUsers.isInUse(file.owned)
    state.memory = LockMemory(viewing: lockFilePath) { trustsLockFile($0, file.owned.number) }
    if let found = try newestInMemory(state.memory) { return found }
    // Of a process that dies, the kernel closes the lock file first.
    if isInUse, try FileUsers.isInUse(file.owned) {
      state.mustReadRecords = true
    } else {
      usleep(1000)
    }
    return nil
  }

  /// Nil unless others use the memory, for this file.
  private func newestInMemory(
    _ memory: LockMemory?
  ) throws(PageError) -> (version: UInt64, root: Reference)? {
    guard let memory, memory[.ready] == ready, try FileUsers.isInUse(file.owned),
      try FileUsers.isInUse(lockFile: memory.descriptor)
    else { return nil }
    while true {
      let version = memory[.newest]
      let root = memory.publishedRoot(version)
      if memory[.newest] == version { return memory[.ready] == ready ? (version, root) : nil }
    }
  }

  /// Nil when another process has opened the file meanwhile.
  private func newestInFile(
    _ state: inout State
  ) throws(PageError) -> (version: UInt64, root: Reference)? {
    let recovery = try Recovery(file, mapLimit: mapLimit)
    let durable = try durableVersion(recovery, &state)
    // Of an encrypted file, what is not whole is decrypted, too, over extents of older versions that were found sound before.
    let map = file.cipher == nil ? map : try map.again()
    for candidate in recovery.candidates where candidate.record.fileNumber == recovery.fileNumber {
      let record = candidate.record
      if record.version < durable {
        // A process that opens a file writes a slot before it writes other records.
        if try Recovery(file, mapLimit: mapLimit).newest != recovery.newest { return nil }
        throw .damaged(Recovery.lacksDurable)
      }
      if record.isConfirmed { return (record.version, record.root) }
      if try map.isWhole(record.root, after: record.durable) { return (record.version, record.root) }
      if record.version <= durable { break }
    }
    throw .damaged("no version is whole")
  }

  /// The newest version that the disk had. A copy is searched again only when it has another newest record.
  private func durableVersion(_ recovery: Recovery, _ state: inout State) throws(PageError) -> UInt64 {
    guard let newest = recovery.newest else { return 0 }
    if let searched = state.searched, searched.newest == newest { return searched.durable }
    let durable = try recovery.durable(in: file)
    if try file.isCopy(newest) { state.searched = (newest, durable) }
    return durable
  }
}
