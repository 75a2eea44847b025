import CLMDB
import Glibc

/// What each commit changed, stored under its version, for those who follow the data.
///
/// The entries lie in the main database, in the page that every commit writes anyway.
///
///   u32 tables, for each: u32 number · rows inserted as ranges · rows deleted · columns: number, then for each
///   chunk touched its number and the bitmap of the rows written
///   u32 collections, for each: table, column, row
/// Numbers without a size are of variable length; lists begin with their count.
enum ChangeLog {
  /// Logs are kept at least this many versions.
  private static let trimInterval: UInt64 = 64

  static func append(
    _ transaction: WriteTransaction, _ snapshot: Snapshot, _ target: OpaquePointer
  ) throws(LMDBError) {
    let version = UInt64(mdb_txn_id(target))
    var writer = ByteWriter()
    var chunksOfTable: [Int: [WriteTransaction.DirtyChunk]] = [:]
    for dirty in transaction.dirtyChunks where dirty.column >= 0 {
      chunksOfTable[Int(dirty.table), default: []].append(dirty)
    }
    let changed = snapshot.tables.filter { table in
      chunksOfTable[table.number] != nil || transaction.deletedRows[table.number] != nil
        || table.rowLimit > table.state.pointee.firstNewRow
    }
    writer.append(UInt32(changed.count))
    for table in changed {
      let firstNew = table.state.pointee.firstNewRow
      writer.append(UInt32(table.number))
      writer.appendVariable(UInt64(firstNew))
      writer.appendVariable(UInt64(table.rowLimit))
      let deleted = transaction.deletedRows[table.number] ?? []
      writer.appendVariable(UInt64(deleted.count))
      var previous = 0
      for row in deleted.sorted() {
        writer.appendVariable(UInt64(row - previous))
        previous = row
      }
      // Chunks of only new rows need no detail.
      let chunks = (chunksOfTable[table.number] ?? []).filter { Int($0.chunk) * chunkCapacity < firstNew }
      writer.appendVariable(UInt64(chunks.count))
      for dirty in chunks {
        writer.appendVariable(UInt64(dirty.column))
        writer.appendVariable(UInt64(dirty.chunk))
        appendBitmap(dirty.wide.writtenBitmap, to: &writer)
      }
    }
    writer.append(UInt32(transaction.collections.count))
    for key in transaction.collections.keys {
      writer.appendVariable(UInt64(key.table))
      writer.appendVariable(UInt64(key.column))
      writer.appendVariable(UInt64(key.row))
    }
    let place = try LogKey(version).withBytes { (key) throws(LMDBError) in
      try target.reserve(snapshot.file.databases.main, key, LogKey.size, size: writer.bytes.count)
    }
    writer.bytes.withUnsafeBytes { place.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    if version % trimInterval == 0 {
      try trim(target, snapshot.file, before: min(oldestPinned(snapshot.file) ?? version, version))
    }
  }

  /// Few rows by number, many as the bitmap.
  private static func appendBitmap(_ bitmap: UnsafeMutableRawPointer, to writer: inout ByteWriter) {
    var rows: [UInt64] = []
    for index in 0..<chunkCapacity where bitIsSet(bitmap, index) { rows.append(UInt64(index)) }
    if rows.count < chunkBitmapSize / 2 {
      writer.appendVariable(UInt64(rows.count))
      for row in rows { writer.appendVariable(row) }
    } else {
      writer.appendVariable(UInt64(chunkCapacity))
      writer.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bitmap, count: chunkBitmapSize))
    }
  }

  private static func trim(
    _ target: OpaquePointer, _ file: DatabaseFile, before version: UInt64
  ) throws(LMDBError) {
    var opened: OpaquePointer?
    try LMDBError.check(mdb_cursor_open(target, file.databases.main, &opened))
    defer { mdb_cursor_close(opened) }
    while true {
      var value = MDB_val()
      let (code, logged) = LogKey(0).withBytes { bytes in
        var key = MDB_val(mv_size: LogKey.size, mv_data: UnsafeMutableRawPointer(mutating: bytes))
        return (mdb_cursor_get(opened, &key, &value, MDB_SET_RANGE), LogKey.version(key))
      }
      guard code == 0, let logged, logged < version else { return }
      try LMDBError.check(mdb_cursor_del(opened, 0))
    }
  }

  /// The oldest version that a reader of any process holds; nil when there is none.
  private static func oldestPinned(_ file: DatabaseFile) -> UInt64? {
    // Those of processes that died would count for ever.
    var dead: Int32 = 0
    mdb_reader_check(file.environment, &dead)
    // LMDB tells its readers only as text: process, thread and version ("-" when it reads nothing).
    final class Oldest { var version: UInt64? }
    let oldest = Oldest()
    mdb_reader_list(
      file.environment,
      { text, context in
        guard let text, let context else { return 0 }
        let oldest = Unmanaged<Oldest>.fromOpaque(context).takeUnretainedValue()
        let line = String(cString: text)
        if let version = line.split(whereSeparator: \.isWhitespace).last.flatMap({ UInt64($0) }) {
          oldest.version = min(oldest.version ?? version, version)
        }
        return 0
      }, Unmanaged.passUnretained(oldest).toOpaque())
    return oldest.version
  }
}
