import LibC

/// Sources that can be read only once, such as pipes: each is kept in a temporary file without a name, so that it can be
/// read again from its beginning.
final class SpooledInput {
  private struct Spool {
    let path: String
    /// Identify the pipe, not the temporary file.
    let device: dev_t
    let inode: ino_t
    let descriptor: Int32
  }

  private var spools: [Spool] = []

  deinit { for spool in spools { close(spool.descriptor) } }

  /// Opens a source at its beginning.
  ///
  /// - Parameter path: `-` for the standard input.
  /// - Throws: `ToolError` when it cannot be read; `UsageError` when two sources are the same pipe.
  func file(_ path: String) throws -> InputFile {
    try keep(path)
    guard let spool = spools.first(where: { $0.path == path }) else { return try InputFile(path: path) }
    return try InputFile(descriptor: spool.descriptor, name: InputFile.name(path))
  }

  /// Reads a source to its end, if it can be read only once and was not read yet.
  func keep(_ path: String) throws {
    if spools.contains(where: { $0.path == path }) { return }
    var information = stat()
    // `InputFile` throws when there is no such file.
    guard (path == "-" ? fstat(STDIN_FILENO, &information) : stat(path, &information)) == 0 else { return }
    let isFile = [S_IFREG, S_IFDIR].contains(information.st_mode & S_IFMT)
    if isFile && path != "-" { return }
    if !isFile,
      let former = spools.first(where: {
        $0.device == information.st_dev && $0.inode == information.st_ino
      })
    {
      throw UsageError(
        "\(InputFile.name(former.path)) and \(InputFile.name(path)) are the same pipe, which can be read only once: give it once."
      )
    }
    let input = try InputFile(path: path)
    let spool = Spool(
      path: path, device: information.st_dev, inode: information.st_ino, descriptor: try temporaryFile(path))
    spools.append(spool)
    let stream = OutputStream(
      spool.descriptor,
      name: "a temporary file in '\(Self.folder)', which keeps what \(InputFile.name(path)) has")
    while let more = try input.read() { try stream.write(more) }
    try stream.flush()
  }

  private static var folder: String { Terminal.environment("TMPDIR") ?? "/tmp" }

  private func temporaryFile(_ path: String) throws -> Int32 {
    var template = Array("\(Self.folder)/realm-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw ToolError(
        "Failed to keep what \(InputFile.name(path)) has in a temporary file in '\(Self.folder)': \(String(cString: strerror(errno))). The variable TMPDIR names another folder."
      )
    }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }
}
