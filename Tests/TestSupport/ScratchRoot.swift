import Foundation
import LibC

/// The folder in which all scratch folders of a process are.
///
/// It goes when the process exits. A process that was stopped, as those of exit tests are, leaves its own to the next
/// one that exits, which is its parent. That a process lives is said by a lock on its folder, which ends with it.
enum ScratchRoot {
  static let url: URL = {
    removesAtExit
    while true {
      let url = parent.appending(path: prefix + UUID().uuidString)
      try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      // Kept by the forks of this process too, and not by other programs.
      let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else { continue }
      // Somebody may have taken it for one that was left.
      if access(url.path, F_OK) == 0 {
        own = url.lastPathComponent
        return url
      }
      close(descriptor)
    }
  }()

  /// When the process exits, its own folder is removed, and those of processes that are no more.
  static let removesAtExit: Void = {
    owner = getpid()
    atexit {
      // Forks of the process share its folder, and may exit too.
      if getpid() == owner { ScratchRoot.removeAll() }
    }
  }()

  private static let prefix = "openrealm-tests-"
  private static let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
  nonisolated(unsafe) private static var owner: pid_t = 0
  nonisolated(unsafe) private static var own: String?

  private static func removeAll() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = parent.appending(path: name).path
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if name == own || flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        try? FileManager.default.removeItem(atPath: path)
      }
      close(descriptor)
    }
  }
}
