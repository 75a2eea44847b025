import LibC

/// Where a file or a folder is written that is to get its true name when it is whole: beside it, with the number of the
/// process. The process that writes it holds a lock on it, which the kernel takes from the dead.
enum UnfinishedPlace {
  private static let infix = ".unfinished-"

  /// Makes sure that nothing is at the path, removes what the dead have left beside it, and names the place.
  ///
  /// - Throws: `ToolError` when something is there already.
  static func prepare(for path: String) throws -> String {
    var information = stat()
    if lstat(path, &information) == 0 {
      throw ToolError("'\(path)' exists already: use another name, or delete it first.")
    }
    removeLeftovers(beside: path)
    let place = "\(path)\(infix)\(getpid())"
    if lstat(place, &information) != 0 { return place }
    // A process of the same number in another container has that; no process has a number like this.
    return "\(path)\(infix)\(pid_t.random(in: 1 << 22 + 1...1 << 30))"
  }

  /// Marks it as this process's own until the descriptor is closed.
  static func hold(_ descriptor: Int32) { _ = flock(descriptor, LOCK_EX | LOCK_NB) }

  private static func removeLeftovers(beside path: String) {
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = String(path[..<end])
    let prefix = path[end...] + infix
    for name in FolderContent.names(folder.isEmpty ? "." : folder) where name.hasPrefix(prefix) {
      guard let process = pid_t(name.dropFirst(prefix.count)), process > 0,
        process == getpid() || kill(process, 0) != 0 && errno == ESRCH
      else { continue }
      let place = folder + name
      // A process of another machine or container holds its lock, perhaps one with the number of this process.
      let descriptor = open(place, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var information = stat()
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &information) == 0,
        information.st_uid == geteuid()
      else { continue }
      UnfinishedOutput.remove(place)
    }
  }
}

/// What is in a folder.
enum FolderContent {
  /// Returns the names in a folder; none when it cannot be read.
  static func names(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      // The entry ends with its name: all of `d_name` must not be copied.
      let start = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
      let name = String(cString: start.assumingMemoryBound(to: CChar.self))
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
