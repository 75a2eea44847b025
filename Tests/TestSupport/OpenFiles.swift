import Foundation

/// The same file has the same one, whatever its names are.
struct FileIdentity: Hashable {
  private let device: dev_t
  private let number: ino_t

  /// Of what is at a path itself, also of a link; nil when there is nothing.
  init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Nil when the descriptor is not open.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = status.st_dev
    number = status.st_ino
  }
}

/// The files that this process has open.
enum OpenFiles {
  /// All of them. Descriptors are asked one by one: their names in /proc take the system ten times as long, which was a
  /// twentieth of all tests.
  static func identities() -> Set<FileIdentity> {
    Set((0..<limit).lazy.compactMap { FileIdentity(descriptor: $0) })
  }

  /// No open descriptor is as large.
  private static var limit: Int32 {
    let name = "FDSize:"
    let lines = try! String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
    let size = lines.first { $0.hasPrefix(name) }!.dropFirst(name.count)
    return Int32(size.trimmingCharacters(in: .whitespaces))!
  }
}
