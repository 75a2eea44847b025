import CLMDB

/// LMDB's handle of an open file. Any thread may use it, until it is closed.
///
/// It is the address of what LMDB keeps, and costs no more than that; its opener has to close it.
struct EntryStore: Equatable, @unchecked Sendable {
  let handle: OpaquePointer

  @inline(__always) init(_ handle: OpaquePointer) { self.handle = handle }

  /// How many named databases there may be.
  private static let databaseLimit: UInt32 = 8

  /// How a file is opened.
  struct Options: OptionSet {
    let rawValue: UInt32

    static let readOnly = Options(rawValue: UInt32(MDB_RDONLY))
    static let withoutLock = Options(rawValue: UInt32(MDB_NOLOCK))
    static let withoutReadAhead = Options(rawValue: UInt32(MDB_NORDAHEAD))
    static let withoutSynchronising = Options(rawValue: UInt32(MDB_NOSYNC))
  }

  /// Opens a file that is not open in this process.
  ///
  /// - Parameters:
  ///   - mapSize: How large the file can become. That much address space is taken.
  ///   - readerLimit: How many may read at once. 0 leaves it to LMDB.
  ///   - options: Besides these, LMDB has no folder for the file, and its read transactions belong to no thread.
  static func open(
    _ path: String, mapSize: Int, readerLimit: Int = 0, options: Options = []
  ) throws(EntryError) -> EntryStore {
    var created: OpaquePointer?
    try EntryError.check(mdb_env_create(&created))
    let environment = EntryStore(created!)
    mdb_env_set_mapsize(created, mapSize)
    mdb_env_set_maxdbs(created, databaseLimit)
    if readerLimit > 0 { mdb_env_set_maxreaders(created, UInt32(readerLimit)) }
    let code = mdb_env_open(created, path, UInt32(MDB_NOSUBDIR | MDB_NOTLS) | options.rawValue, 0o644)
    if code != 0 {
      environment.close()
      throw EntryError(code: code)
    }
    return environment
  }

  /// No transaction may be open.
  func close() { mdb_env_close(handle) }

  // MARK: The file

  /// The descriptor of the file.
  var descriptor: Int32 {
    get throws(EntryError) {
      var descriptor: Int32 = -1
      try EntryError.check(mdb_env_get_fd(handle, &descriptor))
      return descriptor
    }
  }

  /// As it was given when the file was opened.
  var path: String? {
    var path: UnsafePointer<CChar>?
    mdb_env_get_path(handle, &path)
    return path.map { String(cString: $0) }
  }

  /// In bytes.
  static var pageSize: Int { LMDBPage.size }

  private var information: MDB_envinfo {
    var information = MDB_envinfo()
    mdb_env_info(handle, &information)
    return information
  }

  var mapSize: Int { information.me_mapsize }
  /// The version of the newest commit, by any process.
  var newestVersion: UInt64 { UInt64(information.me_last_txnid) }
  /// Of the newest version: the last page that is in use, or free between others.
  var lastPage: Int { information.me_last_pgno }

  var pageSize: Int {
    var statistics = MDB_stat()
    mdb_env_stat(handle, &statistics)
    return Int(statistics.ms_psize)
  }

  /// Sets whether commits sync the file; for the holder of the writer lock. LMDB 0.9 has the setting for the environment,
  /// not for a transaction.
  func setSynchronises(_ new: Bool) { mdb_env_set_flags(handle, UInt32(MDB_NOSYNC), new ? 0 : 1) }

  // MARK: Transactions

  /// A transaction that holds the newest version.
  func beginReading() throws(EntryError) -> EntryTransaction { try begin(UInt32(MDB_RDONLY)) }

  /// Waits for LMDB's own lock. The transaction belongs to the thread.
  func beginWriting() throws(EntryError) -> EntryTransaction {
    let transaction = try begin(0)
    sealSum?.begin()
    return transaction
  }

  private func begin(_ flags: UInt32) throws(EntryError) -> EntryTransaction {
    var begun: OpaquePointer?
    try EntryError.check(mdb_txn_begin(handle, nil, flags, &begun))
    return EntryTransaction(begun!)
  }

  // MARK: What was checked

  /// Who knows which places of the file have been found sound, and is asked before LMDB reads there; without it nothing
  /// is asked. The environment does not keep it alive.
  @inline(__always) var checkedPlaces: Unmanaged<CheckedPlaces>? {
    mdb_env_get_userctx(handle).map { .fromOpaque($0) }
  }

  /// With which values are encrypted; nil when they are not.
  @inline(__always) var cipher: FileCipher? {
    checkedPlaces?._withUnsafeGuaranteedRef { $0.openedValues }?.cipher
  }

  /// Whether the keys of indexes say nothing of what is indexed: see `IndexFormat`.
  var hidesKeys: Bool { checkedPlaces?.takeUnretainedValue().openedValues != nil }

  /// Where what a transaction writes is counted.
  @inline(__always) var sealSum: SealSum? { checkedPlaces?._withUnsafeGuaranteedRef { $0.sealSum } }

  func setCheckedPlaces(_ places: CheckedPlaces) {
    mdb_env_set_userctx(handle, Unmanaged.passUnretained(places).toOpaque())
  }
}
