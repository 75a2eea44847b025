import Glibc

/// A file of LMDB as it lies on the disk, read without LMDB, which trusts what it reads.
///
/// Invariant: `base` has `pageCount` whole pages until the object is gone. Nobody may cut the file off meanwhile.
final class FileMap {
  let path: String
  let base: UnsafeRawPointer
  let pageSize = LMDBPage.size
  let pageCount: Int
  /// That of the version that is read.
  let meta: MetaPage
  /// What is wrong with the other meta page of a file that nobody can open.
  let metaFault: String?
  /// Whether the newest commits are in a journal, which is not looked at.
  let lacksJournal: Bool
  /// Of what is read of all trees.
  var progress = WorkProgress.Counter()

  /// Nil when the version's meta page has been written over.
  ///
  /// - Parameter version: The version to be read, which somebody keeps; nil for the newest one with a sound meta page.
  /// - Throws: `notFound` and the like; `invalidDatabase` when it is no such file, or both meta pages are damaged.
  init?(path: String, version: UInt64? = nil) throws(StorageError) {
    let location = FileLocation(path: path).resolved
    let descriptor = Glibc.open(location, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno, path: path) }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(errno, path: path) }
    guard information.st_mode & S_IFMT == S_IFREG else { throw .invalid(path: path, "not a regular file") }
    let size = Int(information.st_size)
    guard size >= 2 * LMDBPage.size else {
      throw .invalid(path: path, "file is non-empty but too small (\(size) bytes) to be a valid Realm.")
    }
    let metas: [MetaPage]
    do throws(LMDBError) {
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

  deinit { munmap(UnsafeMutableRawPointer(mutating: base), mappedSize) }
}
