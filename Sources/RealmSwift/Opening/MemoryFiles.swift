import Foundation
import Storage
import Synchronization

/// The files behind in-memory realms, which have no name.
enum MemoryFiles {
  private struct WeakFile { weak var file: DatabaseFile? }
  private static let files = Mutex<[String: WeakFile]>([:])

  /// The path that stands for an identifier in messages, and that a realm in a file cannot share with it.
  static func path(_ identifier: String) -> String {
    URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(identifier).path
  }

  /// The file of an identifier, empty unless it is open already.
  static func open(_ identifier: String) throws(StorageError) -> DatabaseFile {
    try files.withLock { files throws(StorageError) in
      if let file = files[identifier]?.file, !file.isInherited { return file }
      let file = try DatabaseFile.openUnnamed(in: NSTemporaryDirectory())
      files[identifier] = WeakFile(file: file)
      return file
    }
  }

  /// Whether a realm with this path as its stand-in is open.
  static func isOpen(path: String) -> Bool {
    files.withLock { files in
      files.contains { !($0.value.file?.isInherited ?? true) && Self.path($0.key) == path }
    }
  }
}
