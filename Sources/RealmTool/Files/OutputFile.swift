import LibC
import Storage

/// A file that is written under a name of its own and gets its true one when it is whole.
final class OutputFile {
  let path: String
  /// Where it is written.
  let place: String
  let stream: OutputStream
  private var descriptor: Int32

  /// - Parameter permissions: Those of the file that it is made of.
  /// - Throws: `ToolError` when something is there already, or nothing can be written.
  init(path: String, for permissions: FilePermissions?) throws {
    self.path = path
    place = try UnfinishedPlace.prepare(for: path)
    descriptor = openBesidesStandard(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw ToolError("Failed to write '\(path)': \(reason)\(StorageError.missingFolderAdvice(path))")
    }
    UnfinishedOutput.add(place)
    UnfinishedPlace.hold(descriptor)
    _ = permissions?.pass(toCopy: descriptor)
    stream = OutputStream(descriptor, name: "'\(path)'")
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
      UnfinishedOutput.remove(place)
    }
  }

  /// Gives the file its name, once the disk has its content.
  func finish() throws {
    try stream.flush()
    if fsync(descriptor) != 0 {
      throw ToolError("Failed to write '\(path)': \(String(cString: strerror(errno)))")
    }
    close(descriptor)
    descriptor = -1
    try UnfinishedOutput.name(place, path)
  }
}
