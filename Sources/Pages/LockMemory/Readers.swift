import Synchronization

/// The versions that are held, in the shared memory.
///
/// A reader: its owner, or 0 when it is free; the version; the root; how often it was in use. An owner: u31 a process's number and
/// 1, a bit that says that the reader is only just being taken, u32 the opening, which no other process has had: a reader that a
/// dead process has left is told from one that a later process of the same number has.
struct Readers {
  private let memory: LockMemory
  private let users: FileUsers

  init(_ memory: LockMemory, _ users: FileUsers) { (self.memory, self.users) = (memory, users) }

  private static let takingBit: UInt64 = 1 << 31

  /// A reader that is in use, and the how-manieth use of it this is.
  struct Held {
    fileprivate let reader: Int
    fileprivate let use: UInt64
  }

  private static func place(_ reader: Int) -> Int { LockMemory.readersStart + reader * LockMemory.readerSize }
  private func place(_ reader: Int) -> Int { Self.place(reader) }
  private func usePlace(_ reader: Int) -> Int { place(reader) + 48 }

  private var owner: UInt64 { users.process + 1 | memory.opening << 32 }

  private func exchange(_ offset: Int, _ expected: UInt64, _ desired: UInt64) -> Bool {
    memory.watcher?.willStore()
    return memory.atomic(offset).pointee.compareExchange(
      expected: expected, desired: desired, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Holds the newest version.
  ///
  /// The version is announced before the newest one is read again: a writer that has not seen the announcement has not
  /// published another version before that look.
  func hold() throws(PageError) -> (held: Held, version: UInt64, root: Reference) {
    if let found = holdByFreeReader() { return found }
    // No writer may have looked for readers of dead processes since.
    _ = heldVersions()
    if let found = holdByFreeReader() { return found }
    throw .readersFull
  }

  private func holdByFreeReader() -> (held: Held, version: UInt64, root: Reference)? {
    let owner = owner
    for reader in 0..<LockMemory.readerLimit {
      let place = place(reader)
      if memory.load(place) != 0 || !exchange(place, 0, owner | Self.takingBit) { continue }
      raiseCount(to: UInt64(reader + 1))
      // What a dead process has announced here.
      memory.storePart(0, place + 8)
      let use = memory.load(usePlace(reader)) &+ 1
      memory.storePart(use, usePlace(reader))
      memory.storePart(owner, place)
      let (version, root) = announceNewest(at: place)
      return (Held(reader: reader, use: use), version, root)
    }
    return nil
  }

  private func announceNewest(at place: Int) -> (version: UInt64, root: Reference) {
    while true {
      let version = memory[.newest]
      let root = memory.publishedRoot(version)
      memory.storeParts(root, place + 16)
      memory.store(version, place + 8)
      if memory[.newest] == version { return (version, root) }
      memory.store(0, place + 8)
    }
  }

  /// Holds the newest version instead of the one that a reader holds, which is released first.
  func moveToNewest(_ held: Held) -> (version: UInt64, root: Reference) {
    memory.store(0, place(held.reader) + 8)
    return announceNewest(at: place(held.reader))
  }

  func release(_ held: Held) {
    let place = place(held.reader)
    precondition(
      memory.load(place) == owner && memory.load(usePlace(held.reader)) == held.use,
      "A version of a file of pages is released twice.")
    memory.storePart(0, place + 8)
    memory.storePart(0, place)
  }

  /// Forgets readers of a dead process that had the number of this one.
  func releaseLeftBehind() {
    for reader in 0..<Int(memory[.readerCount]) {
      let found = memory.load(place(reader))
      if found != 0 && Self.process(found) == users.process && found >> 32 != memory.opening {
        _ = exchange(place(reader), found, 0)
      }
    }
  }

  private static func process(_ owner: UInt64) -> UInt64 { owner & (takingBit - 1) - 1 }

  private func raiseCount(to count: UInt64) {
    while case let known = memory[.readerCount], known < count {
      _ = exchange(LockMemory.Word.readerCount.rawValue, known, count)
    }
  }

  /// A version that a reader holds.
  struct Announced {
    let process: UInt64
    let version: UInt64
    let root: Reference
  }

  /// The versions that are held, in no order. Readers of dead processes are forgotten.
  func heldVersions() -> [Announced] {
    Self.announced(memory, users.isAlive) { place, found in
      // Unless another process has done so, and the reader is in use again.
      _ = exchange(place, found, 0)
    }
  }

  /// - Parameter foundDead: Called with the place of a reader of a dead process, and what is there.
  static func announced(
    _ memory: LockMemory, _ isAlive: (UInt64) -> Bool, foundDead: (Int, UInt64) -> Void = { _, _ in }
  ) -> [Announced] {
    var held: [Announced] = []
    // The system is asked once for each process.
    var known: (owner: UInt64, isAlive: Bool) = (0, true)
    for reader in 0..<min(Int(memory[.readerCount]), LockMemory.readerLimit) {
      let place = place(reader)
      let found = memory.load(place)
      let owner = found & ~takingBit
      if owner == 0 { continue }
      let process = process(owner)
      if owner != known.owner { known = (owner, isAlive(process)) }
      if !known.isAlive {
        foundDead(place, found)
        continue
      }
      if found != owner { continue }
      let version = memory.load(place + 8)
      if version == 0 { continue }
      let root = memory.reference(place + 16)
      // Between two looks of `hold` it may become another version's.
      if memory.load(place + 8) == version {
        held.append(.init(process: process, version: version, root: root))
      }
    }
    return held
  }
}
