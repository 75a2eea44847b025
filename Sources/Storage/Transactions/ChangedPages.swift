import CLMDB

/// The pages of the file that are no longer in use since an older version.
///
/// LMDB never writes to a page that a version in use shows: a commit copies the pages that it changes, and lists the
/// old ones in the free list under its own number. An address on a page that is on none of these lists therefore
/// shows in the newer version what it showed in the older one. The lists stay as long as a reader might need them;
/// when one is missing nothing can be said.
struct ChangedPages {
  private let base: UInt
  private let size: UInt
  private let pageShift: UInt
  private let changed: [UInt64]

  /// nil when it can not be found out, or too much has changed for it to matter.
  ///
  /// - Parameters:
  ///   - version: The older version, which is still in use.
  ///   - transaction: A read transaction that holds the newer version.
  init?(since version: UInt64, _ transaction: OpaquePointer, _ file: DatabaseFile) {
    // Any value from the map.
    guard let known = transaction.readBytes(file.databases.main, key: Catalogue.key)?.baseAddress else {
      return nil
    }
    let newest = UInt64(mdb_txn_id(transaction))
    let environment = file.environment
    var information = MDB_envinfo()
    var statistics = MDB_stat()
    mdb_env_info(environment, &information)
    mdb_env_stat(environment, &statistics)
    let pageSize = UInt(statistics.ms_psize)
    guard pageSize.nonzeroBitCount == 1, newest > version, newest - version <= 64 else {
      return nil
    }
    pageShift = UInt(pageSize.trailingZeroBitCount)
    // A page begins with its number.
    let page = UInt(bitPattern: known) & ~(pageSize - 1)
    let number = UnsafeRawPointer(bitPattern: page)!.load(as: UInt.self)
    base = page &- number << pageShift
    size = UInt(information.me_last_pgno + 1) << pageShift
    guard number <= information.me_last_pgno else { return nil }

    var words = [UInt64](repeating: 0, count: information.me_last_pgno / 64 + 1)
    var cursor: OpaquePointer?
    guard mdb_cursor_open(transaction, 0, &cursor) == 0 else { return nil }
    defer { mdb_cursor_close(cursor) }
    for freeing in version + 1...newest {
      var number = Int(freeing)
      let isThere = withUnsafeMutablePointer(to: &number) { number in
        var key = MDB_val(mv_size: MemoryLayout<Int>.size, mv_data: number)
        var value = MDB_val()
        guard mdb_cursor_get(cursor, &key, &value, MDB_SET) == 0,
          let list = value.mv_data, value.mv_size >= MemoryLayout<Int>.size
        else { return false }
        // The count, then the numbers of the pages.
        let count = list.loadUnaligned(as: Int.self)
        guard count >= 0, (count + 1) * MemoryLayout<Int>.size <= value.mv_size else { return false }
        for index in 1..<count + 1 {
          let page = list.loadUnaligned(fromByteOffset: index * MemoryLayout<Int>.size, as: Int.self)
          if page >> 6 < words.count { words[page >> 6] |= 1 << UInt64(page & 63) }
        }
        return true
      }
      if !isThere { return nil }
    }
    changed = words
  }

  /// Whether what is at an address in the map is the same in both versions; false for all other addresses.
  @inline(__always) func isUnchanged(_ address: UnsafeRawPointer) -> Bool {
    let offset = UInt(bitPattern: address) &- base
    if offset >= size { return false }
    let page = offset &>> pageShift
    return changed[Int(page &>> 6)] & (1 &<< UInt64(page & 63)) == 0
  }
}
