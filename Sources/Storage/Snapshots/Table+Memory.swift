import LibC

// The memory behind a table: a `TableState`, and for each column the addresses of its chunks.
extension Table {
  /// An empty table of a snapshot.
  static func allocate(_ number: Int, _ description: TableDescription, _ snapshot: Snapshot) -> Table {
    let columns = description.columns
    let state = ConfinedMemory.allocate(TableState.self, thread: snapshot.confinedThread)
    let capacity = 4
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<UnsafeRawPointer?>>.allocate(
      capacity: columns.count + 1)
    for slot in 0...columns.count { pointers[slot] = allocatePointers(capacity) }
    state.initialize(
      to: TableState(
        vanishStamp: 0, trackingOffset: snapshot.trackingOffset,
        buildsShortStrings: snapshot.buildsShortStrings, rowLimit: 0,
        liveCount: 0, columns: pointers + 1, columnCount: columns.count,
        roles: ColumnRole.allocate(description), widths: Self.allocateWidths(description),
        capacity: capacity, insertionChunk: -1, firstNewRow: 0, number: number, shared: snapshot.shared,
        snapshot: .passUnretained(snapshot), owner: nil))
    return Table(state)
  }

  private static func allocatePointers(_ capacity: Int) -> UnsafeMutablePointer<UnsafeRawPointer?> {
    calloc(capacity, MemoryLayout<UnsafeRawPointer?>.stride)!.assumingMemoryBound(to: UnsafeRawPointer?.self)
  }

  /// Where the address of a chunk is, or will be.
  package func slot(_ column: Int, _ chunk: Int) -> UnsafeMutablePointer<UnsafeRawPointer?> {
    state.pointee.columns[column] + chunk
  }

  private static func allocateWidths(_ description: TableDescription) -> UnsafeMutablePointer<UInt8> {
    let widths = UnsafeMutablePointer<UInt8>.allocate(capacity: max(description.columns.count, 1))
    for (number, column) in description.columns.enumerated() {
      let width = column.layout == .bytes ? markOfBytes : UInt8(WideChunk.width(column.layout))
      (widths + number).initialize(to: width)
    }
    return widths
  }

  func deallocate() {
    for slot in -1..<state.pointee.columnCount { free(state.pointee.columns[slot]) }
    (state.pointee.columns - 1).deallocate()
    state.pointee.roles.deallocate()
    state.pointee.widths.deallocate()
    ConfinedMemory.deallocate(state)
  }

  /// Makes the table fit its description. Columns become fewer only when a transaction that added them is cancelled,
  /// after `Snapshot.clearPointers`.
  func resize(to description: TableDescription) {
    resizePointers(columnCount: description.columns.count)
    state.pointee.roles.deallocate()
    state.pointee.roles = ColumnRole.allocate(description)
    state.pointee.widths.deallocate()
    state.pointee.widths = Self.allocateWidths(description)
  }

  private func resizePointers(columnCount count: Int) {
    let old = state.pointee
    if count == old.columnCount { return }
    let columns = UnsafeMutablePointer<UnsafeMutablePointer<UnsafeRawPointer?>>.allocate(capacity: count + 1)
    for slot in 0...count {
      columns[slot] =
        slot <= old.columnCount ? old.columns[slot - 1] : Self.allocatePointers(old.capacity)
    }
    for slot in min(count, old.columnCount)..<old.columnCount { free(old.columns[slot]) }
    (old.columns - 1).deallocate()
    state.pointee.columns = columns + 1
    state.pointee.columnCount = count
    state.pointee.insertionChunk = -1
  }

  /// Makes room for the chunks of that many rows; in a shared snapshot before anything was read.
  func ensureCapacity(rows: Int) {
    let needed = (rows + chunkCapacity - 1) / chunkCapacity
    let old = state.pointee.capacity
    if needed <= old { return }
    let capacity = max(needed, old * 2)
    for column in -1..<state.pointee.columnCount {
      let grown = Self.allocatePointers(capacity)
      memcpy(grown, state.pointee.columns[column], old * MemoryLayout<UnsafeRawPointer?>.stride)
      free(state.pointee.columns[column])
      state.pointee.columns[column] = grown
    }
    state.pointee.capacity = capacity
  }

  func clearPointers() {
    let state = state.pointee
    for column in -1..<state.columnCount {
      memset(slot(column, 0), 0, state.capacity * MemoryLayout<UnsafeRawPointer?>.stride)
    }
  }

  func clearPointers(unless isKept: (UnsafeRawPointer) -> Bool) {
    let state = state.pointee
    for column in -1..<state.columnCount {
      let pointers = state.columns[column]
      for chunk in 0..<state.capacity {
        if let address = pointers[chunk], !isKept(address) { pointers[chunk] = nil }
      }
    }
  }
}
