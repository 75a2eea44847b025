import LibC

/// Where a file lies, however it was named.
///
/// What belongs to a file is found beside it by its name, so that all who use it have to mean the same name: the one
/// without symbolic links.
package struct FileLocation: Sendable {
  /// As the program named it, for messages.
  let path: String
  /// The path without symbolic links.
  package let resolved: String

  /// A file that does not exist yet lies where it will be made: a link to nothing leads to where it points.
  ///
  /// - Parameter name: The path that messages name, when it is another one.
  package init(path: String, name: String? = nil) {
    self.path = name ?? path
    resolved = Self.resolve(path, depth: 0)
  }

  /// A file in a folder that this process holds, by a path that is to be used as it is.
  init(held path: String, name: String) { (resolved, self.path) = (path, name) }

  var lockPath: String { resolved + "-lock" }
  /// Of a file of an earlier format.
  var journalPath: String { resolved + "-journal" }

  /// The folder of what is at a path.
  static func folder(of path: String) -> String { split(path).folder }

  /// Opens a new file without a name in the folder of a path, which only this user may read and write. Returns -1, with `errno`, when
  /// the file system has none.
  static func openUnnamed(beside path: String) -> Int32 {
    // `O_TMPFILE`, which Swift does not import.
    openBesidesStandard(folder(of: path), 0o20000000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
  }

  /// Brings to the disk which names the files in the folder of a path have. Returns whether that can be done there.
  ///
  /// - Parameter name: The path that errors name, when it is another one.
  @discardableResult
  static func synchroniseFolder(of path: String, name: String? = nil) throws(StorageError) -> Bool {
    let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 {
      // Names can be given in a folder that cannot be read.
      if errno == EACCES || errno == EPERM { return false }
      throw .writing(errno, path: name ?? path)
    }
    defer { close(descriptor) }
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      // Some file systems do not do that with folders.
      if errno == EINVAL || errno == ENOTSUP { return false }
      throw .writing(errno, path: name ?? path)
    }
    return true
  }

  /// As many links as the system itself follows.
  private static let deepest = 40

  private static func resolve(_ path: String, depth: Int) -> String {
    if let real = realPath(path) { return real }
    // What cannot be resolved for another reason cannot be opened either.
    guard errno == ENOENT, depth < deepest else { return path }
    let (folder, name) = split(path)
    if let target = linkTarget(path) {
      return resolve(target.hasPrefix("/") ? target : folder + "/" + target, depth: depth + 1)
    }
    guard !name.isEmpty, let real = realPath(folder) else { return path }
    return real == "/" ? real + name : real + "/" + name
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = String(path[..<slash])
    return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
  }

  private static func linkTarget(_ path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      let count = readlink(path, buffer.baseAddress!, buffer.count)
      return count <= 0
        ? nil : String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
