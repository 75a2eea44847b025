import LibC
import Synchronization

/// Notifies whenever any process closes a descriptor through which a file can be written. The kernel closes those of killed
/// processes.
///
/// One inotify instance and one thread serve all watched files of the process, as long as there are any.
final class CloseWatch: Sendable {
  private struct Watched: Sendable {
    /// -1 when no thread is running.
    var descriptor: Int32 = -1
    /// The generation of processes that the descriptor belongs to: a child of fork() has no thread, and its parent's descriptor.
    var generation = 0
    var nextNumber = 0
    /// By watch descriptor, of which every file has one, and number.
    var callbacks = NumberTable<NumberTable<@Sendable () -> Void>>()
  }

  private static let watched = Mutex(Watched())

  private let file: Int32
  private let number: Int
  private let generation = Fork.generation

  /// Watches the file at `path`, until the watch is released; nil when the system does not allow that. The callback
  /// must be quick, and may come once more just after the watch was released.
  init?(path: String, _ callback: @escaping @Sendable () -> Void) {
    let (file, number) = Self.watched.withLock { watched in
      let isNew = watched.descriptor < 0 || watched.generation != Fork.generation
      if isNew {
        if watched.descriptor >= 0 { close(watched.descriptor) }
        watched = Watched(
          descriptor: inotify_init1(Int32(IN_CLOEXEC)), generation: Fork.generation,
          nextNumber: watched.nextNumber)
      }
      let file = inotify_add_watch(watched.descriptor, path, UInt32(IN_CLOSE_WRITE))
      let descriptor = watched.descriptor
      if isNew, file < 0 || !Thread.start({ Self.run(descriptor) }) {
        if descriptor >= 0 { close(descriptor) }
        watched.descriptor = -1
        return (Int32(-1), 0)
      }
      watched.nextNumber += 1
      if file >= 0 { watched.callbacks[Int(file), default: NumberTable()][watched.nextNumber] = callback }
      return (file, watched.nextNumber)
    }
    self.file = file
    self.number = number
    if file < 0 { return nil }
  }

  deinit {
    if file < 0 || generation != Fork.generation { return }
    // The callback, and what it retains, is released outside the lock.
    let callback = Self.watched.withLock { watched in
      let callback = watched.callbacks[Int(file)]?.removeValue(for: number)
      if watched.callbacks[Int(file)]?.isEmpty == true {
        watched.callbacks[Int(file)] = nil
        // The kernel confirms that by an event, with which the thread ends if it was the last file.
        inotify_rm_watch(watched.descriptor, file)
      }
      return callback
    }
    withExtendedLifetime(callback) {}
  }

  private static func run(_ descriptor: Int32) {
    let size = 4096
    let buffer = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: MemoryLayout<inotify_event>.alignment)
    defer { buffer.deallocate() }
    while true {
      let count = read(descriptor, buffer, size)
      if count < 0 && errno != EINTR { return }
      let (callbacks, isDone) = watched.withLock { watched in
        var callbacks: [@Sendable () -> Void] = []
        var offset = 0
        while offset < count {
          let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
          offset += MemoryLayout<inotify_event>.size + Int(event.len)
          if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
            for found in watched.callbacks.values { callbacks += found.values }
          } else if event.mask & UInt32(IN_IGNORED) != 0 {
            watched.callbacks[Int(event.wd)] = nil
          } else if let found = watched.callbacks[Int(event.wd)] {
            callbacks += found.values
          }
        }
        if !watched.callbacks.isEmpty { return (callbacks, false) }
        close(descriptor)
        watched.descriptor = -1
        return (callbacks, true)
      }
      for callback in callbacks { callback() }
      if isDone { return }
    }
  }

  /// Whether a thread waits for the system to tell of any file.
  static var isRunning: Bool { watched.withLock { $0.descriptor >= 0 } }
}
