import Foundation
import TestSupport

/// A file system in memory with few pages, that only a process and its children see. Not all systems let a program make
/// one.
enum SmallDisk {
  static let isAvailable = run("/usr/bin/unshare", ["--user", "--map-root-user", "--mount", "/bin/true"])

  /// What runs a program with such a disk at a path.
  static func launcher(path: String, pages: Int) -> [String] {
    // One page more, which is in use: without any it would have no limit.
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    let script =
      "mount -t tmpfs -o size=\((pages + 1) * pageSize) none '\(path)'"
      + " && head -c \(pageSize) /dev/zero > '\(path)/other' && exec \"$0\" \"$@\""
    return ["/usr/bin/unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", script]
  }

  /// Gives the disk at a path more pages than are needed. For the program on it.
  static func enlarge(path: String) -> Bool {
    run("/bin/mount", ["-o", "remount,size=64m", path])
  }

  private static func run(_ program: String, _ arguments: [String]) -> Bool {
    (try? ChildProgram([program] + arguments, error: .nullDevice).wait()) == .exit(0)
  }
}
