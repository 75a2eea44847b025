import CSystemCalls
import LibC
import Pages
import Synchronization

/// The processes that want to know of commits to a file: a few words in an unused part of its first page, so that no
/// other file can be planted, lost or exchanged.
///
/// A listening process has a slot, and one of its threads waits for the word of the last announcement to change. A commit
/// reads how many slots were ever in use; if a slot belongs to another process, it changes the word and lets the kernel wake
/// the waiting threads. No process waits for another, so that a process may die at any moment:
/// - A slot belongs to the process that holds the record lock on its byte, far behind the end of the file. The kernel
///   releases the lock of a dead process, and the next process that needs a slot takes it.
/// - Announcing to a dead process is harmless. From time to time the slots are tried, and those of dead processes emptied.
///
/// The words are not trusted: wrong ones cause an announcement without effect, or one that listeners notice later. The page
/// is mapped for reading only. Its words, none of which crosses a sector, are written through the descriptor, one at a
/// time; the word of a slot only by the process that holds its lock.
///
/// Layout, from the middle of the page: u32 slots that were ever in use, u32 last announcement; then for each slot a
/// u64, the number of its owner or 0. A part of zeros is an empty table.
final class ListenerTable: @unchecked Sendable {
  private static let start = 2048
  private static let announcementOffset = start + 4
  private static let firstSlot = start + 8
  private static let slotCount = 255
  private static let pageSize = EntryStore.pageSize
  /// Where the bytes of the slots' locks begin.
  private static let firstByte: off_t = 5 << 60
  /// Guards the number of slots that were ever in use.
  private static let claimByte = firstByte + off_t(slotCount)
  /// The slots are tried with the first announcement, and each time that many were made.
  private static let checkInterval = 64
  /// So many seconds a listener waits before it looks by itself.
  private static let patience = 60

  private let lock: WriteLock
  private let base: UnsafeMutableRawPointer
  /// Tells the slots of this table from those of other processes.
  private let owner = UInt64.random(in: 1...UInt64.max)
  private struct State {
    /// The slots whose lock this table holds, which the kernel would give it again.
    var ownSlots: [Int] = []
    var announcements = 0
  }
  private let state = Mutex(State())

  private var descriptor: Int32 { lock.descriptor }

  /// The table of the file whose lock that is, which keeps its descriptor open; nil when it cannot be mapped.
  init?(_ lock: WriteLock) {
    self.lock = lock
    let mapped = Forks.mapLeftOutOfChildren(lock.descriptor, 2 * Self.pageSize, PROT_READ)
    guard let mapped else { return nil }
    base = mapped
  }

  deinit { if !lock.isInherited { munmap(base, 2 * Self.pageSize) } }

  // MARK: Listening

  /// Takes a slot; nil when all are in use, or the file cannot be written or locked.
  func claim() -> Int? {
    state.withLock { state in
      for slot in 0..<Self.slotCount
      where !state.ownSlots.contains(slot) && OpenFileLock.tryLock(descriptor, byte: lockByte(slot)) {
        guard write(owner, at: slotOffset(slot)), include(slot) else {
          OpenFileLock.unlock(descriptor, byte: lockByte(slot))
          return nil
        }
        state.ownSlots.append(slot)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return slot
      }
      return nil
    }
  }

  private func include(_ slot: Int) -> Bool {
    guard (try? OpenFileLock.lock(descriptor, byte: Self.claimByte)) != nil else { return false }
    defer { OpenFileLock.unlock(descriptor, byte: Self.claimByte) }
    return slotsEverUsed > slot || write(UInt32(slot + 1), at: Self.start)
  }

  /// What the next call of `wait` compares with.
  var announcement: UInt32 {
    announcementWord.pointee.load(ordering: .sequentiallyConsistent)
  }

  /// Waits until there is another announcement than the given one, or for some seconds. Returns false when the system
  /// cannot do that.
  func wait(after announcement: UInt32) -> Bool {
    openrealm_futex_wait(announcementWord, announcement, Self.patience) == 0
      || [EAGAIN, EINTR, ETIMEDOUT].contains(errno)
  }

  /// Wakes all who wait, also those of this process.
  func announce() {
    if lock.isInherited { return }
    // Two that announce at once must not lead back to what a listener waits for.
    write(UInt32.random(in: 0 ... .max), at: Self.announcementOffset)
    openrealm_futex_wake(announcementWord)
  }

  /// Gives a slot back.
  func release(_ slot: Int) {
    state.withLock { state in
      state.ownSlots.removeAll { $0 == slot }
      if lock.isInherited { return }
      write(UInt64(0), at: slotOffset(slot))
      OpenFileLock.unlock(descriptor, byte: lockByte(slot))
    }
  }

  // MARK: Telling

  /// Wakes the other processes that listen.
  @inline(__always)
  func wakeOthers() {
    // A listener first takes its slot and then looks for the newest version; here it is the other way round.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let used = slotsEverUsed
    for slot in 0..<used where isForeign(slot) { return announceToOthers(used) }
  }

  private func isForeign(_ slot: Int) -> Bool {
    let owner = ownerWord(slot).pointee.load(ordering: .relaxed)
    return owner != 0 && owner != self.owner
  }

  @inline(never)
  private func announceToOthers(_ used: Int) {
    let isCheck = state.withLock { state in
      defer { state.announcements += 1 }
      return state.announcements % Self.checkInterval == 0
    }
    if isCheck { emptySlotsOfTheDead(used) }
    announce()
  }

  private func emptySlotsOfTheDead(_ used: Int) {
    state.withLock { state in
      for slot in 0..<used
      where isForeign(slot) && !state.ownSlots.contains(slot)
        && OpenFileLock.tryLock(descriptor, byte: lockByte(slot))
      {
        write(UInt64(0), at: slotOffset(slot))
        OpenFileLock.unlock(descriptor, byte: lockByte(slot))
      }
    }
  }

  // MARK: Layout

  private var slotsEverUsed: Int {
    let word: UnsafeMutablePointer<Atomic<UInt32>> = word(Self.start)
    return min(Int(word.pointee.load(ordering: .sequentiallyConsistent)), Self.slotCount)
  }
  private var announcementWord: UnsafeMutablePointer<Atomic<UInt32>> { word(Self.announcementOffset) }
  private func ownerWord(_ slot: Int) -> UnsafeMutablePointer<Atomic<UInt64>> { word(slotOffset(slot)) }

  private func slotOffset(_ slot: Int) -> Int { Self.firstSlot + slot * 8 }
  private func lockByte(_ slot: Int) -> off_t { Self.firstByte + off_t(slot) }

  private func word<Word: ~Copyable>(_ offset: Int) -> UnsafeMutablePointer<Word> {
    (base + offset).assumingMemoryBound(to: Word.self)
  }

  @discardableResult
  private func write<Number: FixedWidthInteger>(_ number: Number, at offset: Int) -> Bool {
    withUnsafeBytes(of: number) { pwrite(descriptor, $0.baseAddress!, $0.count, off_t(offset)) == $0.count }
  }
}
