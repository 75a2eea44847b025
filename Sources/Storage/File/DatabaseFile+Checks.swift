import CLMDB
import Glibc

// What of a file has been found sound, and what is left to be looked at before something is written.
extension DatabaseFile {
  static func makeCheckedPlaces(
    _ environment: OpaquePointer, _ databases: Databases, _ trees: CheckedTrees?, descriptor: Int32,
    path: String
  ) throws(StorageError) -> CheckedPlaces {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(errno, path: path) }
    var begun: OpaquePointer?
    let code = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &begun)
    guard code == 0, let transaction = begun else { throw .lmdb(LMDBError(code: code), path: path) }
    defer { mdb_txn_abort(transaction) }
    guard let known = transaction.readBytes(databases.main, key: formatKey)?.baseAddress else {
      throw .damaged(path: path, "it has no format")
    }
    var environmentInformation = MDB_envinfo()
    mdb_env_info(environment, &environmentInformation)
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    let map = CheckedPlaces.map(known: known, pageSize: pageSize)
    return CheckedPlaces(
      environment, map: map, fileSize: Int(information.st_size), mapSize: environmentInformation.me_mapsize,
      pageSize: pageSize,
      leaves: CheckedLeaves(trees, databases, map: map, pageSize: pageSize))
  }

  /// Looks at the pages that are left, before the first transaction that writes begins. To be called by the holder of
  /// the right to write.
  ///
  /// Takes time in proportion to the number of leaf pages (about 0.2 µs for each that is in memory), once while a file
  /// is open; not at all when the file was new, or when somebody else has written since, who had to do it.
  ///
  /// - Parameter version: The newest one.
  func checkRemainingPages(before version: UInt64) throws(StorageError) {
    guard let leaves = checkedPlaces.leaves, !leaves.isComplete else { return }
    if version == leaves.version {
      let reader = try takeReader()
      defer { readerPool.give(reader) }
      try Self.checkAllPages(of: reader, environment, checkedPlaces, path: path)
    }
    leaves.noteCompletion()
  }

  private static func checkAllPages(
    of transaction: OpaquePointer, _ environment: OpaquePointer, _ places: CheckedPlaces, path: String
  ) throws(StorageError) {
    var descriptor: Int32 = -1
    mdb_env_get_fd(environment, &descriptor)
    _ = try FileCheck.checkTrees(
      of: transaction, descriptor: descriptor, path: path, .pages, map: places.map)
  }

  /// Erases what a copy of a file has of the original's log, which few files have.
  static func eraseForeignLog(
    _ environment: OpaquePointer, _ databases: Databases, _ places: CheckedPlaces, path: String
  ) throws(StorageError) {
    var begun: OpaquePointer?
    var code = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &begun)
    guard code == 0, let reader = begun else { throw .lmdb(LMDBError(code: code), path: path) }
    defer { mdb_txn_abort(reader) }
    do throws(LMDBError) {
      if try !ChangeLog.hasForeign(reader, databases.main) { return }
    } catch {
      throw .lmdb(error, path: path)
    }
    if let leaves = places.leaves {
      try checkAllPages(of: reader, environment, places, path: path)
      leaves.noteCompletion()
    }
    var writer: OpaquePointer?
    code = mdb_txn_begin(environment, nil, 0, &writer)
    guard code == 0, let writer else { throw .lmdb(LMDBError(code: code), path: path) }
    do throws(LMDBError) {
      try ChangeLog.eraseForeign(writer, databases.main)
    } catch {
      mdb_txn_abort(writer)
      throw .lmdb(error, path: path)
    }
    code = mdb_txn_commit(writer)
    if code != 0 { throw .lmdb(LMDBError(code: code), path: path) }
  }
}
