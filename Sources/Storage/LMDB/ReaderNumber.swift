import LibC

/// The number under which the slots of an open environment are known in LMDB's table of readers.
///
/// LMDB uses the number of the process, and holds a lock on the byte of the lock file that has this number, so that other
/// processes can recognise the slots of dead processes. In two PID namespaces, as containers have them, two processes may have the
/// same number, often 1: then the second could not get the lock, and a process that was killed and restarted under its
/// number would take the slots of its predecessor for its own, whose versions would be pinned for ever.
///
/// So another number is put into LMDB's environment before its first transaction: a random one above all process numbers,
/// whose byte this process has locked and no slot has. LMDB uses the number in the table and for the lock only, and the
/// kernel still releases the lock of a dead process. Readers of former versions of this library have process numbers; both kinds
/// of numbers work side by side.
struct ReaderNumber {
  /// The process number where the layout of LMDB's environment is unknown.
  let value: Int32
  /// Nil where the process number is used.
  private let lockDescriptor: Int32?

  // Linux has no higher process numbers than 2 to the 22nd.
  private static let possible: ClosedRange<Int32> = 1 << 22 + 1...1 << 30
  private static let attempts = 100

  /// Gives an environment its number, before its first transaction.
  ///
  /// - Parameter words: Nil where the layout of LMDB's environment is unknown.
  init(_ environment: EntryStore, _ words: EnvironmentWords?) {
    let process = getpid()
    if let words, let lock = words.lockDescriptor {
      for _ in 0..<Self.attempts {
        let number = Int32.random(in: Self.possible)
        guard Self.lock(lock, number) else { continue }
        words.processNumber.pointee = number
        // Readers of other numbers are forgotten, also this process's own.
        environment.forgetDeadReaders()
        if !environment.readers.contains(where: { $0.number == number }),
          Self.isUsed(number, environment) != false
        {
          (value, lockDescriptor) = (number, lock)
          return
        }
        words.processNumber.pointee = process
        Self.unlock(lock, number)
      }
    }
    // A transaction that was tried above has let LMDB believe that the byte of the process is locked.
    if let lock = words?.lockDescriptor { _ = Self.lock(lock, process) }
    (value, lockDescriptor) = (process, nil)
    environment.forgetDeadReaders()
  }

  /// Whether a transaction's slot has the number; nil where no transaction can begin, as when all slots are taken: LMDB has noted then
  /// that the number's byte is locked, so that the number must stay.
  private static func isUsed(_ number: Int32, _ environment: EntryStore) -> Bool? {
    guard let transaction = try? environment.beginReading() else { return nil }
    defer { transaction.abort() }
    return environment.readers.contains { $0.number == number }
  }

  /// The process that has another number; nil when it is in another PID namespace, or has ended.
  func process(of number: Int32) -> Int32? {
    guard let lockDescriptor else { return number }
    var request = Self.request(F_WRLCK, number)
    guard fcntl(lockDescriptor, F_GETLK, &request) == 0, request.l_type != Int16(F_UNLCK),
      request.l_pid > 0
    else { return nil }
    return request.l_pid
  }

  // LMDB's locks belong to the process, unlike those of `OpenFileLock`.

  private static func lock(_ descriptor: Int32, _ number: Int32) -> Bool {
    var request = request(F_WRLCK, number)
    return fcntl(descriptor, F_SETLK, &request) == 0
  }

  private static func unlock(_ descriptor: Int32, _ number: Int32) {
    var request = request(F_UNLCK, number)
    _ = fcntl(descriptor, F_SETLK, &request)
  }

  private static func request(_ type: Int32, _ number: Int32) -> flock {
    var request = flock()
    request.l_type = Int16(type)
    request.l_whence = Int16(SEEK_SET)
    request.l_start = off_t(number)
    request.l_len = 1
    return request
  }
}
