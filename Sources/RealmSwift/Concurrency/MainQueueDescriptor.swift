import CSwiftRuntime
import LibC
import Synchronization

/// The descriptor with which Dispatch wakes the main queue.
///
/// Dispatch makes it when the main queue is first used, on whichever thread that is, and ends the program when the process
/// has no descriptor left. So it is made while opening a realm can still throw.
enum MainQueueDescriptor {
  private static let isMade = Atomic(false)

  /// Makes the descriptor, unless it is there already.
  ///
  /// - Parameter path: The file that is being opened, for the message.
  /// - Throws: `fileAccess` when no descriptor is left.
  static func make(path: String) throws(Realm.Error) {
    if isMade.load(ordering: .relaxed) { return }
    let probe = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if probe < 0, errno == EMFILE || errno == ENFILE {
      let reason = "\(String(cString: strerror(errno))) (\(errno == EMFILE ? "EMFILE" : "ENFILE"))"
      throw Realm.Error(
        .fileAccess,
        """
        Failed to open Realm file at path '\(path)': \(reason). Close files, or raise the limit of open files \
        ('ulimit -n').
        """, path: path)
    }
    if probe >= 0 { close(probe) }
    if hasMainQueueDescriptor() { _ = mainQueueDescriptor() }
    isMade.store(true, ordering: .relaxed)
  }
}
