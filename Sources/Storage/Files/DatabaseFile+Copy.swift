import Glibc

extension DatabaseFile {
  /// Writes the newest version to a new file, without unused pages. Readers and writers go on meanwhile.
  ///
  /// - Throws: `alreadyExists` when something is at the path already; `outOfSpace` and other errors of writing,
  ///   after which no file is left there.
  package func copy(to target: String) throws(StorageError) {
    // LMDB copies as many pages of a value as its first one says.
    _ = try FileCheck.checkTrees(environment, path: path, .values)
    let descriptor = Glibc.open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .writing(errno, path: target) }
    defer { close(descriptor) }
    do throws(LMDBError) {
      try environment.copyCompactly(to: descriptor)
      if fsync(descriptor) != 0 { throw LMDBError(code: errno) }
    } catch {
      unlink(target)
      if error.code > 0 { throw .writing(error.code, path: target) }
      throw .lmdb(error, path: path)
    }
  }

  /// The bytes of the file, and those of them that hold data.
  package var size: (total: Int, used: Int) {
    let pageSize = environment.pageSize
    let pages = environment.lastPage + 1
    var file = stat()
    let isKnown = (try? environment.descriptor).map { fstat($0, &file) == 0 } ?? false
    let total = isKnown ? Int(file.st_size) : pages * pageSize
    return (total, (pages - freePageCount) * pageSize)
  }

  /// The pages that are not in use, from the list that LMDB keeps in its first database.
  private var freePageCount: Int {
    guard let transaction = try? takeReader() else { return 0 }
    defer { readerPool.give(transaction) }
    guard let cursor = try? transaction.openCursor(LMDBTransaction.freePages) else { return 0 }
    defer { cursor.close() }
    var count = 0
    while let entry = try? cursor.nextEntry() { count += FreeList(entry.value)?.count ?? 0 }
    return count
  }
}

extension StorageError {
  /// The error for a failed system call on a file that is being written.
  fileprivate static func writing(_ code: Int32, path: String) -> StorageError {
    let kind: Kind
    switch code {
    case ENOENT: kind = .notFound
    case EACCES, EPERM, EROFS: kind = .permissionDenied
    case EEXIST: kind = .alreadyExists
    case ENOSPC, EDQUOT, EFBIG: kind = .outOfSpace
    default: kind = .access
    }
    return StorageError(
      kind, path: path, message: "Failed to write file at path '\(path)': \(String(cString: strerror(code)))")
  }
}
