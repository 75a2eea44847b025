import Glibc
import Synchronization

/// The processes that want to know of commits to a file: a small file beside it, mapped by all of them.
///
/// A process that listens has a slot with a semaphore, on which one thread of it waits. A commit reads how many
/// slots were ever in use, mostly none, and raises the semaphore of each that is. Nobody waits for anybody, so
/// that a process may die at any moment:
/// - A slot belongs to whoever holds the record lock on its byte of the file. The kernel takes the lock from the
///   dead, and their slot goes to the next who needs one.
/// - Raising the semaphore of a dead process is harmless; when it has not been taken for long, the slot is tried
///   and switched off.
///
/// Layout: u32 format, u32 slots that were ever in use; then slots of 64 bytes: u32 in use, u64 the owner's
/// number, semaphore. A file of zeros is an empty table. Words that several processes change are only accessed
/// atomically.
final class ListenerTable: @unchecked Sendable {
  static let suffix = ".note"

  private static let format: UInt32 = 1
  private static let slotSize = 64
  private static let slotCount = 255
  private static let fileSize = slotSize * (slotCount + 1)
  private static let ownerOffset = 8
  private static let semaphoreOffset = 16
  /// As many commits not taken note of make a slot suspicious.
  private static let suspicion: Int32 = 64

  private let descriptor: Int32
  private let base: UnsafeMutableRawPointer
  /// Tells the slots of this table from those of other processes.
  private let owner = UInt64.random(in: 1...UInt64.max)
  /// The slots whose lock this table holds, which the kernel would give it again.
  private let ownSlots = Mutex<Set<Int>>([])

  /// The table beside the file at `path`; nil when it can not be used.
  init?(path: String) {
    precondition(MemoryLayout<sem_t>.size <= Self.slotSize - Self.semaphoreOffset)
    descriptor = open(path + Self.suffix, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { return nil }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
      FileSpace.allocate(descriptor, size: Self.fileSize) == 0,
      let mapped = mmap(nil, Self.fileSize, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      mapped != MAP_FAILED
    else {
      close(descriptor)
      return nil
    }
    base = mapped
    let format = formatWord.pointee.load(ordering: .relaxed)
    if format != 0 && format != Self.format {
      munmap(base, Self.fileSize)
      close(descriptor)
      return nil
    }
  }

  deinit {
    munmap(base, Self.fileSize)
    close(descriptor)
  }

  // MARK: Listening

  /// Takes a slot; nil when all are in use.
  func claim() -> Int? {
    ownSlots.withLock { ownSlots in
      for slot in 0..<Self.slotCount
      where !ownSlots.contains(slot) && OpenFileLock.tryLock(descriptor, byte: off_t(slot)) {
        formatWord.pointee.store(Self.format, ordering: .relaxed)
        isActive(slot).pointee.store(0, ordering: .sequentiallyConsistent)
        sem_init(semaphore(slot), 1, 0)
        ownerWord(slot).pointee.store(owner, ordering: .relaxed)
        isActive(slot).pointee.store(1, ordering: .sequentiallyConsistent)
        slotsEverUsed.pointee.max(UInt32(slot + 1), ordering: .sequentiallyConsistent)
        ownSlots.insert(slot)
        return slot
      }
      return nil
    }
  }

  /// Waits until the slot was woken.
  func wait(_ slot: Int) {
    while sem_wait(semaphore(slot)) != 0 && errno == EINTR {}
    while sem_trywait(semaphore(slot)) == 0 {}
  }

  func wake(_ slot: Int) { sem_post(semaphore(slot)) }

  /// Gives a slot back.
  func release(_ slot: Int) {
    ownSlots.withLock { ownSlots in
      ownSlots.remove(slot)
      isActive(slot).pointee.store(0, ordering: .sequentiallyConsistent)
      OpenFileLock.unlock(descriptor, byte: off_t(slot))
    }
  }

  // MARK: Telling

  /// Wakes the other processes that listen.
  func wakeOthers() {
    // A listener first takes its slot and then looks for the newest version; here it is the other way round.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let used = min(Int(slotsEverUsed.pointee.load(ordering: .sequentiallyConsistent)), Self.slotCount)
    for slot in 0..<used where isActive(slot).pointee.load(ordering: .sequentiallyConsistent) != 0 {
      if ownerWord(slot).pointee.load(ordering: .relaxed) == owner { continue }
      var untaken: Int32 = 0
      sem_getvalue(semaphore(slot), &untaken)
      if untaken > 0 && untaken % Self.suspicion == 0 && switchOffIfDead(slot) { continue }
      wake(slot)
    }
  }

  private func switchOffIfDead(_ slot: Int) -> Bool {
    ownSlots.withLock { ownSlots in
      if ownSlots.contains(slot) || !OpenFileLock.tryLock(descriptor, byte: off_t(slot)) { return false }
      isActive(slot).pointee.store(0, ordering: .sequentiallyConsistent)
      OpenFileLock.unlock(descriptor, byte: off_t(slot))
      return true
    }
  }

  // MARK: Layout

  private var formatWord: UnsafeMutablePointer<Atomic<UInt32>> { word(0) }
  private var slotsEverUsed: UnsafeMutablePointer<Atomic<UInt32>> { word(4) }

  private func isActive(_ slot: Int) -> UnsafeMutablePointer<Atomic<UInt32>> { word(start(slot)) }

  private func ownerWord(_ slot: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    word(start(slot) + Self.ownerOffset)
  }

  private func semaphore(_ slot: Int) -> UnsafeMutablePointer<sem_t> {
    word(start(slot) + Self.semaphoreOffset)
  }

  private func start(_ slot: Int) -> Int { (slot + 1) * Self.slotSize }

  private func word<Word: ~Copyable>(_ offset: Int) -> UnsafeMutablePointer<Word> {
    (base + offset).assumingMemoryBound(to: Word.self)
  }
}
