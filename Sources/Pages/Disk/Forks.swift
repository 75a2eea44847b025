import CSystemCalls
import LibC
import Synchronization

/// The descriptors that a child of `fork` closes, the maps of files that it replaces, and the number of forks between the first process
/// and this one.
///
/// A map keeps the open file, and its locks, until the last process unmaps it. So nothing is opened or mapped while the process
/// forks: a child would keep what is not registered yet.
package enum Forks {
  private static let count = Atomic<Int>(0)

  @inline(__always)
  static var generation: Int { count.load(ordering: .relaxed) }

  // Guarded by the mutex, which is locked while the process forks.
  private nonisolated(unsafe) static var descriptors: [Int32] = []
  private nonisolated(unsafe) static var maps: [Map] = []

  /// The map of a file, for reading.
  struct Map {
    let start: UnsafeMutableRawPointer
    let size: Int
    let descriptor: Int32
  }

  /// Memory for the name of a descriptor.
  private nonisolated(unsafe) static let name = UnsafeMutablePointer<CChar>.allocate(capacity: nameSize)
  private static let nameSize = 32

  private nonisolated(unsafe) static let mutex = {
    _ = (name, nameSize)
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_atfork({ Forks.lock() }, { Forks.unlock() }, { Forks.beginChild() })
    return mutex
  }()

  /// Registers for forks. A type that registers afterwards is prepared first, so that its lock is acquired before the one here: it may
  /// open and map files while it holds it.
  package static func observe() { _ = mutex }

  private static func lock() { pthread_mutex_lock(mutex) }
  private static func unlock() { pthread_mutex_unlock(mutex) }

  private static func locked<Result>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }

  /// Opens a file. Returns a descriptor, none of the standard ones; negative, with `errno`, when that fails.
  static func open(_ path: String, _ flags: Int32) -> Int32 {
    locked {
      let descriptor = openBesidesStandard(path, flags)
      if descriptor >= 0 { descriptors.append(descriptor) }
      return descriptor
    }
  }

  static func add(_ descriptor: Int32) { locked { descriptors.append(descriptor) } }

  static func close(_ descriptor: Int32) {
    locked {
      descriptors.removeAll { $0 == descriptor }
      LibC.close(descriptor)
    }
  }

  /// Maps the beginning of a file, for reading. Returns nil, with `errno`, when that fails.
  static func map(_ descriptor: Int32, size: Int) -> UnsafeMutableRawPointer? {
    locked {
      guard let start = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
        return nil
      }
      maps.append(Map(start: start, size: size, descriptor: descriptor))
      return start
    }
  }

  /// Maps a part of a file, which a child does not have. Returns nil, with `errno`, when that fails.
  ///
  /// - Parameter place: The addresses that it takes; nil for any.
  package static func mapLeftOutOfChildren(
    _ descriptor: Int32, at place: UnsafeMutableRawPointer? = nil, _ size: Int, _ protection: Int32,
    offset: Int = 0
  ) -> UnsafeMutableRawPointer? {
    locked {
      let flags = place == nil ? MAP_SHARED : MAP_SHARED | MAP_FIXED
      guard let start = mmap(place, size, protection, flags, descriptor, off_t(offset)), start != MAP_FAILED
      else { return nil }
      madvise(start, size, MADV_DONTFORK)
      return start
    }
  }

  static func removeMap(_ start: UnsafeMutableRawPointer) { locked { maps.removeAll { $0.start == start } } }

  private static func beginChild() {
    count.add(1, ordering: .relaxed)
    // Nothing here asks Swift's runtime for a type, also where it is not optimised: another thread may have held its locks.
    var index = 0
    while index < maps.count {
      renew(maps[index])
      index += 1
    }
    index = 0
    while index < descriptors.count {
      LibC.close(descriptors[index])
      index += 1
    }
    (maps, descriptors) = ([], [])
    pthread_mutex_init(mutex, nil)
  }

  /// Puts a map with a descriptor of the child's own in the place of one. Addresses stay what they are, for code that reads before it
  /// finds out that it is in a child.
  private static func renew(_ map: Map) {
    openrealm_descriptor_name(map.descriptor, name, UInt(nameSize))
    let file = LibC.open(name, O_RDONLY | O_CLOEXEC)
    let isMapped =
      file >= 0 && mmap(map.start, map.size, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED
    if file >= 0 { LibC.close(file) }
    if !isMapped {
      mmap(map.start, map.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0)
    }
  }
}
