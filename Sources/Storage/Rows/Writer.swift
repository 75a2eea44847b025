/// Write access to a snapshot: begins, stages, commits and cancels its write transactions, and changes its catalogue and its rows.
///
/// A writer has no state but a reference to the snapshot, so that one can be created wherever it is needed. The snapshot shows what
/// its open write transaction has changed. If the snapshot is released before that transaction ends, the transaction is rolled back
/// and the writer lock released.
///
/// Values, rows and elements are written through a `Table` of the snapshot. These writes need an open write transaction, too.
package struct Writer {
  package let snapshot: Snapshot

  package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// The open write transaction.
  ///
  /// - Precondition: There is one.
  package var transaction: WriteTransaction {
    guard let transaction = snapshot.writing else {
      preconditionFailure("written outside a write transaction")
    }
    return transaction
  }

  // MARK: Chunks

  /// Makes a chunk mutable.
  func makeWide(_ table: Table, _ column: Int, _ chunk: Int) -> WideChunk {
    let transaction = transaction
    let layout: ChunkLayout
    let isNullable: Bool
    if column < 0 {
      layout = .bits
      isNullable = false
    } else {
      let columns = snapshot.catalogue.tables[table.number].columns
      layout = columns[column].layout
      isNullable = columns[column].isNullable && columns[column].collection == .none
    }
    let isStored = chunk * chunkCapacity < table.state.pointee.firstNewRow
    let stored = isStored ? table.chunk(column, number: chunk) : nil
    let wide = WideChunk.allocate(
      layout, isNullable: isNullable, clearsValues: stored.map { $0.count < chunkCapacity } ?? true)
    let place = WriteTransaction.ChunkPlace(
      table: Int32(table.number), column: Int32(column), chunk: Int32(chunk))
    if let stored {
      wide.copy(stored, layout: layout) { index in
        snapshot.longValue(table: table.number, column: column, row: chunk * chunkCapacity + index)
      }
    }
    if transaction.packedChunks.isEmpty || !unpack(transaction, place, wide) {
      transaction.dirtyChunks.append(
        .init(table: place.table, column: place.column, chunk: place.chunk, wide: wide))
    }
    table.state.pointee.columns[column][chunk] = UnsafeRawPointer(wide.base)
    return wide
  }

  /// Calls the body with the open transaction without retaining it, for paths where reference counting dominates.
  @inline(__always)
  func withTransaction<Result>(_ body: (WriteTransaction) -> Result) -> Result {
    guard let active = snapshot.session.active else {
      preconditionFailure("written outside a write transaction")
    }
    return active._withUnsafeGuaranteedRef(body)
  }

  // MARK: Indexes

  /// Returns the changes of an index in this transaction.
  func changes(ofIndex index: UInt32) -> IndexChanges {
    withChanges(ofIndex: index) { $0 }
  }

  /// Calls the body with the changes of an index without retaining them, for paths where reference counting dominates.
  @inline(__always)
  func withChanges<Result>(ofIndex index: UInt32, _ body: (IndexChanges) -> Result) -> Result {
    withTransaction { transaction in
      if transaction.lastIndex == index, let last = transaction.lastIndexChanges {
        return last._withUnsafeGuaranteedRef(body)
      }
      return body(transaction.findChanges(ofIndex: index))
    }
  }

  /// Lets an index be deleted when the transaction commits. Cost: none now.
  func dropIndex(_ index: UInt32) {
    let transaction = transaction
    transaction.droppedIndexes.insert(index)
    transaction.forgetChanges(ofIndex: index)
    snapshot.noteChange()
  }

  // MARK: Backlinks

  /// Adds the links of a value to the index of its column's backlinks.
  func addBacklink(from row: Int, of table: Int, column: Int, to value: Value) {
    if case .link(let target, let targetRow) = value {
      changes(ofIndex: IndexNumber.backlinks(table: table, column: column))
        .insert(snapshot.backlinkKey(table: target, row: targetRow, origin: table, column: column), row: row)
      return
    }
    value.forEachLink { addBacklink(from: row, of: table, column: column, to: .link(table: $0, row: $1)) }
  }

  /// Removes the links of a value from the index of its column's backlinks.
  func removeBacklink(from row: Int, of table: Int, column: Int, to value: Value) {
    if case .link(let target, let targetRow) = value {
      changes(ofIndex: IndexNumber.backlinks(table: table, column: column))
        .remove(snapshot.backlinkKey(table: target, row: targetRow, origin: table, column: column), row: row)
      return
    }
    value.forEachLink { removeBacklink(from: row, of: table, column: column, to: .link(table: $0, row: $1)) }
  }
}

extension Table {
  /// The writer of the table's snapshot.
  @inline(__always) var writer: Writer { Writer(snapshot) }

  /// Makes a chunk of a column mutable; for inlined code, to which the writer is not known.
  @usableFromInline @inline(never)
  func makeWide(_ column: Int, _ chunk: Int) -> WideChunk { writer.makeWide(self, column, chunk) }
}
