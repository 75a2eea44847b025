import CLMDB
import Glibc
import Synchronization

/// When a commit is on the disk.
public enum Durability: Sendable, Hashable {
  /// A commit returns when the disk has it.
  case full
  /// A commit returns at once and is visible to all; `DatabaseFile.whenSynced` tells when the disk has it. After a
  /// failure of the system the file is one of its versions, and none older than the disk was known to have.
  case deferred
  /// Commits survive the process: the operating system writes them when it sees fit. A power failure may lose the
  /// latest ones and, where the disk wrote them in another order, damage the file.
  case relaxed
}

/// An open file: the one LMDB environment that this process has for it.
///
/// LMDB must not open a file twice in a process, so files are found in a registry by device and inode and
/// shared by all who open them; the environment closes when the last one lets go.
public final class DatabaseFile: @unchecked Sendable {
  public let path: String
  public let isReadOnly: Bool
  let environment: OpaquePointer
  let databases: Databases
  let writeLock: WriteLock
  let commitSignal: CommitSignal
  let identity: Identity
  private let processID = getpid()
  /// The next row number of each table, also counting rows that were never committed: what was handed out once
  /// in this process must not name another row. Guarded by the write lock.
  var nextRows: [Int: Int] = [:]
  /// The environment's present setting; guarded by the write lock.
  private var synchronises = true
  /// The snapshots of this process.
  let readerList = Mutex<[ObjectIdentifier: FileReader]>([:])
  let deferredSyncReference = AtomicLazyReference<DeferredSync>()
  let checkedPlaces: CheckedPlaces

  /// The handles of the named databases within the environment.
  struct Databases {
    /// Format, catalogue, row counts and what each version changed.
    var main: MDB_dbi = 0
    /// (table, column, chunk) → chunk.
    var columns: MDB_dbi = 0
    /// (table, column, row, family, segment) → chunk.
    var collections: MDB_dbi = 0
    /// (index, first key, first row) → block.
    var indexes: MDB_dbi = 0
    /// (table, column, row) → long value.
    var values: MDB_dbi = 0

    var all: [MDB_dbi] { [main, columns, collections, indexes, values] }
  }

  struct Identity: Hashable {
    var device: UInt
    var inode: UInt
    var isReadOnly: Bool
    /// A child of fork() does not find its parent's environments, and opens its own.
    var process = getpid()
  }

  private struct WeakFile { weak var file: DatabaseFile? }
  private static let registry = Mutex<[Identity: WeakFile]>([:])

  /// The format that this version writes and reads.
  public static let formatVersion: UInt32 = 1
  static let formatKey = "openrealm"

  /// Opens the file at `path`, creating it unless `readOnly`.
  ///
  /// A file that is open for writing serves readers, too; one that is open read-only must be closed before it can
  /// be opened for writing.
  ///
  /// - Throws: `notFound` when it is missing and may not be created, or its folder is missing;
  ///   `permissionDenied`; `operationFailed` when its parent is no folder; `access` when it is a folder,
  ///   or when this process has it open read-only;
  ///   `invalidDatabase` when it is something else or cut off; `unsupportedFormat` when a newer version wrote
  ///   it; `outOfSpace`.
  public static func open(path: String, readOnly: Bool = false) throws(StorageError) -> DatabaseFile {
    while true {
      let file: DatabaseFile? = try registry.withLock { files throws(StorageError) in
        if let identity = try FileCheck.identity(path: path, readOnly: readOnly) {
          // A writable environment serves readers as well, while a second one in the process would not.
          var other = identity
          other.isReadOnly.toggle()
          for key in [identity, other] where files[key] != nil {
            // Nil when another thread is about to close it: then wait until it has.
            return files[key]?.file
          }
        }
        let file = try DatabaseFile(path: path, readOnly: readOnly, openCount: files.count)
        files[file.identity] = WeakFile(file: file)
        return file
      }
      if let file {
        if readOnly || !file.isReadOnly { return file }
        throw StorageError(
          .access, path: path,
          message: "Failed to open Realm file at path '\(path)': this process has it open read-only.")
      }
      sched_yield()
    }
  }

  /// Whether this process has the file open.
  public static func isOpen(path: String) -> Bool {
    guard let identity = try? FileCheck.identity(path: path, readOnly: false) else { return false }
    // Let go of outside the lock: the last reference closes the file, which takes the lock.
    let open = registry.withLock { files in
      [false, true].compactMap { readOnly -> DatabaseFile? in
        var key = identity
        key.isReadOnly = readOnly
        return files[key]?.file
      }
    }
    return !open.isEmpty
  }

