import Glibc

// The memory behind the tables: where their chunks are, as far as they have been touched.
extension Snapshot {
  func allocateTable(_ number: Int, columnCount: Int) -> Table {
    let state = UnsafeMutablePointer<TableState>.allocate(capacity: 1)
    let capacity = 4
    let columns = UnsafeMutablePointer<UnsafeMutablePointer<UnsafeRawPointer?>>.allocate(
      capacity: columnCount + 1)
    for slot in 0...columnCount { columns[slot] = Self.allocatePointers(capacity) }
    state.initialize(
      to: TableState(
        thread: confinedThread, vanishStamp: 0, trackingOffset: trackingOffset, rowLimit: 0, liveCount: 0,
        columns: columns + 1,
        columnCount: columnCount, roles: ColumnRole.allocate(catalogue.tables[number].columns),
        capacity: capacity, insertionChunk: -1, firstNewRow: 0,
        number: number, shared: shared,
        snapshot: .passUnretained(self), owner: nil))
    Fork.add(state)
    return Table(state)
  }

  private static func allocatePointers(_ capacity: Int) -> UnsafeMutablePointer<UnsafeRawPointer?> {
    calloc(capacity, MemoryLayout<UnsafeRawPointer?>.stride)!.assumingMemoryBound(to: UnsafeRawPointer?.self)
  }

  func deallocate(_ table: Table) {
    Fork.remove(table.state)
    let state = table.state.pointee
    for slot in -1..<state.columnCount { free(state.columns[slot]) }
    (state.columns - 1).deallocate()
    state.roles.deallocate()
    table.state.deallocate()
  }

  /// Columns become fewer only when a transaction that added them is cancelled, after `clearPointers`.
  func resizeColumns(_ table: Table, to count: Int) {
    let old = table.state.pointee
    if count == old.columnCount { return }
    let columns = UnsafeMutablePointer<UnsafeMutablePointer<UnsafeRawPointer?>>.allocate(capacity: count + 1)
    for slot in 0...count {
      columns[slot] =
        slot <= old.columnCount ? old.columns[slot - 1] : Self.allocatePointers(old.capacity)
    }
    for slot in min(count, old.columnCount)..<old.columnCount { free(old.columns[slot]) }
    (old.columns - 1).deallocate()
    table.state.pointee.columns = columns + 1
    table.state.pointee.columnCount = count
    table.state.pointee.insertionChunk = -1
  }

  /// Makes the pointer tables large enough for that many rows.
  func ensureCapacity(_ table: Table, rows: Int) {
    let needed = (rows + chunkCapacity - 1) / chunkCapacity
    let old = table.state.pointee.capacity
    if needed <= old { return }
    let capacity = max(needed, old * 2)
    for column in -1..<table.state.pointee.columnCount {
      let grown = Self.allocatePointers(capacity)
      memcpy(grown, table.state.pointee.columns[column], old * MemoryLayout<UnsafeRawPointer?>.stride)
      free(table.state.pointee.columns[column])
      table.state.pointee.columns[column] = grown
    }
    table.state.pointee.capacity = capacity
  }

  /// Forgets where the chunks are. Cost: proportional to the chunks touched since the last time.
  func clearPointers() {
    freePaddedChunks()
    if filled.count < Self.filledLimit {
      for slot in filled where slot.table < tables.count {
        tables[Int(slot.table)].state.pointee.columns[Int(slot.column)][Int(slot.chunk)] = nil
      }
    } else {
      for table in tables {
        let state = table.state.pointee
        for column in -1..<state.columnCount {
          memset(state.columns[column], 0, state.capacity * MemoryLayout<UnsafeRawPointer?>.stride)
        }
      }
    }
    filled.removeAll(keepingCapacity: true)
  }

  func freePaddedChunks() {
    paddedChunks.withLock { chunks in
      for address in chunks { free(UnsafeMutableRawPointer(bitPattern: address)) }
      chunks.removeAll()
    }
  }

  /// Forgets where those chunks are whose addresses are not to be kept.
  func keepPointers(where isKept: (UnsafeRawPointer) -> Bool) {
    // Their addresses are no pages', so that none is kept.
    freePaddedChunks()
    if filled.count < Self.filledLimit {
      filled.removeAll { slot in
        if slot.table >= tables.count { return true }
        let place = tables[Int(slot.table)].state.pointee.columns[Int(slot.column)] + Int(slot.chunk)
        if let address = place.pointee, isKept(address) { return false }
        place.pointee = nil
        return true
      }
      return
    }
    for table in tables {
      let state = table.state.pointee
      for column in -1..<state.columnCount {
        let pointers = state.columns[column]
        for chunk in 0..<state.capacity {
          if let address = pointers[chunk], !isKept(address) { pointers[chunk] = nil }
        }
      }
    }
  }
}
