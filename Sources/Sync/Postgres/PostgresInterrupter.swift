internal import CPostgres
import LibC

/// Interrupts the waiting of a connection from another thread.
///
/// One interrupter can serve several connections one after the other. It stays usable when its connection is gone.
package final class PostgresInterrupter: Sendable {
  /// The eventfd that `wake` makes readable.
  let wakeDescriptor = openrealm_event_descriptor()
  /// The eventfd that `stop` makes readable for ever.
  let stopDescriptor = openrealm_event_descriptor()

  package init() {}

  deinit {
    close(wakeDescriptor)
    close(stopDescriptor)
  }

  /// Lets the present or the next call of `waitForNotifications` return `.interrupted`. Other calls go on.
  package func wake() { Self.signal(wakeDescriptor) }

  /// Lets every waiting call of its connections throw, now and from now on: for closing without the server's help.
  package func stop() { Self.signal(stopDescriptor) }

  /// Takes a waiting interruption. Returns whether there was one.
  func take() -> Bool {
    var count: UInt64 = 0
    return read(wakeDescriptor, &count, 8) == 8
  }

  /// Waits until another thread wakes or stops this one, or the deadline comes.
  func wait(until deadline: Deadline) {
    var polled = [wakeDescriptor, stopDescriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&polled, 2, deadline.pollTimeout)
    _ = take()
  }

  private static func signal(_ descriptor: Int32) {
    var count: UInt64 = 1
    _ = write(descriptor, &count, 8)
  }
}