  /// - Parameter openCount: How many files the process has open already.
  private init(path: String, readOnly: Bool, openCount: Int) throws(StorageError) {
    self.path = path
    self.isReadOnly = readOnly
    let lockDescriptor = Glibc.open(path, (readOnly ? O_RDONLY : O_RDWR | O_CREAT) | O_CLOEXEC, 0o644)
    guard lockDescriptor >= 0 else { throw FileCheck.openingError(errno, path: path, readOnly: readOnly) }
    let lock = WriteLock(descriptor: lockDescriptor)
    // Two processes that create the file at once must not both initialise it.
    if !readOnly { lock.acquire() }
    defer { if !readOnly { lock.release() } }
    try RecoveryRecord.recover(descriptor: lockDescriptor, path: path, readOnly: readOnly)
    try FileCheck.checkContent(descriptor: lockDescriptor, path: path, readOnly: readOnly)
    var information = stat()
    fstat(lockDescriptor, &information)
    environment = try Self.openEnvironment(
      path: path, readOnly: readOnly,
      mapSize: Self.mapSize(openCount: openCount, fileSize: Int(information.st_size)))
    do throws(StorageError) {
      let trees = try FileCheck.checkTrees(environment, descriptor: lockDescriptor, path: path)
      databases = try Self.openDatabases(environment, path: path, readOnly: readOnly, trees: trees)
      checkedPlaces = try Self.makeCheckedPlaces(
        environment, databases.main, descriptor: lockDescriptor, path: path)
      mdb_env_set_userctx(environment, Unmanaged.passUnretained(checkedPlaces).toOpaque())
      guard let identity = try FileCheck.identity(path: path, readOnly: readOnly) else {
        throw StorageError.system(ENOENT, path: path)
      }
      self.identity = identity
      commitSignal = CommitSignal(path: path, identity: identity)
    } catch {
      mdb_env_close(environment)
      throw error
    }
    writeLock = lock
  }

  deinit {
    // A child of fork() must not touch the parent's lock table.
    guard getpid() == processID else { return }
    deferredSyncReference.load()?.close()
    Self.registry.withLock { files in
      mdb_env_close(environment)
      files[identity] = nil
    }
  }

  /// How large a file can become while it is open: address space only, of which a process has 128 TiB for all of its
  /// files; the file itself grows as used. The first 32 files get 1 TiB each, the next 512 get 64 GiB, others 8 GiB, and
  /// large ones more.
  private static func mapSize(openCount: Int, fileSize: Int) -> Int {
    #if THREAD_SANITIZER
      // Which leaves 1.5 TiB to all files at once.
      let size = 1 << 32
    #else
      let size = openCount < 32 ? 1 << 40 : openCount < 32 + 512 ? 1 << 36 : 1 << 33
    #endif
    return max(size, fileSize * 4 & ~0xFFFF)
  }

