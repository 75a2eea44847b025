import LibC

// Which rows are there: the bitmaps of live rows, the numbers of rows, and where bitmaps are lost, everything else that
// names rows.
extension FileVerifier {
  /// Reads which rows are there, and compares them with their numbers.
  func readPresence() {
    presence = Array(repeating: RowBitmaps(), count: catalogue.tables.count)
    /// Of each table, the chunks whose bitmap is there and damaged.
    var damaged: [Int: [Int]] = [:]
    var entries = entries(of: .columns)
    while let entry = entries.next() {
      guard let key = ColumnKey.Place(entry.key), key.column < 0, presence.indices.contains(key.table) else {
        continue
      }
      if key.chunk * chunkCapacity >= rowLimit(key.table) {
        let rows = key.chunk * chunkCapacity..<(key.chunk + 1) * chunkCapacity
        note("objects beyond the last one", .nothing, table: key.table, rows: rows)
        continue
      }
      let bits = liveRows(entry)
      presence[key.table].append(key.chunk, bits)
      if bits == nil { damaged[key.table, default: []].append(key.chunk) }
    }
    let lost = findLostRows(damaged)
    for table in presence.indices where !catalogue.tables[table].isRemoved {
      let count = presence[table].count
      let isWhole = count == liveCounts[table]
      for chunk in damaged[table] ?? [] {
        let rows = chunk * chunkCapacity..<(chunk + 1) * chunkCapacity
        note(
          "which objects are there cannot be read", isWhole ? .nothing : .objects, table: table, rows: rows)
      }
      if let found = lost[table]?.count, found > 0 {
        let reason = "\(found) objects are known only by what names them: their live-row bitmaps are damaged"
        note(reason, .nothing, table: table)
      }
      if liveCounts[table] >= 0, !isWhole {
        note(
          "\(count) objects are there instead of \(liveCounts[table])",
          count < liveCounts[table] ? .objects : .nothing, table: table)
      }
    }
  }

  private func rowLimit(_ table: Int) -> Int {
    min(rowLimits[table] < 0 ? .max : rowLimits[table], Int(Snapshot.largestRowLimit))
  }

  /// The bitmap in an entry; nil when it is damaged.
  private func liveRows(_ entry: EntryIterator.Entry) -> UnsafeRawPointer? {
    let check = ChunkCheck(layout: .bits, allowsLongValues: false)
    if check.fault(in: entry.value) != nil { return nil }
    let chunk = Chunk(entry.value.baseAddress!)
    return chunk.count == chunkCapacity ? chunk.values : nil
  }

  // MARK: Rows whose bitmaps are lost

  /// Adds the rows whose bitmaps are lost, as far as something else says that they are there. Returns those of each table.
  private func findLostRows(_ damaged: [Int: [Int]]) -> [Int: Set<Int>] {
    let tables = presence.indices.filter { table in
      !catalogue.tables[table].isRemoved
        && (liveCounts[table] < 0 ? damaged[table] != nil : presence[table].count < liveCounts[table])
    }
    if tables.isEmpty { return [:] }
    var lost = LostRows(tables: tables.map { ($0, presence[$0], damaged[$0] ?? []) })
    for table in tables {
      // No row of those chunks was deleted.
      let missing = rowLimit(table) - lost.soundRowCount(table, below: rowLimit(table))
      if liveCounts[table] >= 0, missing == liveCounts[table] - presence[table].count {
        lost.addAll(table, below: rowLimit(table))
      }
    }
    addRowsOfIndexes(&lost)
    addRowsOfKeys(&lost)
    for (table, rows) in lost.rows {
      for row in rows.sorted() where row < rowLimit(table) { presence[table].insert(row) }
    }
    return lost.rows
  }

  /// Adds the rows that indexes of their table name: those of deleted rows are removed with them.
  private func addRowsOfIndexes(_ lost: inout LostRows) {
    var entries = entries(of: .indexes)
    while let entry = entries.next() {
      guard entry.key.count > IndexFormat.regionSize,
        let kind = IndexKeyKind(rawValue: entry.key[IndexFormat.regionSize - 1])
      else { continue }
      let index = UInt32(bigEndian: entry.key.loadUnaligned(as: UInt32.self))
      let table = IndexNumber.place(index).table
      if !lost.looksFor(table) || !isKnown(index) { continue }
      if kind == .bytes {
        Self.addRows(of: BytesPair.Block.self, entry.value, table, &lost)
      } else {
        Self.addRows(of: IntegerPair.Block.self, entry.value, table, &lost)
      }
    }
  }

  private static func addRows<Block: IndexBlock>(
    of _: Block.Type, _ value: UnsafeRawBufferPointer, _ table: Int, _ lost: inout LostRows
  ) {
    if Block.fault(in: value) != nil { return }
    let block = Block(value.baseAddress!)
    for place in 0..<block.count { lost.add(table, Int(clamping: block.row(place))) }
  }

  /// Adds the rows that have long values or collections.
  private func addRowsOfKeys(_ lost: inout LostRows) {
    for tree in [EntryTree.values, .collections] {
      var entries = entries(of: tree)
      while let entry = entries.next() {
        guard entry.key.count >= ValueKey.size else { continue }
        let table = Int(UInt32(bigEndian: entry.key.loadUnaligned(as: UInt32.self)))
        let row = UInt64(bigEndian: entry.key.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        if lost.looksFor(table), lost.mayLack(table, Int(clamping: row)) {
          lost.add(table, Int(clamping: row))
        }
      }
    }
  }
}

/// The rows whose bitmaps are lost and of which something else says that they are there.
private struct LostRows {
  private(set) var rows: [Int: Set<Int>] = [:]
  /// Of each table that lacks rows, the chunks whose bitmap is sound.
  private var soundChunks: [Int: Set<Int>] = [:]

  init(tables: [(table: Int, bitmaps: RowBitmaps, damaged: [Int])]) {
    for (table, bitmaps, damaged) in tables {
      soundChunks[table] = Set(bitmaps.chunks).subtracting(damaged)
      rows[table] = []
    }
  }

  func looksFor(_ table: Int) -> Bool { soundChunks[table] != nil }

  func mayLack(_ table: Int, _ row: Int) -> Bool {
    soundChunks[table].map { !$0.contains(row / chunkCapacity) } ?? false
  }

  /// The number of rows below a limit that the sound bitmaps cover.
  func soundRowCount(_ table: Int, below limit: Int) -> Int {
    (soundChunks[table] ?? []).reduce(0) { $0 + max(0, min(chunkCapacity, limit - $1 * chunkCapacity)) }
  }

  mutating func add(_ table: Int, _ row: Int) {
    if mayLack(table, row) { rows[table]!.insert(row) }
  }

  mutating func addAll(_ table: Int, below limit: Int) {
    for chunk in 0...max(0, limit - 1) / chunkCapacity where mayLack(table, chunk * chunkCapacity) {
      for row in chunk * chunkCapacity..<min(limit, (chunk + 1) * chunkCapacity) { rows[table]!.insert(row) }
    }
  }
}
