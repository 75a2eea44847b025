import LibC
import Synchronization

/// Keeps a child of fork() from touching the files of its parent, whose locks and readers it would end.
///
/// A child has the memory and the descriptors of its parent, but LMDB's environments only work in the process that
/// opened them. So what a process opens notes how many forks have led to it, which is another number in the child.
/// Tables, which are read without a look at that, lose their thread in the child, so that each access looks closer.
package enum Fork {
  private static let count = Atomic<Int>(0)

  /// Another one in a child than in its parent.
  @inline(__always)
  package static var generation: Int { count.load(ordering: .relaxed) }

  // Guarded by the mutex, which the child has as well: no thread changes them while the process forks.
  private nonisolated(unsafe) static var firstTable: UnsafeMutablePointer<TableState>?
  private nonisolated(unsafe) static var descriptors: [Int32] = []

  private nonisolated(unsafe) static let mutex = {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_atfork({ Fork.prepare() }, { Fork.finishInParent() }, { Fork.finishInChild() })
    return mutex
  }()

  private static func withMutex(_ body: () -> Void) {
    pthread_mutex_lock(mutex)
    body()
    pthread_mutex_unlock(mutex)
  }

  /// For a table that was allocated.
  static func add(_ table: UnsafeMutablePointer<TableState>) {
    withMutex {
      table.pointee.nextTable = firstTable
      firstTable?.pointee.previousTable = table
      firstTable = table
    }
  }

  /// For a table that is to be freed.
  static func remove(_ table: UnsafeMutablePointer<TableState>) {
    withMutex {
      let (previous, next) = (table.pointee.previousTable, table.pointee.nextTable)
      if let previous { previous.pointee.nextTable = next } else { firstTable = next }
      next?.pointee.previousTable = previous
    }
  }

  /// For a descriptor whose locks must not outlive the process in a child.
  static func add(descriptor: Int32) { withMutex { descriptors.append(descriptor) } }

  /// Closes such a descriptor, unless the child never had it.
  static func close(descriptor: Int32, generation: Int) {
    withMutex {
      guard generation == Self.generation else { return }
      if let place = descriptors.firstIndex(of: descriptor) { descriptors.remove(at: place) }
      LibC.close(descriptor)
    }
  }

  // MARK: The forking thread

  private static func prepare() {
    FileRegistry.shared.lockBeforeFork()
    pthread_mutex_lock(mutex)
  }

  private static func finishInParent() {
    pthread_mutex_unlock(mutex)
    FileRegistry.shared.unlockAfterFork()
  }

  private static func finishInChild() {
    count.add(1, ordering: .relaxed)
    var table = firstTable
    while let known = table {
      known.pointee.thread = 0
      table = known.pointee.nextTable
    }
    for descriptor in descriptors { LibC.close(descriptor) }
    descriptors = []
    FileRegistry.shared.forgetInChild()
    pthread_mutex_init(mutex, nil)
  }
}
