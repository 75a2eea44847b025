import LibC

/// A file that is open for reading.
final class OpenFile {
  let path: String
  let descriptor: Int32
  let size: Int
  /// The first bytes, as many as change with each commit: the header, or of an encrypted file the pages that hold it.
  private var head: [UInt8] = []

  private static let headSize = 8_192

  init(_ path: String) throws(OfficialFileError) {
    self.path = path
    // What is no file must not keep us waiting.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var information = stat()
    guard descriptor >= 0, fstat(descriptor, &information) == 0 else {
      size = 0
      throw OfficialFileError(path: path, reason: .unreadable(errno))
    }
    size = Int(information.st_size)
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw error(.unreadable(information.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL))
    }
    head = try readHead()
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func error(_ reason: OfficialFileError.Reason) -> OfficialFileError {
    OfficialFileError(path: path, reason: reason)
  }

  /// Whether it has the size and the top array that it had when it was opened.
  var isUnchanged: Bool {
    var information = stat()
    guard fstat(descriptor, &information) == 0, Int(information.st_size) == size else { return false }
    return (try? readHead()) == head
  }

  var hasMark: Bool { FileHeader.hasMark(head) }

  /// Fills the buffer, or throws that the file has become shorter.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(OfficialFileError) {
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress! + done, min(buffer.count - done, 1 << 30), offset + done)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw error(.unreadable(errno)) }
      if count == 0 { throw error(.inUse) }
      done += count
    }
  }

  private func readHead() throws(OfficialFileError) -> [UInt8] {
    // Nothing changes in the first page of a plain file but the header, and nothing at all without it.
    var bytes = [UInt8](repeating: 0, count: min(size, Self.headSize))
    var failure: OfficialFileError?
    bytes.withUnsafeMutableBytes { buffer in
      do throws(OfficialFileError) { try read(at: 0, into: buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    if FileHeader.hasMark(bytes) { return Array(bytes.prefix(FileHeader.size)) }
    return bytes
  }
}
