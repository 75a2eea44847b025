import Foundation

/// The file at a path, to notice when it is deleted or replaced.
struct FilePlace {
  private let path: String
  private let first: (dev_t, ino_t)?

  init(_ path: String) {
    self.path = path
    first = Self.identity(path)
  }

  private static func identity(_ path: String) -> (dev_t, ino_t)? {
    var information = stat()
    return stat(path, &information) == 0 ? (information.st_dev, information.st_ino) : nil
  }

  /// Returns what happened to the file; nil when it is still the same.
  ///
  /// - Parameter advice: What to do when another file has replaced it.
  func change(advice: String) -> String? {
    guard let present = Self.identity(path) else { return "'\(path)' was deleted or moved." }
    guard let first, first == present else {
      return "'\(path)' was replaced by another file: \(advice)"
    }
    return nil
  }
}
