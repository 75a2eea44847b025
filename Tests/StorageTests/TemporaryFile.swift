import CLMDB
import Foundation

@testable import Storage

enum TemporaryFile {
  static func path() -> String { NSTemporaryDirectory() + "openrealm-\(UUID().uuidString).realm" }

  static func delete(_ path: String) {
    for suffix in ["", "-lock"] { unlink(path + suffix) }
  }
}

extension Snapshot {
  /// The number of entries of a database in the version that is read.
  func entryCount(_ database: MDB_dbi) throws -> Int {
    try lease.transaction.entryCount(database)
  }
}
