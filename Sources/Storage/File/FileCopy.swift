import CLMDB
import Glibc

extension DatabaseFile {
  /// Writes the newest version to a new file, without unused pages. Readers and writers go on meanwhile.
  ///
  /// - Throws: `alreadyExists` when something is at the path already; `outOfSpace` and other errors of writing,
  ///   after which no file is left there.
  package func copy(to target: String) throws(StorageError) {
    // LMDB copies as many pages of a value as its first one says.
    var source: Int32 = -1
    mdb_env_get_fd(environment, &source)
    _ = try FileCheck.checkTrees(environment, descriptor: source, path: path, .values)
    let descriptor = Glibc.open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .writing(errno, path: target) }
    defer { close(descriptor) }
    var code = mdb_env_copyfd2(environment, descriptor, UInt32(MDB_CP_COMPACT))
    if code == 0 && fsync(descriptor) != 0 { code = errno }
    if code != 0 {
      unlink(target)
      if code > 0 { throw .writing(code, path: target) }
      throw .lmdb(LMDBError(code: code), path: path)
    }
  }

  /// The bytes of the file, and those of them that hold data.
  package var size: (total: Int, used: Int) {
    var information = MDB_envinfo()
    mdb_env_info(environment, &information)
    var statistics = MDB_stat()
    mdb_env_stat(environment, &statistics)
    let pageSize = Int(statistics.ms_psize)
    let pages = Int(information.me_last_pgno) + 1
    var file = stat()
    var descriptor: Int32 = -1
    mdb_env_get_fd(environment, &descriptor)
    let total = fstat(descriptor, &file) == 0 ? Int(file.st_size) : pages * pageSize
    return (total, (pages - freePageCount) * pageSize)
  }

  /// The pages that are not in use, from the list that LMDB keeps in its first database.
  private var freePageCount: Int {
    guard let transaction = try? takeReader() else { return 0 }
    defer { readerPool.give(transaction) }
    var opened: OpaquePointer?
    guard mdb_cursor_open(transaction, 0, &opened) == 0 else { return 0 }
    defer { mdb_cursor_close(opened) }
    var count = 0
    var key = MDB_val()
    var value = MDB_val()
    // Each entry begins with the number of its pages.
    while mdb_cursor_get(opened, &key, &value, MDB_NEXT) == 0 {
      count += value.mv_data.loadUnaligned(as: Int.self)
    }
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
