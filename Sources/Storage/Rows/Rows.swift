// Creating and deleting rows, with everything that hangs on them.
extension Table {
  /// Adds a row. Its values are zero or null until written; the indexed ones must be written.
  @inline(__always)
  package func insertRow() -> Int {
    let row = state.pointee.rowLimit
    let number = Self.chunkIndex(row)
    if number >= state.pointee.capacity { ensureCapacity(rows: row + 1) }
    if state.pointee.insertionChunk != number {
      // A stored chunk covers only the rows that it had: a new one needs all columns to be rewritten.
      let columns = snapshot.catalogue.tables[self.number].columns
      for column in -1..<state.pointee.columnCount where column < 0 || !columns[column].isRemoved {
        _ = writable(column, row)
      }
      state.pointee.insertionChunk = number
      writer.packChunks(self, number - 2)
    }
    let wide = writable(-1, row)
    let index = Self.indexInChunk(row)
    wide.setBool(index, true)
    state.pointee.rowLimit = row + 1
    state.pointee.liveCount &+= 1
    state.pointee.shared.pointee.contentStamp &+= 1
    return row
  }

  /// Deletes a row: links to it become null or leave their collections, embedded objects in it are deleted, and what it
  /// owns by the rules of its columns. Does nothing when the row is not there.
  package func deleteRow(_ row: Int) {
    state.pointee.snapshot._withUnsafeGuaranteedRef { Writer($0).deleteRow(self, row) }
  }

  /// Deletes all rows.
  package func deleteAllRows() {
    writer.deletingTogether(removeAllRows)
  }

  private func removeAllRows() {
    for number in 0..<chunkCount {
      for index in 0..<chunkCapacity {
        let row = number * chunkCapacity + index
        // Deleting one row may delete others.
        if isAlive(row) { deleteRow(row) }
      }
    }
  }
}

extension Writer {
  /// Deletes one row, and notes what is to be deleted with it.
  func removeRow(_ table: Table, _ row: Int, followsAllLinks: Bool) {
    if snapshot.hasCompoundIndexes && !snapshot.catalogue.tables[table.number].indexes.isEmpty {
      withdrawKeys(table, row, forEver: true)
    }
    // At once, so that what it deletes in turn does not come back to it.
    let presence = table.writable(-1, row)
    presence.setBool(Table.indexInChunk(row), false)
    table.state.pointee.liveCount &-= 1
    // Marked as deleted (see `WriteTransaction.DirtyChunk`).
    presence.markWritten(Table.indexInChunk(row))
    let number = table.number
    for origin in snapshot.incomingColumns(number) {
      guard snapshot.mayHaveBacklinks(from: origin.table, column: origin.number) else { continue }
      let sources = snapshot.backlinks(to: row, of: number, from: origin.table, column: origin.number)
      var previous = -1
      for source in sources where source != previous {
        previous = source
        let originTable = snapshot.table(origin.table)
        if origin.table == number && source == row { continue }
        if origin.linkRule == .deny { noteDenied(table, row, from: origin, source) }
        originTable.removeLinks(origin.number, source, to: .link(table: number, row: row))
      }
    }
    let columns = snapshot.catalogue.tables[number].columns
    for column in columns.indices {
      let roles = table.state.pointee.roles[column]
      // Most columns are plain ones. Descriptions are not copied.
      if columns[column].isRemoved || roles == 0 && columns[column].collection == .none { continue }
      if followsAllLinks || roles & ColumnRole.isOwning != 0 {
        noteOwned(by: row, of: table, column, columns[column])
      }
      if columns[column].collection != .none {
        table.removeAllElements(column, row)
      } else {
        release(table, column, row, columns[column].type, target: columns[column].target)
      }
    }
    table.state.pointee.vanishStamp &+= 1
    snapshot.noteChange()
  }

  /// Removes what refers to a value of a row that is about to disappear.
  private func release(_ table: Table, _ column: Int, _ row: Int, _ type: ValueType, target: Int) {
    let roles = table.state.pointee.roles[column]
    if roles & ColumnRole.isIndexed != 0 {
      withChanges(ofIndex: IndexNumber.values(table: table.number, column: column)) {
        $0.remove(IndexKey(table.value(column, row, type, target: target)), row: row)
      }
    }
    if roles & ColumnRole.isFullText != 0 { removeWords(table, column, row) }
    if roles & (ColumnRole.isLink | ColumnRole.isMixed) != 0 {
      let value = table.value(column, row, type, target: target)
      if value.isNull { return }
      removeBacklink(from: row, of: table.number, column: column, to: value)
      table.setRawNull(column, row)
      if case .link(let target, let child) = value {
        releaseEmbedded(table: target, row: child, from: (table.number, row))
      }
    }
  }
}
