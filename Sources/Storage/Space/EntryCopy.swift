import CLMDB
import Glibc

/// Writes what a transaction of one file shows to a new file, entry by entry in the order of the keys, which lets LMDB
/// fill each page.
///
/// LMDB keeps what a transaction writes in memory, so that the new file is committed in parts. A copy that is cut off
/// is no realm: the format, without which no file is opened, comes with the last of them. Nothing is asked of the disk
/// before the end. The log is left behind: nobody has ever read a former version of the new file.
final class EntryCopy {
  /// So many bytes are committed at a time.
  private static let partSize = 64 << 20

  private let source: LMDBTransaction
  private let databases: DatabaseFile.Databases
  private let sourcePath: String
  private let target: LMDBEnvironment
  /// What the new file will be called.
  private let targetPath: String
  /// Nil between two of them.
  private var transaction: LMDBTransaction?
  private var uncommittedSize = 0

  /// - Parameters:
  ///   - source: All of whose pages have been found sound.
  ///   - path: Where nothing is yet, and nobody else looks.
  ///   - name: What the new file will be called, for messages.
  init(
    _ source: LMDBTransaction, of file: DatabaseFile, to path: String, name: String
  ) throws(StorageError) {
    self.source = source
    databases = file.databases
    sourcePath = file.path
    targetPath = name
    target = try Self.open(path, mapSize: file.environment.mapSize, name: name)
  }

  deinit {
    transaction?.abort()
    target.close()
  }

  private static func open(
    _ path: String, mapSize: Int, name: String
  ) throws(StorageError) -> LMDBEnvironment {
    var mapSize = mapSize
    while true {
      do throws(LMDBError) {
        return try .open(path, mapSize: mapSize, flags: MDB_NORDAHEAD | MDB_NOLOCK | MDB_NOSYNC)
      } catch {
        guard error.code == ENOMEM, mapSize > 1 << 30 else { throw .lmdb(error, path: name) }
        mapSize >>= 1
      }
    }
  }

  /// Writes the copy, and brings it to the disk.
  func run() throws(StorageError) {
    for (name, database) in databases.named { try copy(database, name) }
    try copyMain()
    try commit()
    try writing { () throws(LMDBError) in
      if try fsync(target.descriptor) != 0 { throw LMDBError(code: errno) }
    }
  }

  private func copy(_ database: MDB_dbi, _ name: String) throws(StorageError) {
    let new = try writing { () throws(LMDBError) in try begun().openDatabase(name, isCreated: true) }
    let cursor = try reading { () throws(LMDBError) in try source.openCursor(database) }
    defer { cursor.close() }
    while let entry = try reading({ () throws(LMDBError) in try cursor.nextEntry() }) {
      try write(entry.value, at: entry.key, to: new, isAppended: true)
      if uncommittedSize > Self.partSize { try commit() }
    }
  }

  /// LMDB has entries of its own among those of the main database, so that there is no order to be relied on.
  private func copyMain() throws(StorageError) {
    let new = try writing { () throws(LMDBError) in try begun().openDatabase(nil) }
    let cursor = try reading { () throws(LMDBError) in try source.openCursor(databases.main) }
    defer { cursor.close() }
    let names = databases.named.map { Array($0.name.utf8) }
    while let entry = try reading({ () throws(LMDBError) in try cursor.nextEntry() }) {
      if LogKey.version(entry.key) != nil || names.contains(where: { entry.key.elementsEqual($0) }) {
        continue
      }
      try write(entry.value, at: entry.key, to: new, isAppended: false)
    }
  }

  /// Where a value of one file becomes a value of the other.
  private func write(
    _ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer, to database: MDB_dbi, isAppended: Bool
  ) throws(StorageError) {
    try writing { () throws(LMDBError) in
      try begun().reserve(
        database, key.baseAddress!, key.count, size: value.count, isAppended: isAppended
      ).copyMemory(from: value.baseAddress!, byteCount: value.count)
    }
    uncommittedSize += key.count + value.count
  }

  // MARK: The transaction

  private func begun() throws(LMDBError) -> LMDBTransaction {
    if let transaction { return transaction }
    let new = try target.beginWriting()
    transaction = new
    return new
  }

  private func commit() throws(StorageError) {
    guard let ended = transaction else { return }
    transaction = nil
    uncommittedSize = 0
    try writing { () throws(LMDBError) in try ended.commit() }
  }

  // MARK: Errors

  private func reading<Result>(_ body: () throws(LMDBError) -> Result) throws(StorageError) -> Result {
    try StorageError.describing(sourcePath, body)
  }

  private func writing<Result>(_ body: () throws(LMDBError) -> Result) throws(StorageError) -> Result {
    do throws(LMDBError) {
      return try body()
    } catch {
      guard error.code > 0 else { throw .lmdb(error, path: targetPath) }
      // LMDB says EIO when the system wrote only a part, which is how a full disk begins.
      let code = error.code == EIO ? (try? target.descriptor).flatMap { FileSpace.growingError($0) } : nil
      throw .writing(code ?? error.code, path: targetPath)
    }
  }
}
