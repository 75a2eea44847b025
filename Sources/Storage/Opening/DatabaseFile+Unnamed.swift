import LibC

extension DatabaseFile {
  /// Opens a new file that has no name, so that no other process can open it, and nothing remains of it when it is closed
  /// or the process dies.
  ///
  /// - Parameter folder: The folder of the file. The file is never visible there: until it is open it is in a private folder.
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

  /// Creates a folder with an unpredictable name, which only this user can enter.
  static func makePrivateFolder(_ prefix: String) throws(StorageError) -> String {
    var template = Array((prefix + "XXXXXX").utf8CString)
    guard let made = template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!) }) else {
      throw .system(errno, path: prefix)
    }
    return String(cString: made)
  }
}
