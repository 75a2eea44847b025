import CLMDB

struct LMDBError: Error, CustomStringConvertible {
  var code: Int32
  var description: String { "LMDB error \(code): " + String(cString: mdb_strerror(code)) }
}

/// Bare LMDB: whole dogs in rows of 64 bytes, keyed by their big-endian id. What it does not offer, such as
/// queries and strings, is not measured; it is the floor for storing rows in a B+tree.
final class LMDBPeer: MeasuredDatabase {
  static let system = System.lmdb
  static let fileExtension = "lmdb"

  private static let mapSize = 1 << 32

  private let environment: OpaquePointer
  private let rows: MDB_dbi

  init(path: String, durability: Durability) throws {
    var handle: OpaquePointer?
    try Self.check(mdb_env_create(&handle))
    let environment = handle!
    self.environment = environment
    do {
      try Self.check(mdb_env_set_mapsize(environment, Self.mapSize))
      let flags = MDB_NOSUBDIR | (durability == .relaxed ? MDB_NOSYNC : 0)
      try Self.check(mdb_env_open(environment, path, UInt32(flags), 0o644))
      var transaction: OpaquePointer?
      try Self.check(mdb_txn_begin(environment, nil, 0, &transaction))
      var rows: MDB_dbi = 0
      try Self.check(mdb_dbi_open(transaction, nil, 0, &rows))
      try Self.check(mdb_txn_commit(transaction))
      self.rows = rows
    } catch {
      mdb_env_close(environment)
      throw error
    }
  }

  func close() {
    mdb_env_close(environment)
  }

  func insertDogs(of dataset: Dataset) throws {
    let colors = PackedStrings(DogGenerator.colors)
    try write { transaction in
      try dataset.packedNames.withPointers { names in
        try colors.withPointers { colors in
          for id in 0..<dataset.count {
            // Ascending keys go straight to the last page; the row is written where it will stay.
            let row = try reserveRow(id, flags: MDB_APPEND, in: transaction)
            row.fill(
              name: names[id], age: dataset.ages[id], color: colors[Int(dataset.colors[id])],
              weight: dataset.weights[id], born: dataset.born[id], vaccinated: dataset.vaccinated[id])
          }
        }
      }
    }
  }

  func sumOfAgesAndNameLengths() throws -> Int {
    var sum = 0
    try forEachRow { sum += $0.age + $0.nameLength }
    return sum
  }

  func countOfDogs(youngerThan age: Int) throws -> Int {
    var count = 0
    try forEachRow { count += $0.age < age ? 1 : 0 }
    return count
  }

  func sumOfAllAges() throws -> Int {
    var sum = 0
    try forEachRow { sum += $0.age }
    return sum
  }

  func sumOfAges(forKeys keys: [Int]) throws -> Int {
    try read { transaction in
      var sum = 0
      for key in keys {
        sum += try Self.withKey(key) { key in
          var value = MDB_val()
          try Self.check(mdb_get(transaction, rows, key, &value))
          return LMDBRow(memory: value.mv_data).age
        }
      }
      return sum
    }
  }

  func setAges(_ changes: [AgeChange]) throws {
    try setAges(changes[...])
  }

  func setAgesOneByOne(_ changes: ArraySlice<AgeChange>) throws {
    for index in changes.indices {
      try setAges(changes[index...index])
    }
  }

  private func setAges(_ changes: ArraySlice<AgeChange>) throws {
    try write { transaction in
      var cursor: OpaquePointer?
      try Self.check(mdb_cursor_open(transaction, rows, &cursor))
      defer { mdb_cursor_close(cursor) }
      for change in changes {
        try Self.setAge(change, at: cursor)
      }
    }
  }

  private static func setAge(_ change: AgeChange, at cursor: OpaquePointer?) throws {
    try withKey(change.id) { key in
      var value = MDB_val()
      try check(mdb_cursor_get(cursor, key, &value, MDB_SET_KEY))
      // The row may lie in a page of the last commit, which LMDB copies before it writes: the row is kept
      // aside and stored again as a whole, where the cursor stands.
      try withUnsafeTemporaryAllocation(byteCount: LMDBRow.size, alignment: 8) { copy in
        copy.copyMemory(from: UnsafeRawBufferPointer(start: value.mv_data, count: LMDBRow.size))
        LMDBRow(memory: copy.baseAddress!).age = change.age
        var changed = MDB_val(mv_size: LMDBRow.size, mv_data: copy.baseAddress)
        try check(mdb_cursor_put(cursor, key, &changed, UInt32(MDB_CURRENT)))
      }
    }
  }

  private func reserveRow(_ id: Int, flags: Int32, in transaction: OpaquePointer?) throws -> LMDBRow {
    try Self.withKey(id) { key in
      var value = MDB_val(mv_size: LMDBRow.size, mv_data: nil)
      try Self.check(mdb_put(transaction, rows, key, &value, UInt32(flags | MDB_RESERVE)))
      return LMDBRow(memory: value.mv_data)
    }
  }

  private func forEachRow(_ body: (LMDBRow) -> Void) throws {
    try read { transaction in
      var cursor: OpaquePointer?
      try Self.check(mdb_cursor_open(transaction, rows, &cursor))
      defer { mdb_cursor_close(cursor) }
      var key = MDB_val()
      var value = MDB_val()
      var code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
      while code == MDB_SUCCESS {
        body(LMDBRow(memory: value.mv_data))
        code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
      }
      if code != MDB_NOTFOUND { try Self.check(code) }
    }
  }

  private func read<Result>(_ body: (OpaquePointer?) throws -> Result) throws -> Result {
    var transaction: OpaquePointer?
    try Self.check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
    defer { mdb_txn_abort(transaction) }
    return try body(transaction)
  }

  private func write(_ body: (OpaquePointer?) throws -> Void) throws {
    var transaction: OpaquePointer?
    try Self.check(mdb_txn_begin(environment, nil, 0, &transaction))
    do {
      try body(transaction)
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try Self.check(mdb_txn_commit(transaction))
  }

  private static func withKey<Result>(
    _ id: Int, _ body: (UnsafeMutablePointer<MDB_val>) throws -> Result
  ) rethrows -> Result {
    var bigEndian = UInt64(id).bigEndian
    return try withUnsafeMutableBytes(of: &bigEndian) { bytes in
      var key = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
      return try body(&key)
    }
  }

  private static func check(_ code: Int32) throws {
    guard code == MDB_SUCCESS else { throw LMDBError(code: code) }
  }
}
