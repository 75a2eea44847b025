import LibC

/// The bytes of a file as they are after decryption, readable as long as this object lives.
///
/// Small files are copied, and so are encrypted ones; a large one is mapped. A mapped file that another process
/// truncates while it is read ends the process (SIGBUS), and one that another process writes to may change. A copy may be older
/// than the file: see `isUnchanged`.
final class FileContent {
  let bytes: UnsafeRawBufferPointer
  /// Nil for what is in memory only.
  private let source: OpenFile?
  /// Pages of an encrypted file that were never written.
  var emptyPages: Set<Int> = []

  /// Files up to here are copied.
  private static let copyLimit = 64 << 20

  /// - Precondition: `bytes` were mapped, and only this object unmaps them.
  init(mapped bytes: UnsafeRawBufferPointer, source: OpenFile?) {
    self.bytes = bytes
    self.source = source
  }

  deinit {
    if bytes.count > 0 { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress!), bytes.count) }
  }

  /// The bytes, to be changed in memory only.
  ///
  /// - Throws: `OfficialFileError` when the system does not allow it.
  func writable(path: String) throws(OfficialFileError) -> UnsafeMutableRawPointer {
    let address = UnsafeMutableRawPointer(mutating: bytes.baseAddress!)
    guard mprotect(address, bytes.count, PROT_READ | PROT_WRITE) == 0 else {
      throw OfficialFileError(path: path, reason: .unreadable(errno))
    }
    return address
  }

  /// Whether the file is as it was when it was opened.
  var isUnchanged: Bool { source?.isUnchanged ?? true }

  /// The content of a file that is not encrypted.
  static func plain(_ file: OpenFile) throws(OfficialFileError) -> FileContent {
    if file.size > copyLimit {
      guard let address = mmap(nil, file.size, PROT_READ, MAP_PRIVATE, file.descriptor, 0),
        address != MAP_FAILED
      else { throw file.error(.unreadable(errno)) }
      return FileContent(mapped: UnsafeRawBufferPointer(start: address, count: file.size), source: file)
    }
    let memory = try allocate(file.size, file)
    let content = FileContent(mapped: UnsafeRawBufferPointer(memory), source: file)
    try file.read(at: 0, into: memory)
    return content
  }

  /// Zeros.
  static func allocate(
    _ size: Int, _ file: OpenFile
  ) throws(OfficialFileError) -> UnsafeMutableRawBufferPointer {
    guard
      let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      address != MAP_FAILED
    else { throw file.error(.unreadable(errno)) }
    return UnsafeMutableRawBufferPointer(start: address, count: size)
  }
}
