import CLMDB
import Glibc

/// What each commit changed, stored under its version, for those who follow the data.
///
/// The entries lie in the main database, in the page that every commit writes anyway.
///
///   u32 tables, for each: u32 number · first new row · row limit · deleted rows · chunks, for each: column, chunk,
///   the rows written: their number and each, or `chunkCapacity` and the bitmap of all
///   u32 collections of rows that were there before, for each: table, column, row, then the positions deleted,
///   inserted and modified
///   changed backlinks, see `appendBacklinks`
/// Numbers without a size are of variable length; lists begin with their count. Positions and deleted rows are
/// ranges: the gap to the end of the one before, and the length.
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
      writer.append(IndexRanges(deleted.lazy.filter { $0 < firstNew }))
      // Chunks of only new rows need no detail.
      let chunks = (chunksOfTable[table.number] ?? []).filter { Int($0.chunk) * chunkCapacity < firstNew }
      writer.appendVariable(UInt64(chunks.count))
      for dirty in chunks {
        writer.appendVariable(UInt64(dirty.column))
        writer.appendVariable(UInt64(dirty.chunk))
        appendBitmap(dirty.wide.writtenBitmap, to: &writer)
      }
    }
    let collections = transaction.collections.filter { $0.value.isTracked }
    writer.append(UInt32(collections.count))
    for (key, changes) in collections {
      writer.appendVariable(UInt64(key.table))
      writer.appendVariable(UInt64(key.column))
      writer.appendVariable(UInt64(key.row))
      writer.append(changes.positions.deletions)
      writer.append(changes.positions.insertions)
      writer.append(changes.positions.modifications)
    }
    appendBacklinks(transaction, snapshot, to: &writer)
    let place = try LogKey(version).withBytes { (key) throws(LMDBError) in
      try target.reserve(snapshot.file.databases.main, key, LogKey.size, size: writer.bytes.count)
    }
    writer.bytes.withUnsafeBytes { place.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    if version % trimInterval == 0 {
      try trim(target, snapshot.file, before: min(snapshot.file.oldestPinnedVersion ?? version, version))
    }
  }

  /// Few rows by number, many as the bitmap.
  private static func appendBitmap(_ bitmap: UnsafeMutableRawPointer, to writer: inout ByteWriter) {
    var rows: [UInt64] = []
    for word in 0..<chunkBitmapSize / 8 {
      var bits = UInt64(littleEndian: bitmap.load(fromByteOffset: word * 8, as: UInt64.self))
      while bits != 0 {
        rows.append(UInt64(word * 64 + bits.trailingZeroBitCount))
        bits &= bits - 1
      }
    }
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
}

// MARK: Reading

extension Snapshot {
  /// What happened after a version that this snapshot, or another one, has held until now, up to the one that is
  /// read. Nil when the log is damaged.
  public func changes(after version: UInt64) -> VersionChanges? {
    var changes = VersionChanges()
    guard version < self.version else { return changes }
    for number in version + 1...self.version {
      let logged = LogKey(number).withBytes { lease.transaction.get(file.databases.main, $0, LogKey.size) }
      // What repairs the file after a writer died is a version without changes.
      guard let logged else { continue }
      guard let next = VersionChanges(logged) else { return nil }
      if changes.isEmpty { changes = next } else { changes.merge(next) }
    }
    return changes
  }
}

extension VersionChanges {
  /// Reads one version's entry; nil when it is damaged.
  fileprivate init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard let tableCount = reader.read(UInt32.self) else { return nil }
    for _ in 0..<tableCount {
      guard let number = reader.read(UInt32.self), let firstNewRow = reader.readInteger(),
        let rowLimit = reader.readInteger(), let deleted = reader.readRanges(),
        let chunkCount = reader.readInteger()
      else { return nil }
      var table = TableChanges(firstNewRow: firstNewRow, rowLimit: rowLimit, deleted: deleted)
      for _ in 0..<chunkCount {
        guard let column = reader.readInteger(), let chunk = reader.readInteger(),
          let rows = reader.readRows(from: chunk * chunkCapacity)
        else { return nil }
        let old = rows.clamped(to: 0..<firstNewRow)
        if !old.isEmpty { table.modified[column, default: IndexRanges()].formUnion(old) }
      }
      tables[Int(number)] = table
    }
    guard let collectionCount = reader.read(UInt32.self) else { return nil }
    for _ in 0..<collectionCount {
      guard let table = reader.readInteger(), let column = reader.readInteger(),
        let row = reader.readInteger(),
        let deletions = reader.readRanges(), let insertions = reader.readRanges(),
        let modifications = reader.readRanges()
      else { return nil }
      var positions = PositionChanges()
      positions.deletions = deletions
      positions.insertions = insertions
      positions.modifications = modifications
      collections[CollectionKey(table: table, column: column, row: row)] = positions
    }
    guard readBacklinks(&reader) else { return nil }
  }
}

extension ByteWriter {
  mutating func append(_ ranges: IndexRanges) {
    appendVariable(UInt64(ranges.ranges.count))
    var end = 0
    for range in ranges.ranges {
      appendVariable(UInt64(range.lowerBound - end))
      appendVariable(UInt64(range.count))
      end = range.upperBound
    }
  }
}

extension ByteReader {
  mutating func readInteger() -> Int? { readVariable().flatMap { Int(exactly: $0) } }

  mutating func readRanges() -> IndexRanges? {
    guard let count = readInteger() else { return nil }
    var ranges = IndexRanges()
    var end = 0
    for _ in 0..<count {
      guard let gap = readInteger(), let length = readInteger() else { return nil }
      ranges.append(end + gap..<end + gap + length)
      end += gap + length
    }
    return ranges
  }

  /// The rows of a chunk that begins at `first`.
  fileprivate mutating func readRows(from first: Int) -> IndexRanges? {
    guard let count = readInteger() else { return nil }
    var rows = IndexRanges()
    if count < chunkCapacity {
      for _ in 0..<count {
        guard let index = readInteger() else { return nil }
        rows.append(first + index..<first + index + 1)
      }
      return rows
    }
    guard let bitmap = readBytes(chunkBitmapSize) else { return nil }
    for word in 0..<chunkBitmapSize / 8 {
      var bits = UInt64(littleEndian: bitmap.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self))
      while bits != 0 {
        let start = bits.trailingZeroBitCount
        let length = (~(bits >> start)).trailingZeroBitCount
        let position = first + word * 64 + start
        rows.append(position..<position + length)
        bits = start + length >= 64 ? 0 : bits & (~0 << (start + length))
      }
    }
    return rows
  }
}
