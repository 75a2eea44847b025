// Finding what is in the file when it is first touched.
extension Snapshot {
  /// The transaction that everything is read from.
  var source: EntryTransaction { session.staged?.target ?? lease.transaction }

  /// Finds a chunk in the file that a property access cannot find, and remembers where it is.
  @usableFromInline @inline(never)
  func loadChunk(_ table: Table, _ column: Int, _ chunk: Int) -> UnsafeRawPointer {
    let address: UnsafeRawPointer
    let key = ColumnKey(table: table.number, column: column, chunk: chunk)
    let found = key.withBytes {
      source.value(.columns, $0, ColumnKey.size) {
        report(damagedTable: table.number, column: column, "chunk \(chunk)", $0)
      }
    }
    if let stored = found {
      address = checked(stored, table, column, chunk)
    } else {
      address = constantChunk(table.number, column)
      if chunk * chunkCapacity < storedLimit(table) { checkMissing(table, column, chunk) }
    }
    remember(table, column, chunk, address)
    return address
  }

  /// Reports that a chunk is not in the file, unless that is as it should be.
  private func checkMissing(_ table: Table, _ column: Int, _ chunk: Int) {
    if column < 0 { return checkAbsentRows(of: table) }
    if isPromised(table, column, chunk) {
      report(damagedTable: table.number, column: column, "chunk \(chunk)", "it is missing")
    }
  }

  /// Chunks from here on are only in memory, where the open write transaction has made them.
  private func storedLimit(_ table: Table) -> Int {
    writing == nil ? table.rowLimit : table.state.pointee.firstNewRow
  }

  /// Whether a chunk must be in the file: it has rows, and the column was there before all of them.
  private func isPromised(_ table: Table, _ column: Int, _ chunk: Int) -> Bool {
    let description = catalogue.tables[table.number].columns[column]
    if chunk * chunkCapacity < description.rowsBefore || description.isRemoved { return false }
    let presence = table.chunk(-1, number: chunk)
    return (0..<chunkCapacity / 64).contains {
      presence.values.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) != 0
    }
  }

  func constantChunk(_ table: Int, _ column: Int) -> UnsafeRawPointer {
    if column < 0 { return ConstantChunk.chunk(.bits, isNullable: false) }
    let description = catalogue.tables[table].columns[column]
    return ConstantChunk.chunk(
      description.layout, isNullable: description.isNullable && description.collection == .none)
  }

  func remember(_ table: Table, _ column: Int, _ chunk: Int, _ address: UnsafeRawPointer?) {
    Table.store(address, table.slot(column, chunk))
    // A shared snapshot stays at its version, and has several threads.
    if isShared { return }
    touchedChunks.append(table: table.number, column: column, chunk: chunk)
  }

  /// Forgets where the chunks are. Cost: proportional to the chunks touched since the last time.
  func clearPointers() {
    paddedChunks.freeAll()
    touchedChunks.forgetAll(in: tables)
  }

  /// Forgets where those chunks are whose addresses are not to be kept.
  func keepPointers(where isKept: (UnsafeRawPointer) -> Bool) {
    // Their addresses are not in the file's map, so that none is kept.
    paddedChunks.freeAll()
    touchedChunks.forget(in: tables, unless: isKept)
  }

  /// A value that is kept under a key of its own.
  @usableFromInline @inline(never)
  func longValue(table: Int, column: Int, row: Int) -> UnsafeRawBufferPointer {
    let key = ValueKey(table: table, column: column, row: row)
    let stored = key.withBytes {
      source.value(.values, $0, ValueKey.size) {
        report(damagedTable: table, column: column, "row \(row)", $0)
      }
    }
    return checkedLongValue(stored, table: table, column: column, row: row)
  }
}
