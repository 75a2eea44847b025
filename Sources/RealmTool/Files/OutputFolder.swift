import LibC
import Storage

/// A folder that is filled under a name of its own and gets its true one when it is whole.
final class OutputFolder {
  private let path: String
  private let place: String
  private let permissions: FilePermissions?
  private var descriptor: Int32 = -1
  private var isFinished = false

  /// - Parameter permissions: Those of the file that the content is of.
  /// - Throws: `ToolError` when something is there already, or nothing can be written.
  init(path: String, for permissions: FilePermissions?) throws {
    self.path = path
    self.permissions = permissions
    place = try UnfinishedPlace.prepare(for: path)
    guard mkdir(place, 0o700) == 0 else {
      let reason = String(cString: strerror(errno))
      throw ToolError(
        "Failed to create the folder '\(path)': \(reason)\(StorageError.missingFolderAdvice(path))")
    }
    UnfinishedOutput.add(place)
    descriptor = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    UnfinishedPlace.hold(descriptor)
    _ = permissions?.pass(toCopy: descriptor, isFolder: true)
  }

  deinit {
    if !isFinished { UnfinishedOutput.remove(place) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Writes a file.
  func write<Result>(_ name: String, _ body: (OutputStream) throws -> Result) throws -> Result {
    let descriptor = openBesidesStandard("\(place)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw error(name) }
    defer { close(descriptor) }
    _ = permissions?.pass(toCopy: descriptor)
    let stream = OutputStream(descriptor, name: "'\(path)/\(name)'")
    let result = try body(stream)
    try stream.flush()
    if fsync(descriptor) != 0 { throw error(name) }
    return result
  }

  private func error(_ name: String) -> ToolError {
    ToolError("Failed to write '\(path)/\(name)': \(String(cString: strerror(errno)))")
  }

  /// Gives the folder its name.
  func finish() throws {
    var information = stat()
    if lstat(path, &information) == 0 {
      throw ToolError(
        "'\(path)' was created by another process and was not changed: use another name, or delete it first."
      )
    }
    guard rename(place, path) == 0 else {
      throw ToolError("Failed to write '\(path)': \(String(cString: strerror(errno)))")
    }
    isFinished = true
    UnfinishedOutput.forget(place)
  }
}
