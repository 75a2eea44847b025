import LibC

/// A file of LMDB as it lies on the disk, read without LMDB, which trusts what it reads.
///
/// Invariant: `base` has `pageCount` whole pages until the object is gone. No process may truncate the file meanwhile.
final class FileMap {
  let path: String
  let base: UnsafeRawPointer
  let pageSize = LMDBPage.size
  let pageCount: Int
  /// The meta page of the version that is read.
  let meta: MetaPage
  /// What is wrong with the other meta page of a file that cannot be opened.
  let metaFault: String?
  /// Whether the newest commits are in a journal, which is not verified.
  let lacksJournal: Bool
  /// Counts what is read of all trees.
  var progress = WorkProgress.Counter()

  /// Pins the version; nil for a file that cannot be opened.
  private let lease: VersionLease?

  /// Maps the newest version of a file, which no process overwrites until the map is gone.
  ///
  /// - Parameters:
  ///   - path: For messages, and where the file is when it cannot be opened.
  ///   - file: Nil when it is so damaged that it cannot be opened, or lacks its journal.
  ///   - encryptionKey: Values are read as they are stored, without it.
  /// - Throws: As opening it; `other` when it is written to too often.
  static func newest(
    path: String, _ file: DatabaseFile?, encryptionKey: [UInt8]?
  ) throws(StorageError) -> FileMap {
    // As long as a version is in use, no writer overwrites its pages; but its meta page when there are two newer ones.
    for _ in 0..<attempts {
      let lease = try file.map { (file) throws(StorageError) in try VersionLease(file: file) }
      if let map = try FileMap(path: path, lease) { return map }
    }
    throw StorageError(
      .other, path: path, message: "The Realm file at path '\(path)' is written to too often to be verified.")
  }

  private static let attempts = 1_000

  /// Nil when the version's meta page has been written over.
  ///
  /// - Parameter lease: Pins the version to be read; nil for the newest one with a sound meta page.
  /// - Throws: `notFound` and the like; `invalidDatabase` when it is no such file, or both meta pages are damaged.
  init?(path: String, _ lease: VersionLease? = nil) throws(StorageError) {
    self.lease = lease
    let version = lease?.version
    let descriptor = try Self.open(path, lease?.file)
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(errno, path: path) }
    guard information.st_mode & S_IFMT == S_IFREG else { throw .invalid(path: path, "not a regular file") }
    let size = Int(information.st_size)
    guard size >= 2 * LMDBPage.size else {
      throw .invalid(path: path, "file is non-empty but too small (\(size) bytes) to be a valid Realm.")
    }
    let metas: [MetaPage]
    do throws(EntryError) {
      metas = [
        try MetaPage(descriptor: descriptor, number: 0), try MetaPage(descriptor: descriptor, number: 1),
      ]
    } catch {
      throw .system(error.code, path: path)
    }
    guard metas.contains(where: \.isLMDB) else { throw .invalid(path: path, "not a Realm file.") }
    let sound = metas.filter { $0.isLMDB && $0.fault == nil && (version == nil || $0.version == version) }
    guard let meta = sound.max(by: { $0.version < $1.version }) else {
      if version != nil, metas.allSatisfy({ $0.isLMDB && $0.fault == nil }) { return nil }
      throw .damaged(path: path, metas.compactMap(\.fault).first ?? "its meta pages")
    }
    let map = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0)
    guard let map, map != MAP_FAILED else { throw .system(errno, path: path) }
    madvise(map, size, MADV_SEQUENTIAL)
    self.path = path
    self.meta = meta
    let record = RecoveryRecord(UnsafeRawPointer(map), pageSize: LMDBPage.size)
    lacksJournal = version == nil && record?.journal != nil
    metaFault =
      version == nil
      ? (0..<2).lazy.compactMap { metas[$0].isLMDB ? metas[$0].fault : "meta page \($0)" }.first : nil
    base = UnsafeRawPointer(map)
    pageCount = size / LMDBPage.size
    mappedSize = size
  }

  private let mappedSize: Int

  /// A descriptor of what an open file reads, which may be a copy of the file.
  private static func open(_ path: String, _ file: DatabaseFile?) throws(StorageError) -> Int32 {
    let known = try file.map { (file) throws(StorageError) in
      try StorageError.describing(path) { () throws(EntryError) in try file.environment.descriptor }
    }
    let descriptor =
      known.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
      ?? LibC.open(FileLocation(path: path).resolved, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system(errno, path: path) }
    return descriptor
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: base), mappedSize) }
}
