import Synchronization

/// The versions that are held. A reader: its process's number and 1, or 0 when it is free; the version; the root.
extension LockMemory {
  private func place(_ reader: Int) -> Int { Self.readersStart + reader * Self.readerSize }

  /// Holds the newest version.
  ///
  /// The version is announced before the newest one is read again: a writer that has not seen the announcement has not
  /// published another version before that look.
  func hold() throws(PageError) -> (reader: Int, version: UInt64, root: Reference) {
    for reader in 0..<Self.readerLimit {
      let place = place(reader)
      let (isFree, _) = atomic(place).pointee.compareExchange(
        expected: 0, desired: process + 1, ordering: .sequentiallyConsistent)
      if !isFree { continue }
      raiseReaderCount(to: UInt64(reader + 1))
      while true {
        let version = self[.newest]
        let root = publishedRoot(version)
        store(root, place + 16)
        store(version, place + 8)
        if self[.newest] == version { return (reader, version, root) }
      }
    }
    throw .readersFull
  }

  func release(_ reader: Int) {
    store(0, place(reader) + 8)
    store(0, place(reader))
  }

  func releaseReaders(of process: UInt64) {
    for reader in 0..<Int(self[.readerCount]) where load(place(reader)) == process + 1 { release(reader) }
  }

  private func raiseReaderCount(to count: UInt64) {
    var known = self[.readerCount]
    while known < count {
      let (exchanged, original) = atomic(Word.readerCount.rawValue).pointee.compareExchange(
        expected: known, desired: count, ordering: .sequentiallyConsistent)
      if exchanged { return }
      known = original
    }
  }

  /// A version that a reader holds.
  struct HeldVersion {
    let process: UInt64
    let version: UInt64
    let root: Reference
  }

  /// The versions that are held, in no order. Readers of dead processes are forgotten.
  func heldVersions() -> [HeldVersion] {
    var held: [HeldVersion] = []
    for reader in 0..<Int(self[.readerCount]) {
      let place = place(reader)
      let owner = load(place)
      if owner == 0 { continue }
      if !isAlive(owner - 1) {
        release(reader)
        continue
      }
      let version = load(place + 8)
      if version == 0 { continue }
      let root = reference(place + 16)
      // Between two looks of `hold` the root may be another version's.
      if load(place + 8) == version { held.append(.init(process: owner - 1, version: version, root: root)) }
    }
    return held
  }
}
