import EarlierFiles
import LibC

/// The former file of a converted one, which is kept until the new one is opened once more.
enum FormerFile {
  static func path(_ location: FileLocation, format: UInt32) -> String {
    "\(location.resolved).v\(format)"
  }

  /// Deletes the former file, and what a process that was killed while it converted has left of it.
  ///
  /// - Parameter path: Of the new file, without symbolic links.
  static func remove(beside path: String) {
    let location = FileLocation(path: path)
    for format in UInt32(2)...6 {
      removeFile(self.path(location, format: format)) { EarlierFile.isEarlier(descriptor: $0) }
    }
    removeFile(location.journalPath) { EarlierFile.isJournal(descriptor: $0) }
  }

  /// Deletes a file if it is what it seems to be.
  private static func removeFile(_ path: String, _ isOne: (Int32) -> Bool) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0 { return }
    defer { close(descriptor) }
    if isOne(descriptor) { unlink(path) }
  }
}
