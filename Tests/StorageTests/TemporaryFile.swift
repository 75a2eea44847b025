import Foundation
import TestSupport

@testable import Storage

enum TemporaryFile {
  /// The path of a file that goes with the process, if it is not deleted before.
  static func path() -> String { ScratchFolder.lastingPath() }

  static func delete(_ path: String) {
    for suffix in ["", "-lock", "-journal"] { unlink(path + suffix) }
  }
}

extension Snapshot {
  /// The number of entries of a tree in the version that is read.
  func entryCount(_ tree: EntryTree) throws -> Int {
    try lease.transaction.entryCount(tree)
  }
}
