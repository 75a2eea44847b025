import Glibc

/// A folder that is filled under a name of its own and gets its true one when it is whole.
final class OutputFolder {
  private let path: String
  private let place: String
  private var isFinished = false

  /// - Throws: `ToolError` when something is there already, or nothing can be written.
  init(path: String) throws {
    self.path = path
    var information = stat()
    if lstat(path, &information) == 0 {
      throw ToolError("'\(path)' is there already: give another name, or remove it first.")
    }
    place = "\(path).unfinished-\(getpid())"
    guard mkdir(place, 0o777) == 0 else {
      throw ToolError("Failed to make the folder '\(path)': \(String(cString: strerror(errno)))")
    }
    UnfinishedOutput.add(place)
  }

  deinit {
    if !isFinished { UnfinishedOutput.remove(place) }
  }

  /// Writes a file.
  func write<Result>(_ name: String, _ body: (OutputStream) throws -> Result) throws -> Result {
    let descriptor = open("\(place)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw error(name) }
    defer { close(descriptor) }
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
    guard lstat(path, &information) != 0, rename(place, path) == 0 else {
      throw ToolError("Failed to write '\(path)': \(String(cString: strerror(errno == 0 ? EEXIST : errno)))")
    }
    isFinished = true
    UnfinishedOutput.forget(place)
  }
}
