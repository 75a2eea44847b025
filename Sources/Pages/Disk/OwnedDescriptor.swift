import LibC
import Synchronization

/// A descriptor that a child of `fork` does not have.
///
/// A child shares the locks of its parent: it could release them, and they would be held for as long as it lives. So its
/// descriptors are closed when it begins, and what the parent has opened is of no use to it.
final class OwnedDescriptor: Sendable {
  /// Belongs to another file, or to none, when `isOwn` says no.
  let number: Int32
  private let generation: Int

  /// - Parameter number: Is closed with this.
  init(_ number: Int32) {
    self.number = number
    generation = Forks.generation
    Forks.add(number)
  }

  deinit { if isOwn { Forks.close(number) } }

  /// Whether this process is the one that has opened it.
  @inline(__always)
  var isOwn: Bool { Forks.generation == generation }
}

extension OwnedDescriptor {
  /// Opens a file, but no link, and waits for no pipe.
  ///
  /// - Parameter expected: The file that must have the name, and is not created; nil for any, which `flags` may create.
  /// - Throws: `replaced` if another file has the name.
  static func open(
    _ path: String, _ flags: Int32, expecting expected: FileIdentity?
  ) throws(PageError) -> OwnedDescriptor {
    let flags = expected == nil ? flags : flags & ~O_CREAT
    let number = LibC.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
    if number < 0 { throw .system(errno) }
    let opened = OwnedDescriptor(number)
    if let expected, FileIdentity(descriptor: number) != expected { throw .replaced }
    return opened
  }
}

/// How many forks have led to this process, and which descriptors a child closes.
private enum Forks {
  private static let count = Atomic<Int>(0)

  @inline(__always)
  static var generation: Int { count.load(ordering: .relaxed) }

  // Guarded by the mutex, which is locked while the process forks.
  private nonisolated(unsafe) static var descriptors: [Int32] = []

  private nonisolated(unsafe) static let mutex = {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_atfork({ Forks.lock() }, { Forks.unlock() }, { Forks.beginChild() })
    return mutex
  }()

  private static func lock() { pthread_mutex_lock(mutex) }
  private static func unlock() { pthread_mutex_unlock(mutex) }

  static func add(_ descriptor: Int32) {
    lock()
    descriptors.append(descriptor)
    unlock()
  }

  static func close(_ descriptor: Int32) {
    lock()
    descriptors.removeAll { $0 == descriptor }
    LibC.close(descriptor)
    unlock()
  }

  private static func beginChild() {
    count.add(1, ordering: .relaxed)
    for descriptor in descriptors { LibC.close(descriptor) }
    descriptors = []
    pthread_mutex_init(mutex, nil)
  }
}
