import CLMDB
import Glibc

/// What each commit changed, stored under its version, for those who follow the data.
///
/// The entries lie in the main database, in the page that every commit writes anyway. Transactions that became one
/// version together have one each.
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

  /// Adds the entry of a transaction whose chunks have been stored, and are in order therefore.
  ///
  /// - Parameter part: How many others of the same version come before it.
  static func append(
    _ transaction: WriteTransaction, _ snapshot: Snapshot, _ target: OpaquePointer, part: UInt32
  ) throws(LMDBError) {
    let version = UInt64(mdb_txn_id(target))
    var writer = ByteWriter()
    writer.bytes.reserveCapacity(64)
    // Nothing changes in a table without a chunk that does.
    writer.append(UInt32(0))
    var tableCount: UInt32 = 0
    var rest = transaction.dirtyChunks[...]
    while let first = rest.first {
      let end = rest.firstIndex { $0.table != first.table } ?? rest.endIndex
      append(rest[..<end], transaction, snapshot.tables[Int(first.table)], to: &writer)
      rest = rest[end...]
      tableCount += 1
    }
    writer.replace(at: 0, with: tableCount)
    append(transaction.collections, to: &writer)
    appendBacklinks(transaction, snapshot, to: &writer)
    let place = try LogKey(version, part: part).withBytes { (key, size) throws(LMDBError) in
      try target.reserve(snapshot.file.databases.main, key, size, size: writer.bytes.count)
    }
    writer.bytes.withUnsafeBytes { place.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    if part == 0 && version % trimInterval == 0 {
      try trim(target, snapshot.file, before: min(snapshot.file.oldestPinnedVersion ?? version, version))
    }
  }

  /// One table's part of an entry.
  private static func append(
    _ chunks: ArraySlice<WriteTransaction.DirtyChunk>, _ transaction: WriteTransaction, _ table: Table,
    to writer: inout ByteWriter
  ) {
    let firstNew = table.state.pointee.firstNewRow
    // Chunks of only new rows need no detail.
    func isLogged(_ dirty: WriteTransaction.DirtyChunk) -> Bool {
      dirty.column >= 0 && Int(dirty.chunk) * chunkCapacity < firstNew
    }
    writer.append(UInt32(table.number))
    writer.appendVariable(UInt64(firstNew))
    writer.appendVariable(UInt64(table.rowLimit))
    let deleted = transaction.deletedRows.isEmpty ? nil : transaction.deletedRows[table.number]
    writer.append(deleted.map { IndexRanges($0.lazy.filter { $0 < firstNew }) } ?? IndexRanges())
    writer.appendVariable(UInt64(chunks.count(where: isLogged)))
    for dirty in chunks where isLogged(dirty) {
      writer.appendVariable(UInt64(dirty.column))
      writer.appendVariable(UInt64(dirty.chunk))
      append(bitmap: dirty.wide.writtenBitmap, to: &writer)
    }
  }

  private static func append(
    _ collections: [CollectionKey: CollectionChanges], to writer: inout ByteWriter
  ) {
    writer.append(UInt32(collections.values.count(where: \.isTracked)))
    for (key, changes) in collections where changes.isTracked {
      writer.appendVariable(UInt64(key.table))
      writer.appendVariable(UInt64(key.column))
      writer.appendVariable(UInt64(key.row))
      writer.append(changes.positions.deletions)
      writer.append(changes.positions.insertions)
      writer.append(changes.positions.modifications)
    }
  }

  /// Few rows by number, many as the bitmap.
  private static func append(bitmap: UnsafeMutableRawPointer, to writer: inout ByteWriter) {
    func word(_ index: Int) -> UInt64 {
      UInt64(littleEndian: bitmap.load(fromByteOffset: index * 8, as: UInt64.self))
    }
    let count = (0..<chunkBitmapSize / 8).reduce(0) { $0 + word($1).nonzeroBitCount }
    guard count < chunkBitmapSize / 2 else {
      writer.appendVariable(UInt64(chunkCapacity))
      writer.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bitmap, count: chunkBitmapSize))
      return
    }
    writer.appendVariable(UInt64(count))
    for index in 0..<chunkBitmapSize / 8 {
      var bits = word(index)
      while bits != 0 {
        writer.appendVariable(UInt64(index * 64 + bits.trailingZeroBitCount))
        bits &= bits - 1
      }
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
      let (code, logged) = LogKey(0).withBytes { bytes, size in
        var key = MDB_val(mv_size: size, mv_data: UnsafeMutableRawPointer(mutating: bytes))
        return (mdb_cursor_get(opened, &key, &value, MDB_SET_RANGE), LogKey.version(key))
      }
      guard code == 0, let logged, logged < version else { return }
      try target.checkBeforeDeleting(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
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
      var part: UInt32 = 0
      // What repairs the file after a writer died is a version without changes.
      while let logged = LogKey(number, part: part).withBytes({
        lease.transaction.get(file.databases.main, $0, $1)
      }) {
        guard let next = VersionChanges(logged), isSound(next) else { return nil }
        if changes.isEmpty { changes = next } else { changes.merge(next) }
        part += 1
      }
    }
    return changes
  }
}

extension Snapshot {
  /// Whether an entry of the log names only what is there: whoever follows the data goes through all of it.
  private func isSound(_ changes: VersionChanges) -> Bool {
    changes.tables.allSatisfy { number, table in
      guard number < tables.count, table.rowLimit <= tables[number].rowLimit else { return false }
      return table.firstNewRow <= table.rowLimit && table.deleted.last ?? -1 < table.firstNewRow
        && table.modified.keys.allSatisfy { $0 < catalogue.tables[number].columns.count }
    }
      && changes.collections.keys.allSatisfy {
        $0.table < tables.count && $0.row < tables[$0.table].rowLimit
          && $0.column < catalogue.tables[$0.table].columns.count
      }
      && changes.backlinks.allSatisfy { key, rows in
        key.target < tables.count && key.origin < tables.count
          && key.column < catalogue.tables[key.origin].columns.count
          && rows.last ?? -1 < tables[key.target].rowLimit
      }
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
        guard let column = reader.readInteger(), let chunk = reader.readInteger(), chunk <= Int(UInt32.max),
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

/// No row and no position in a collection is beyond it.
private let largestPosition = 1 << 40

extension ByteReader {
  mutating func readInteger() -> Int? { readVariable().flatMap { Int(exactly: $0) } }

  mutating func readRanges() -> IndexRanges? {
    guard let count = readInteger() else { return nil }
    var ranges = IndexRanges()
    var end = 0
    for _ in 0..<count {
      guard let gap = readInteger(), let length = readInteger(), gap <= largestPosition - end,
        length <= largestPosition - end - gap
      else { return nil }
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
        guard let index = readInteger(), index < chunkCapacity, first + index >= rows.last ?? 0 else {
          return nil
        }
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
