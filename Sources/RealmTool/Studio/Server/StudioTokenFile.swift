import LibC

/// The file of `--token-file`.
enum StudioTokenFile {
  /// Reads the token of a file that only its owner can read. Creates the file with a new token when it is not there.
  ///
  /// - Throws: `ToolError`.
  static func token(_ path: String) throws -> StudioToken {
    let descriptor = openBesidesStandard(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      defer { close(descriptor) }
      let token = StudioToken()
      let output = OutputStream(descriptor, name: "'\(path)'")
      try output.write(token.text + "\n")
      try output.flush()
      return token
    }
    guard errno == EEXIST else {
      throw ToolError("Failed to write to '\(path)': \(String(cString: strerror(errno)))")
    }
    var information = stat()
    if stat(path, &information) == 0, information.st_mode & 0o077 != 0 {
      throw ToolError("Other users can use the token in '\(path)': restrict it with chmod 600.")
    }
    let bytes = try InputFile(path: path).readAll()
    guard let token = StudioToken(String(decoding: bytes, as: UTF8.self).trimmingSpaces()) else {
      throw ToolError(
        "'\(path)' has no token: it needs at least \(StudioToken.minimumLength) letters, digits, - or _. If the file is not there, it is created."
      )
    }
    return token
  }
}
