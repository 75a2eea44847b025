import CSystemCalls
import LibC
import Synchronization

/// How many forks have led to this process, which descriptors a child closes, and which maps of files it makes anew.
///
/// A map has the locks of the descriptor that it was made with, as long as it is there in any process.
enum Forks {
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

  private nonisolated(unsafe) static let mutex = {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_atfork({ Forks.lock() }, { Forks.unlock() }, { Forks.beginChild() })
    return mutex
  }()

  private static func lock() { pthread_mutex_lock(mutex) }
  private static func unlock() { pthread_mutex_unlock(mutex) }

  private static func locked(_ body: () -> Void) {
    lock()
    body()
    unlock()
  }

  static func add(_ descriptor: Int32) { locked { descriptors.append(descriptor) } }

  static func close(_ descriptor: Int32) {
    locked {
      descriptors.removeAll { $0 == descriptor }
      LibC.close(descriptor)
    }
  }

  static func add(_ map: Map) { locked { maps.append(map) } }

  static func removeMap(_ start: UnsafeMutableRawPointer) { locked { maps.removeAll { $0.start == start } } }

  private static func beginChild() {
    count.add(1, ordering: .relaxed)
    for map in maps { renew(map) }
    maps = []
    for descriptor in descriptors { LibC.close(descriptor) }
    descriptors = []
    pthread_mutex_init(mutex, nil)
  }

  /// Puts a map with a descriptor of the child's own in the place of one. Addresses stay what they are, for code that reads before it
  /// finds out that it is in a child.
  private static func renew(_ map: Map) {
    var name: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &name) { name in
      let start = name.baseAddress!.assumingMemoryBound(to: CChar.self)
      openrealm_descriptor_name(map.descriptor, start, UInt(name.count))
      let file = LibC.open(start, O_RDONLY | O_CLOEXEC)
      if file >= 0 {
        mmap(map.start, map.size, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0)
        LibC.close(file)
      } else {
        mmap(map.start, map.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0)
      }
    }
  }
}
