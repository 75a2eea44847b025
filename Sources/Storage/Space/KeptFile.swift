import LibC

/// A file that is to be replaced, and is kept under another name: a second name of the same file, or a copy where the file system has
/// no second names.
///
/// A copy takes more space, but leaves the file at its place until something else has that. If two files
/// changed their names one after the other, there would be none at the path in between, and an opener would create a new one.
struct KeptFile {
  private let place: String
  private let former: String

  /// - Parameters:
  ///   - place: Where the file lies, without symbolic links.
  ///   - former: The other name.
  init(_ place: String, as former: String) {
    self.place = place
    self.former = former
  }

  /// - Throws: `alreadyExists` when something else has the other name.
  func checkIsPossible() throws(StorageError) {
    var information = stat()
    if lstat(former, &information) != 0 || FileIdentity(information) == FileIdentity(path: place) { return }
    if information.st_mode & S_IFMT == S_IFREG, try isCopy() { return }
    throw StorageError(
      .alreadyExists, path: former,
      message:
        "Failed to keep the file '\(place)' as '\(former)', where something else is: move or delete that first."
    )
  }

  /// Gives the file its other name, too. Returns false when it has that already.
  ///
  /// - Parameter folder: Where a copy is made, if there has to be one.
  func keep(by folder: WorkFolder) throws(StorageError) -> Bool {
    if link(place, former) == 0 { return true }
    let code = errno
    try checkIsPossible()
    if FileIdentity(path: former) != nil { return false }
    guard FileLocation.isUnsupported(code) else { throw .writing(code, path: former) }
    return try keepCopy(by: folder)
  }

  /// Keeps a copy of the file. Returns false when there is one already.
  ///
  /// - Parameter folder: Where the copy is made.
  func keepCopy(by folder: WorkFolder) throws(StorageError) -> Bool {
    try copy(to: folder.keptFile)
    if try FileLocation.move(folder.keptFile, unlessThere: former) { return true }
    try checkIsPossible()
    return false
  }

  /// - Throws: `access` if another process writes to the file meanwhile.
  private func copy(to path: String) throws(StorageError) {
    let source = try open(place)
    defer { close(source) }
    let copy = openBesidesStandard(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard copy >= 0 else { throw .writing(errno, path: former) }
    defer { close(copy) }
    var (before, after) = (stat(), stat())
    guard fstat(source, &before) == 0, let permissions = FilePermissions(descriptor: source) else {
      throw .system(errno, path: place)
    }
    try forEachPart(source) { (part, _) throws(StorageError) in
      var rest = part
      while !rest.isEmpty {
        let count = write(copy, rest.baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { throw .writing(count < 0 ? errno : ENOSPC, path: former) }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return true
    }
    guard permissions.restore(on: copy), fsync(copy) == 0 else { throw .writing(errno, path: former) }
    guard fstat(source, &after) == 0 else { throw .system(errno, path: place) }
    if after.st_size != before.st_size || after.st_mtim.tv_sec != before.st_mtim.tv_sec
      || after.st_mtim.tv_nsec != before.st_mtim.tv_nsec
    {
      throw StorageError(
        .access, path: place,
        message:
          "Failed to keep the file '\(place)' as '\(former)': another process has written to it meanwhile.")
    }
  }

  /// Whether both names are of files with the same content.
  private func isCopy() throws(StorageError) -> Bool {
    let (first, second) = (try open(place), try open(former))
    defer {
      close(first)
      close(second)
    }
    var (information, other) = (stat(), stat())
    guard fstat(first, &information) == 0, fstat(second, &other) == 0,
      information.st_size == other.st_size
    else { return false }
    return try forEachPart(first) { (part, offset) throws(StorageError) in
      try withUnsafeTemporaryAllocation(byteCount: part.count, alignment: 16) {
        (copy) throws(StorageError) in
        let count = try read(second, copy, at: offset, former)
        return count == part.count && memcmp(part.baseAddress!, copy.baseAddress!, count) == 0
      }
    }
  }

  private func open(_ path: String) throws(StorageError) -> Int32 {
    let descriptor = LibC.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0 { throw .system(errno, path: path) }
    return descriptor
  }

  private static let partSize = 1 << 18

  /// Reads a file from its beginning, until the body returns false. Returns whether that never was so.
  @discardableResult
  private func forEachPart(
    _ descriptor: Int32, _ body: (UnsafeRawBufferPointer, _ offset: Int) throws(StorageError) -> Bool
  ) throws(StorageError) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.partSize, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
      let count = try read(descriptor, buffer, at: offset, place)
      if count == 0 { return true }
      if try !body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), offset) { return false }
      offset += count
    }
  }

  /// Fills the buffer, unless the file ends before. Returns how many bytes there were.
  private func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int, _ path: String
  ) throws(StorageError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress! + filled, buffer.count - filled, off_t(offset + filled))
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw .system(errno, path: path) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }
}
