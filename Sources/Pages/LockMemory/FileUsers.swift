import LibC

/// The processes that have a file open, and whose turn it is to write: told apart by locks on bytes of the file itself, so that
/// nothing that happens to the name of the lock file lets two write at once.
///
/// Each process locks a byte of its own, its number, and shares one with all other processes. The processes that use the lock
/// file's memory share one byte of the lock file: the memory must not be cleared for another file of the same name.
final class FileUsers: @unchecked Sendable {
  private enum Byte {
    static let open: off_t = 1 << 60
    /// Not locked where `PageStore.Options.hasWriterLock` says that the caller has a lock of its own.
    static let write: off_t = open + 1
    static let synchronise: off_t = open + 2
    static let processes: Range<off_t> = open + 1 << 32..<open + 1 << 33
    /// Of the lock file.
    static let memory: off_t = 1 << 60
    /// Of the lock file: those of processes by their numbers, locked in their names.
    static let names: off_t = memory + 1 << 32
  }

  private let file: OwnedDescriptor
  private let lockFile: OwnedDescriptor
  /// The number of this process among those that have the file open.
  private(set) var process: UInt64 = 0

  init(_ file: OwnedDescriptor, lockFile: OwnedDescriptor) { (self.file, self.lockFile) = (file, lockFile) }

  // MARK: Opening and closing

  /// Joins the processes that have the file open.
  ///
  /// - Returns: Whether no other process has. Then others wait until `joined`. A process that dies before leaves `ready` at 0, which
  ///   those that waited see.
  func join(_ memory: LockMemory, ready: UInt64) throws(PageError) -> Bool {
    var waited = 0
    while true {
      if try ByteLock.tryLock(file.number, Byte.open, .exclusive) {
        try takeLockFile(memory, ready)
        return true
      }
      try ByteLock.lock(file.number, Byte.open, .shared)
      try ByteLock.lock(lockFile.number, Byte.memory, .shared)
      // Another one that waits, too, says nothing of the memory.
      if memory[.ready] == ready, try ByteLock.isHeldByOthers(lockFile.number, Byte.memory),
        try Self.isInUse(file)
      {
        return false
      }
      ByteLock.unlock(lockFile.number, Byte.memory)
      ByteLock.unlock(file.number, Byte.open)
      // The process that was opening the file alone may have died. Processes that waited for it have no numbers.
      if try !Self.isInUse(file) {
        // Or one that only reads holds the byte, for whatever reason.
        usleep(1000)
        continue
      }
      // A process that dies gives back the locks of one file after those of the other.
      if waited == Self.patience { throw .lockFileRemoved }
      waited += 1
      usleep(1000)
    }
  }

  /// Maximum number of milliseconds between the two.
  static let patience = 500

  private func takeLockFile(_ memory: LockMemory, _ ready: UInt64) throws(PageError) {
    while !(try ByteLock.tryLock(lockFile.number, Byte.memory, .exclusive)) {
      let found = memory[.ready]
      if found != 0 && found != ready {
        ByteLock.unlock(file.number, Byte.open)
        throw .replaced
      }
      // A process is closing this file, or opening another one.
      usleep(1000)
    }
  }

  func joined() throws(PageError) {
    let first = Byte.processes.lowerBound
    while !(try ByteLock.tryLock(file.number, first + off_t(process), .exclusive)) { process += 1 }
    ByteLock.lockByName(lockFile.number, Byte.names + off_t(process), .exclusive)
    try ByteLock.lock(lockFile.number, Byte.memory, .shared)
    try ByteLock.lock(file.number, Byte.open, .shared)
  }

  /// Returns whether no other process has the file open any more; then others wait until this one has closed it.
  func leave() -> Bool {
    // Two that close at once must not both see the other.
    ByteLock.unlock(file.number, Byte.open)
    return (try? ByteLock.tryLock(file.number, Byte.open, .exclusive)) == true
  }

  /// Lets the processes that wait open the file.
  func left() {
    ByteLock.unlockByName(lockFile.number, Byte.names + off_t(process))
    ByteLock.unlock(file.number, Byte.processes.lowerBound + off_t(process))
    ByteLock.unlock(lockFile.number, Byte.memory)
    ByteLock.unlock(file.number, Byte.open)
  }

  func isAlive(_ process: UInt64) -> Bool {
    process == self.process || Self.isAlive(process, file)
  }

  static func isAlive(_ process: UInt64, _ file: OwnedDescriptor) -> Bool {
    // When the system cannot say, it counts as alive.
    (try? ByteLock.isHeldByOthers(file.number, Byte.processes.lowerBound + off_t(process))) != false
  }

  /// What the system calls a process; nil when that is not known here.
  func systemNumber(_ process: UInt64) -> Int32? {
    process == self.process ? getpid() : Self.systemNumber(process, lockFile: lockFile)
  }

  static func systemNumber(_ process: UInt64, lockFile: OwnedDescriptor) -> Int32? {
    ByteLock.nameOfHolder(lockFile.number, Byte.names + off_t(process))
  }

  // MARK: Turns

  func lockForWriting() throws(PageError) { try ByteLock.lock(file.number, Byte.write, .exclusive) }
  func unlockForWriting() { ByteLock.unlock(file.number, Byte.write) }

  func lockForSynchronising() throws(PageError) {
    try ByteLock.lock(file.number, Byte.synchronise, .exclusive)
  }
  func unlockForSynchronising() { ByteLock.unlock(file.number, Byte.synchronise) }

  // MARK: Looking from outside

  /// Whether a process has the file open, or is opening or closing it.
  static func isOpen(_ file: OwnedDescriptor) throws(PageError) -> Bool {
    try ByteLock.isHeldByOthers(file.number, Byte.open)
  }

  /// Whether a process has opened the file.
  static func isInUse(_ file: OwnedDescriptor) throws(PageError) -> Bool {
    try ByteLock.lockedByOthers(file.number, Byte.processes) != nil
  }

  /// Whether a process uses the memory of a lock file.
  static func isInUse(lockFile: OwnedDescriptor) throws(PageError) -> Bool {
    try ByteLock.isHeldByOthers(lockFile.number, Byte.memory)
  }
}
