import Foundation
import Glibc
import Storage
import Synchronization

/// The files behind in-memory realms: files in the temporary folder that lose their name as soon as they are
/// open, so that nothing remains of them when the last realm closes, or the process dies.
enum MemoryFiles {
  private struct WeakFile { weak var file: DatabaseFile? }
  private static let files = Mutex<(open: [String: WeakFile], count: Int)>(([:], 0))

  /// The path that stands for an identifier in messages, and that a realm in a file can not share with it.
  static func path(_ identifier: String) -> String {
    URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(identifier).path
  }

  /// The file of an identifier, empty unless it is open already.
  static func open(_ identifier: String) throws(StorageError) -> DatabaseFile {
    try files.withLock { files throws(StorageError) in
      if let file = files.open[identifier]?.file { return file }
      files.count += 1
      let path = NSTemporaryDirectory() + "/openrealm-\(getpid())-\(files.count)"
      // Left behind by a process of the same number, if it died in the middle of this.
      remove(path)
      let file = try DatabaseFile.open(path: path)
      remove(path)
      files.open[identifier] = WeakFile(file: file)
      return file
    }
  }

  /// Whether a realm with this path as its stand-in is open.
  static func isOpen(path: String) -> Bool {
    files.withLock { files in
      files.open.contains { $0.value.file != nil && Self.path($0.key) == path }
    }
  }

  private static func remove(_ path: String) {
    unlink(path)
    unlink(path + "-lock")
  }
}
