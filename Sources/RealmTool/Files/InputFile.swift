import LibC

/// A file, or the standard input, that is read from its beginning to its end.
final class InputFile {
  /// As messages name it.
  let name: String
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)
  /// The bytes that were read.
  private(set) var position = 0
  /// The bytes of the file; 0 when that is not known.
  let size: Int

  /// - Parameter path: `-` for the standard input.
  /// - Throws: `ToolError` when it cannot be opened.
  init(path: String) throws {
    name = Self.name(path)
    descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.error(name) }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else {
      close(descriptor)
      throw Self.error(name)
    }
    if information.st_mode & S_IFMT == S_IFDIR {
      close(descriptor)
      throw ToolError("Failed to read '\(name)': it is a folder.")
    }
    size = information.st_mode & S_IFMT == S_IFREG ? Int(information.st_size) : 0
  }

  /// An open file from its beginning.
  init(descriptor: Int32, name: String) throws {
    self.name = name
    self.descriptor = dup(descriptor)
    var information = stat()
    guard self.descriptor >= 0, lseek(self.descriptor, 0, SEEK_SET) == 0,
      fstat(self.descriptor, &information) == 0
    else { throw Self.error(name) }
    size = Int(information.st_size)
  }

  deinit { close(descriptor) }

  /// The name that messages have for a path.
  static func name(_ path: String) -> String { path == "-" ? "the standard input" : path }

  private static func error(_ name: String) -> ToolError {
    ToolError("Failed to read '\(name)': \(String(cString: strerror(errno)))")
  }

  /// Continues reading at an offset from the beginning, in bytes.
  func skip(to offset: Int) throws {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw Self.error(name) }
    position = offset
  }

  /// More bytes; nil at the end.
  func read() throws -> [UInt8]? {
    while true {
      let count = buffer.withUnsafeMutableBytes { LibC.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Self.error(name) }
      position += count
      return count == 0 ? nil : Array(buffer[..<count])
    }
  }

  /// All that is left.
  func readAll() throws -> [UInt8] {
    var all: [UInt8] = []
    while let more = try read() { all += more }
    return all
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func isFolder(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
  }
}
