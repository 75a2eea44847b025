import LibC

extension DatabaseFile {
  /// Opens a new file that has no name, so that nobody else can open it and nothing remains of it when it is closed,
  /// or the process dies.
  ///
  /// - Parameter folder: What the file is made in. It is never seen there: it has a folder of its own, which nobody
  ///   else may enter, until it is open.
  package static func openUnnamed(in folder: String) throws(StorageError) -> DatabaseFile {
    let own = try makePrivateFolder(folder + "/openrealm-")
    let path = own + "/memory.realm"
    defer {
      unlink(path)
      unlink(path + "-lock")
      rmdir(own)
    }
    return try open(FileLocation(path: path), readOnly: false, isNamed: false)
  }

  /// Makes a folder of a name that nobody can foresee, for this user alone.
  private static func makePrivateFolder(_ prefix: String) throws(StorageError) -> String {
    var template = Array((prefix + "XXXXXX").utf8CString)
    guard let made = template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!) }) else {
      throw .system(errno, path: prefix)
    }
    return String(cString: made)
  }
}