  /// - Parameter mapSize: Less is used where limits do not allow that much.
  private static func openEnvironment(
    path: String, readOnly: Bool, mapSize: Int
  ) throws(StorageError) -> OpaquePointer {
    var mapSize = mapSize
    while true {
      var created: OpaquePointer?
      var code = mdb_env_create(&created)
      guard code == 0, let environment = created else { throw .lmdb(LMDBError(code: code), path: path) }
      mdb_env_set_mapsize(environment, mapSize)
      mdb_env_set_maxdbs(environment, 8)
      mdb_env_set_maxreaders(environment, 2048)
      var flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS | MDB_NORDAHEAD)
      if readOnly { flags |= UInt32(MDB_RDONLY) }
      code = mdb_env_open(environment, path, flags, 0o644)
      if code == EACCES || code == EROFS, readOnly {
        // Who may not write the lock file can read only without it. Nobody else should be writing meanwhile: LMDB
        // leaves its lock file behind, so that a writer of another user can not be told from a former one.
        mdb_env_close(environment)
        code = mdb_env_create(&created)
        guard code == 0, let unlocked = created else { throw .lmdb(LMDBError(code: code), path: path) }
        mdb_env_set_mapsize(unlocked, mapSize)
        mdb_env_set_maxdbs(unlocked, 8)
        code = mdb_env_open(unlocked, path, flags | UInt32(MDB_NOLOCK), 0o644)
        if code == 0 { return unlocked }
        mdb_env_close(unlocked)
        throw .lmdb(LMDBError(code: code), path: path)
      }
      if code == 0 {
        var dead: Int32 = 0
        mdb_reader_check(environment, &dead)
        return environment
      }
      mdb_env_close(environment)
      guard code == ENOMEM, mapSize > 1 << 30 else { throw .lmdb(LMDBError(code: code), path: path) }
      mapSize >>= 1
    }
  }

  private static func openDatabases(
    _ environment: OpaquePointer, path: String, readOnly: Bool, trees: Set<String>?
  ) throws(StorageError) -> Databases {
    // All of them were made at once.
    if let trees, !trees.isSuperset(of: ["columns", "collections", "indexes", "values"]) {
      throw .damaged(path: path, "a tree is missing")
    }
    do throws(LMDBError) {
      var begun: OpaquePointer?
      try LMDBError.check(mdb_txn_begin(environment, nil, UInt32(readOnly ? MDB_RDONLY : 0), &begun))
      let transaction = begun!
      var isCommitted = false
      defer { if !isCommitted { mdb_txn_abort(transaction) } }
      var databases = Databases()
      try LMDBError.check(mdb_dbi_open(transaction, nil, 0, &databases.main))
      if let format: UInt32 = try transaction.read(databases.main, key: formatKey) {
        if format > formatVersion {
          throw LMDBError(code: newerFormat)
        }
      } else {
        var statistics = MDB_stat()
        try LMDBError.check(mdb_stat(transaction, databases.main, &statistics))
        if statistics.ms_entries > 0 || readOnly { throw LMDBError(code: MDB_INVALID) }
        try transaction.write(databases.main, key: formatKey, value: formatVersion)
      }
      let create = UInt32(readOnly ? 0 : MDB_CREATE)
      try LMDBError.check(mdb_dbi_open(transaction, "columns", create, &databases.columns))
      try LMDBError.check(mdb_dbi_open(transaction, "collections", create, &databases.collections))
      try LMDBError.check(mdb_dbi_open(transaction, "indexes", create, &databases.indexes))
      try LMDBError.check(mdb_dbi_open(transaction, "values", create, &databases.values))
      isCommitted = true
      try LMDBError.check(mdb_txn_commit(transaction))
      return databases
    } catch {
      if error.code == newerFormat {
        throw StorageError(
          .unsupportedFormat, path: path,
          message: "The Realm file at path '\(path)' was written by a newer version and cannot be opened.")
      }
      throw .lmdb(error, path: path)
    }
  }

  private static let newerFormat: Int32 = -1

  private static func makeCheckedPlaces(
    _ environment: OpaquePointer, _ main: MDB_dbi, descriptor: Int32, path: String
  ) throws(StorageError) -> CheckedPlaces {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(errno, path: path) }
    var begun: OpaquePointer?
    let code = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &begun)
    guard code == 0, let transaction = begun else { throw .lmdb(LMDBError(code: code), path: path) }
    defer { mdb_txn_abort(transaction) }
    guard let known = transaction.readBytes(main, key: formatKey)?.baseAddress else {
      throw .damaged(path: path, "it has no format")
    }
    var map = MDB_envinfo()
    mdb_env_info(environment, &map)
    return CheckedPlaces(
      known: known, fileSize: Int(information.st_size), mapSize: map.me_mapsize, pageSize: Int(sysconf(Int32(_SC_PAGESIZE))))
  }

  /// Makes a read transaction fit for several threads at once: LMDB finds the root of a database when it is first
  /// used, and only reads from then on.
  func prepareForSharing(_ transaction: OpaquePointer) {
    var statistics = MDB_stat()
    for database in databases.all { mdb_stat(transaction, database, &statistics) }
  }

  func beginReading() throws(StorageError) -> OpaquePointer {
    precondition(getpid() == processID, "A Realm file must be opened again after fork().")
    var transaction: OpaquePointer?
    var code = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction)
    if code == MDB_READERS_FULL {
      var dead: Int32 = 0
      mdb_reader_check(environment, &dead)
      code = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction)
    }
    guard code == 0, let transaction else { throw .lmdb(LMDBError(code: code), path: path) }
    return transaction
  }

  /// Decides whether the next commit, by the holder of the write lock, synchronises. LMDB 0.9 has the setting for
  /// the environment, not for a transaction.
  func setSynchronises(_ new: Bool) {
    if new == synchronises { return }
    mdb_env_set_flags(environment, UInt32(MDB_NOSYNC), new ? 0 : 1)
    synchronises = new
  }

  /// The version of the newest commit, by any process.
  public var newestVersion: UInt64 {
    var information = MDB_envinfo()
    mdb_env_info(environment, &information)
    return UInt64(information.me_last_txnid)
  }
}
