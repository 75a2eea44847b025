import CLMDB
import Glibc

/// What can be said of a file before LMDB touches it: LMDB itself would map a truncated file and crash when a
/// missing page is read.
enum FileCheck {
  /// The identity of an existing file, if it is one that can be opened by its name; nil for one that is still to be
  /// made.
  static func identity(_ location: FileLocation, readOnly: Bool) throws(StorageError) -> FileIdentity? {
    var information = stat()
    guard stat(location.resolved, &information) == 0 else {
      if errno == ENOENT && !readOnly { return nil }
      throw openingError(errno, path: location.path, readOnly: readOnly)
    }
    let failed = "Failed to open Realm file at path '\(location.path)': "
    if information.st_mode & S_IFMT == S_IFDIR {
      throw StorageError(.access, path: location.path, message: failed + "Is a directory")
    }
    // Opening anything else may wait, or have effects.
    if information.st_mode & S_IFMT != S_IFREG {
      throw StorageError(.access, path: location.path, message: failed + "not a regular file")
    }
    // Each of its names would have a lock file of its own.
    if information.st_nlink > 1 {
      throw StorageError(
        .access, path: location.path,
        message: failed + "it has \(information.st_nlink) names (hard links), and may have only one.")
    }
    return FileIdentity(information)
  }

  static func openingError(_ code: Int32, path: String, readOnly: Bool) -> StorageError {
    if code == ENOTDIR {
      let lock = path + ".lock"
      return StorageError(
        .operationFailed, path: lock,
        message: "Failed to open file at path '\(lock)': parent path is not a directory")
    }
    return .system(code, path: path)
  }

  /// Checks that a file that is not empty begins as an LMDB file and is as long as it says.
  static func checkContent(descriptor: Int32, path: String, readOnly: Bool) throws(StorageError) {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(errno, path: path) }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(
        .access, path: path, message: "Failed to open Realm file at path '\(path)': not a regular file")
    }
    let size = Int(information.st_size)
    if size == 0 {
      if readOnly { throw .invalid(path: path, "file is empty.") }
      return
    }
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    guard size >= 2 * pageSize else {
      throw .invalid(
        path: path, "file is non-empty but too small (\(size) bytes) to be a valid Realm.")
    }
    for page in 0..<2 {
      var header = [UInt8](repeating: 0, count: MetaPage.size)
      guard pread(descriptor, &header, header.count, off_t(page * pageSize)) == header.count else {
        throw .system(errno, path: path)
      }
      let meta = header.withUnsafeBytes { MetaPage($0, number: page, pageSize: pageSize) }
      guard meta.isLMDB else { throw .invalid(path: path, "not a Realm file.") }
      if let fault = meta.fault { throw .damaged(path: path, fault) }
    }
  }

  /// Checks the trees of the newest version, of a file that LMDB has opened and not read from yet.
  ///
  /// Returns nil when nothing was ever written to it.
  static func checkTrees(
    _ environment: OpaquePointer, descriptor: Int32, path: String, _ extent: PageWalk.Extent
  ) throws(StorageError) -> CheckedTrees? {
    var begun: OpaquePointer?
    let code = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &begun)
    guard code == 0, let transaction = begun else { throw .lmdb(LMDBError(code: code), path: path) }
    // The pages of the version stay as long as this lasts.
    defer { mdb_txn_abort(transaction) }
    return try checkTrees(of: transaction, descriptor: descriptor, path: path, extent)
  }

  /// The same for a read transaction.
  ///
  /// - Parameter map: That of LMDB, when it is known.
  static func checkTrees(
    of transaction: OpaquePointer, descriptor: Int32, path: String, _ extent: PageWalk.Extent,
    map: UnsafeRawPointer? = nil
  ) throws(StorageError) -> CheckedTrees? {
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    while true {
      let number = Int(mdb_txn_id(transaction) & 1)
      var header = [UInt8](repeating: 0, count: MetaPage.size)
      guard pread(descriptor, &header, header.count, off_t(number * pageSize)) == header.count else {
        throw .system(errno, path: path)
      }
      let meta = header.withUnsafeBytes { MetaPage($0, number: number, pageSize: pageSize) }
      if meta.version > UInt64(mdb_txn_id(transaction)) {
        // Others, while this one only reads, have made two versions since.
        mdb_txn_reset(transaction)
        let code = mdb_txn_renew(transaction)
        if code != 0 { throw .lmdb(LMDBError(code: code), path: path) }
        continue
      }
      if let fault = meta.fault { throw .damaged(path: path, fault) }
      return try checkTrees(
        meta, version: UInt64(mdb_txn_id(transaction)), descriptor: descriptor, pageSize: pageSize,
        path: path, extent, map: map)
    }
  }

  private static func checkTrees(
    _ meta: MetaPage, version: UInt64, descriptor: Int32, pageSize: Int, path: String,
    _ extent: PageWalk.Extent,
    map: UnsafeRawPointer?
  ) throws(StorageError) -> CheckedTrees? {
    if meta.main.root == TreeRecord.noPage && meta.freePages.root == TreeRecord.noPage { return nil }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(errno, path: path) }
    let pageCount = min(Int(information.st_size) / pageSize, Int(meta.lastPage) + 1)
    var extent = extent
    // It may be cut off, which is to be known at once.
    if extent == .branches && pageCount <= meta.lastPage { extent = .pages }
    var ownMap: UnsafeMutableRawPointer?
    defer { if let ownMap { munmap(ownMap, pageCount * pageSize) } }
    if map == nil {
      ownMap = mmap(nil, pageCount * pageSize, PROT_READ, MAP_SHARED, descriptor, 0)
      if ownMap == MAP_FAILED {
        ownMap = nil
        throw .system(errno, path: path)
      }
      // The pages that are looked at lie far apart: the rest need not come with them.
      if extent == .branches { madvise(ownMap, pageCount * pageSize, MADV_RANDOM) }
    }
    var walk = PageWalk(
      map ?? UnsafeRawPointer(ownMap!), pageSize: pageSize, pageCount: pageCount, meta: meta, extent)
    do throws(PageWalk.Fault) {
      try walk.check(meta)
    } catch {
      if error.isBeyondEnd {
        let needed = (meta.lastPage + 1) * UInt64(pageSize)
        throw .invalid(
          path: path,
          "file is truncated (\(information.st_size) bytes instead of at least \(needed)).")
      }
      throw .damaged(path: path, error.reason)
    }
    return CheckedTrees(version: version, walk: walk, isComplete: extent != .branches)
  }
}
