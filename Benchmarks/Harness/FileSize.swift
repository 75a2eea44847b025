import Foundation

struct FileSize {
  /// The length, and with it the end of the last byte.
  var length: Int
  /// What the file takes of the disk: less than its length when it has holes.
  var allocated: Int

  init(path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw SystemError("stat", path: path) }
    length = Int(status.st_size)
    allocated = Int(status.st_blocks) * 512
  }
}
