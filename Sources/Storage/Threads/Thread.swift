import LibC

/// A detached thread.
package enum Thread {
  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Stack size of a thread that calls no library, in bytes.
  private static let smallStack = 256 << 10

  /// Runs work on a new thread. Returns false when the system has no more threads.
  static func start(_ work: @escaping @Sendable () -> Void) -> Bool { start(stackSize: smallStack, work) }

  /// Runs work on a new thread with a stack of the given size, in bytes. Returns false when the system has no more threads.
  package static func start(stackSize: Int, _ work: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Work(work))
    let code = pthread_create(
      &thread, &attributes,
      { context in
        Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    if code != 0 { context.release() }
    return code == 0
  }
}
