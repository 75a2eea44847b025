import Foundation
import Synchronization

@testable import RealmSwift

/// The folders with the realm files of tests that are over.
enum ScratchFolders {
  private static let kept = Mutex<[URL]>([])
  private static let removesAtExit: Void = {
    atexit {
      ScratchFolders.kept.withLock { for folder in $0 { try? FileManager.default.removeItem(at: folder) } }
    }
  }()

  /// Removes a folder; at the end of the program when a realm in it is still open, which must not lose its file.
  static func remove(_ folder: URL) {
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    if files.contains(where: { RealmFiles.isOpen(Realm.Configuration(fileURL: $0)) }) {
      _ = removesAtExit
      kept.withLock { $0.append(folder) }
    } else {
      try? FileManager.default.removeItem(at: folder)
    }
  }
}
