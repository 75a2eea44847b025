import LibC

/// The change log: what each commit changed, stored under its version, for observers.
///
/// The entries are stored in the main tree, in a node that every commit writes in any case. Transactions that became one
/// version together have one each.
///
///   u32 tables, for each: u32 number · first new row · row limit · deleted rows · chunks, for each: column, chunk,
///   the rows written: their number and each, or `chunkCapacity` and the bitmap of all
///   u32 collections of rows that were there before, for each: table, column, row, then the positions deleted,
///   inserted and modified
///   changed backlinks, see `appendBacklinks`
///   in a synced file what `SyncedPart` says
/// Numbers without a size are of variable length; lists begin with their count. Positions and deleted rows are
/// ranges: the gap to the end of the one before, and the length.
enum ChangeLog {
  /// How many entries readers that follow soon leave behind.
  private static let keptEntries: UInt64 = 64

  /// Adds the entry of a transaction whose chunks have been stored, and are in order therefore.
  ///
  /// - Parameter part: How many others of the same version come before it.
  static func append(
    _ transaction: WriteTransaction, _ snapshot: Snapshot, _ target: EntryTransaction, part: UInt32
  ) throws(EntryError) {
    let version = target.version
    var writer = ByteWriter()
    writer.bytes.reserveCapacity(64)
    // Nothing changes in a table without a chunk that does.
    writer.append(UInt32(0))
    var tableCount: UInt32 = 0
    var rest = transaction.dirtyChunks[...]
    while let first = rest.first {
      let end = rest.firstIndex { $0.table != first.table } ?? rest.endIndex
      append(rest[..<end], snapshot.tables[Int(first.table)], to: &writer)
      rest = rest[end...]
      tableCount += 1
    }
    writer.replace(at: 0, with: tableCount)
    append(transaction.collections, to: &writer)
    appendBacklinks(transaction, snapshot, to: &writer)
    if snapshot.catalogue.isSynced { SyncedPart.append(transaction, snapshot, to: &writer) }
    try LogKey(version, part: part).withBytes { (key, size) throws(EntryError) in
      try target.store(.main, key, size, writer.bytes)
    }
    if part == 0 && version % LogBlock.factor == 0 {
      var oldest = min(snapshot.file.oldestPinnedVersion ?? version, version)
      if snapshot.catalogue.isSynced { oldest = min(oldest, snapshot.firstKeptVersion(target)) }
      try trim(target, .main, before: oldest)
      if version - oldest >= keptEntries {
        try LogBlock.pack(target, .main, before: version)
      }
    }
  }

  /// Adds the entry of a version without changes.
  ///
  /// - Parameter version: Nil for the version of the transaction.
  static func appendNothing(
    _ target: EntryTransaction, _ tree: EntryTree, version: UInt64? = nil
  ) throws(EntryError) {
    let entry = emptyEntry
    try LogKey(version ?? target.version).withBytes { (key, size) throws(EntryError) in
      try target.store(tree, key, size, entry)
    }
  }

  /// The entry of a version without changes.
  static var emptyEntry: [UInt8] {
    var writer = ByteWriter()
    writer.append(UInt32(0))
    writer.append(UInt32(0))
    writer.appendVariable(0)
    return writer.bytes
  }

  /// One table's part of an entry.
  private static func append(
    _ chunks: ArraySlice<WriteTransaction.DirtyChunk>, _ table: Table, to writer: inout ByteWriter
  ) {
    let firstNew = table.state.pointee.firstNewRow
    // Chunks of only new rows need no detail.
    func isLogged(_ dirty: WriteTransaction.DirtyChunk) -> Bool {
      dirty.column >= 0 && Int(dirty.chunk) * chunkCapacity < firstNew
    }
    writer.append(UInt32(table.number))
    writer.appendVariable(UInt64(firstNew))
    writer.appendVariable(UInt64(table.rowLimit))
    writer.append(deletedRows(chunks, below: firstNew))
    writer.appendVariable(UInt64(chunks.count(where: isLogged)))
    for dirty in chunks where isLogged(dirty) {
      writer.appendVariable(UInt64(dirty.column))
      writer.appendVariable(UInt64(dirty.chunk))
      append(bitmap: dirty.writtenBitmap, to: &writer)
    }
  }

