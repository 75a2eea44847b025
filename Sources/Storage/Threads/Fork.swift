import LibC
import Synchronization

/// Keeps a child of fork() from touching the files of its parent, whose locks and readers it would end.
///
/// A child has the memory of its parent, but an open file of pages only works in the process that
/// opened it, and its descriptors are closed in the child (`OwnedDescriptor`). So what a process opens notes how many forks have led to it, which is another number in the child.
/// Memory that is read without a look at that loses its thread in the child, so that each access looks closer.
package enum Fork {
  private static let count = Atomic<Int>(0)

  /// Another one in a child than in its parent.
  @inline(__always)
  package static var generation: Int { count.load(ordering: .relaxed) }

  // Guarded by the mutex, which the child has as well: no thread changes them while the process forks.
  private nonisolated(unsafe) static var firstMemory: UnsafeMutableRawPointer?

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

  /// Registers for forks. A type that registers afterwards is prepared first, so that its lock is acquired before the one here.
  static func observe() { _ = mutex }

  /// The neighbours in the list of all confined memory, in front of the word of its thread.
  private struct Links {
    var next: UnsafeMutableRawPointer?
    var previous: UnsafeMutableRawPointer?
  }

  private static func links(_ memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Links> {
    (memory - MemoryLayout<UInt>.size - MemoryLayout<Links>.size).assumingMemoryBound(to: Links.self)
  }

  /// Adds memory that `ConfinedMemory` has allocated.
  static func add(_ memory: UnsafeMutableRawPointer) {
    withMutex {
      links(memory).initialize(to: Links(next: firstMemory, previous: nil))
      if let firstMemory { links(firstMemory).pointee.previous = memory }
      firstMemory = memory
    }
  }

  /// Removes memory that is to be freed.
  static func remove(_ memory: UnsafeMutableRawPointer) {
    withMutex {
      let own = links(memory).pointee
      if let previous = own.previous {
        links(previous).pointee.next = own.next
      } else {
        firstMemory = own.next
      }
      if let next = own.next { links(next).pointee.previous = own.previous }
    }
  }

  // MARK: The forking thread

  private static func prepare() {
    pthread_mutex_lock(mutex)
  }

  private static func finishInParent() {
    pthread_mutex_unlock(mutex)
  }

  private static func finishInChild() {
    count.add(1, ordering: .relaxed)
    var memory = firstMemory
    while let known = memory {
      ConfinedMemory.setThread(0, of: known)
      memory = links(known).pointee.next
    }
    pthread_mutex_init(mutex, nil)
  }
}