  /// The bitmaps of presence come first among a table's chunks, in order.
  private static func deletedRows(
    _ chunks: ArraySlice<WriteTransaction.DirtyChunk>, below limit: Int
  ) -> IndexRanges {
    var deleted = IndexRanges()
    for dirty in chunks {
      let first = Int(dirty.chunk) * chunkCapacity
      if dirty.column >= 0 || first >= limit { break }
      deleted.append(bitmap: UnsafeRawPointer(dirty.wide.writtenBitmap), first: first)
    }
    return deleted.last.map { $0 >= limit } ?? false ? deleted.clamped(to: 0..<limit) : deleted
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

  /// Erases what a copy of a file has of the original's log, whose versions have other numbers. For a transaction that
  /// has just begun.
  static func eraseForeign(_ target: EntryTransaction, _ tree: EntryTree) throws(EntryError) {
    try erase(target, tree, from: target.version, before: .max)
    try appendNothing(target, tree)
  }

  /// Whether there is anything of that, for a read transaction.
  static func hasForeign(_ reader: EntryTransaction, _ tree: EntryTree) throws(EntryError) -> Bool {
    let cursor = try LogCursor(reader, tree)
    defer { cursor.close() }
    return try cursor.seek(reader.version + 1) != nil
  }

  private static func trim(
    _ target: EntryTransaction, _ tree: EntryTree, before version: UInt64
  ) throws(EntryError) {
    try erase(target, tree, from: 0, before: version)
  }

  private static func erase(
    _ target: EntryTransaction, _ tree: EntryTree, from first: UInt64, before version: UInt64
  ) throws(EntryError) {
    let cursor = try LogCursor(target, tree)
    defer { cursor.close() }
    while let logged = try cursor.seek(first), logged.version < version { try cursor.delete() }
  }
}

// MARK: Reading

extension Snapshot {
  /// What happened after a version that this snapshot, or another one, has held until now, up to the one that is
  /// read. Nil when that is not known, so that everything may have changed: the log is damaged, or no longer has it.
  package func changes(after version: UInt64) -> VersionChanges? {
    guard version < self.version else { return VersionChanges() }
    var changes = MergedChanges()
    var last = version
    func add(_ logged: UInt64, _ bytes: UnsafeRawBufferPointer) -> Bool {
      if logged <= version { return true }
      // Every version has an entry, also one that changed nothing, or several.
      guard logged == last || logged == last + 1, logged <= self.version,
        let next = VersionChanges(bytes), isSound(next)
      else { return false }
      last = logged
      changes.append(next)
      return true
    }
    do throws(EntryError) {
      let cursor = try LogCursor(lease.transaction, .main)
      defer { cursor.close() }
      var logged = try cursor.seek(version + 1)
      while let entry = logged {
        let value = entry.value
        let isRead = entry.isBlock ? LogBlock.forEachEntry(value, add) : add(entry.version, value)
        if !isRead { return nil }
        logged = try cursor.next()
      }
    } catch {
      if error.isOfSystem { report(damage: "the change log: \(error.fault)") }
      return nil
    }
    return last == self.version ? changes.all : nil
  }
}

/// The changes of many versions one after the other, merged so that none is looked at often.
private struct MergedChanges {
  /// Each of fewer versions than the one before.
  private var parts: [(changes: VersionChanges, count: Int)] = []

  mutating func append(_ next: VersionChanges) {
    parts.append((next, 1))
    while parts.count > 1, parts[parts.count - 1].count == parts[parts.count - 2].count {
      let last = parts.removeLast()
      parts[parts.count - 1].changes.merge(last.changes)
      parts[parts.count - 1].count += last.count
    }
  }

  var all: VersionChanges {
    guard var all = parts.last?.changes else { return VersionChanges() }
    for part in parts.dropLast().reversed() {
      var joined = part.changes
      joined.merge(all)
      all = joined
    }
    return all
  }
}

extension Snapshot {
  /// Returns whether an entry of the log names only existing tables, columns and rows: observers process all of it.
  func isSound(_ changes: VersionChanges) -> Bool {
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
    self.init(&reader)
  }

  init?(_ reader: inout ByteReader) {
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
    rows.append(bitmap: bitmap.baseAddress!, first: first)
    return rows
  }
}

extension IndexRanges {
  /// Adds the rows of a chunk that begins at `first`, behind the last member.
  fileprivate mutating func append(bitmap: UnsafeRawPointer, first: Int) {
    for word in 0..<chunkBitmapSize / 8 {
      var bits = UInt64(littleEndian: bitmap.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self))
      while bits != 0 {
        let start = bits.trailingZeroBitCount
        let length = (~(bits >> start)).trailingZeroBitCount
        let position = first + word * 64 + start
        append(position..<position + length)
        bits = start + length >= 64 ? 0 : bits & (~0 << (start + length))
      }
    }
  }
}
