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
      snapshot.packChunks(self, number - 2)
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
    state.pointee.snapshot._withUnsafeGuaranteedRef { $0.deleteRow(self, row) }
  }

  /// Deletes all rows.
  package func deleteAllRows() {
    snapshot.deletingTogether(removeAllRows)
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

extension Snapshot {
  /// Deletes one row, and notes what is to be deleted with it.
  func removeRow(_ table: Table, _ row: Int, followsAllLinks: Bool) {
    if hasCompoundIndexes && !catalogue.tables[table.number].indexes.isEmpty {
      withdrawKeys(table, row, forEver: true)
    }
    // At once, so that what it deletes in turn does not come back to it.
    let presence = table.writable(-1, row)
    presence.setBool(Table.indexInChunk(row), false)
    table.state.pointee.liveCount &-= 1
    // Marked as deleted (see `WriteTransaction.DirtyChunk`).
    presence.markWritten(Table.indexInChunk(row))
    let number = table.number
    for origin in incomingColumns(number) {
      guard mayHaveBacklinks(from: origin.table, column: origin.number) else { continue }
      let sources = backlinks(to: row, of: number, from: origin.table, column: origin.number)
      var previous = -1
      for source in sources where source != previous {
        previous = source
        let originTable = self.table(origin.table)
        if origin.table == number && source == row { continue }
        if origin.linkRule == .deny { noteDenied(table, row, from: origin, source) }
        originTable.removeLinks(origin.number, source, to: .link(table: number, row: row))
      }
    }
    let columns = catalogue.tables[number].columns
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
    noteChange()
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

  // MARK: Backlinks

  /// The rows whose column links to a row, ascending; a row that links several times comes as often.
  package func backlinks(to row: Int, of table: Int, from origin: Int, column: Int) -> [Int] {
    var rows: [Int] = []
    let index = IndexNumber.backlinks(table: origin, column: column)
    let key = backlinkKey(table: table, row: row, origin: origin, column: column)
    let reader = indexReader(index)
    if let changes = writing?.indexChanges[index] {
      changes.forEachRow(equalTo: key, base: reader) {
        rows.append($0)
        return true
      }
    } else {
      reader.forEachRow(equalTo: key) {
        rows.append($0)
        return true
      }
    }
    return rows
  }

  /// Returns false when no row's column links to anything.
  package func mayHaveBacklinks(from origin: Int, column: Int) -> Bool {
    let index = IndexNumber.backlinks(table: origin, column: column)
    if let activeWrite = session.active,
      activeWrite._withUnsafeGuaranteedRef({
        $0.withExistingChanges(ofIndex: index) { $0.map { !$0.isEmpty } ?? false }
      })
    {
      return true
    }
    return withIndexReader(index) { !$0.isEmpty }
  }

  func backlinkKey(table: Int, row: Int, origin: Int, column: Int) -> IndexKey {
    catalogue.tables[origin].columns[column].type == .mixed
      ? .integer(UInt64(table) << 48 | UInt64(row)) : IndexKey(row: row)
  }

  func addBacklink(from row: Int, of table: Int, column: Int, to value: Value) {
    if case .link(let target, let targetRow) = value {
      changes(ofIndex: IndexNumber.backlinks(table: table, column: column))
        .insert(backlinkKey(table: target, row: targetRow, origin: table, column: column), row: row)
      return
    }
    value.forEachLink { addBacklink(from: row, of: table, column: column, to: .link(table: $0, row: $1)) }
  }

  func removeBacklink(from row: Int, of table: Int, column: Int, to value: Value) {
    if case .link(let target, let targetRow) = value {
      changes(ofIndex: IndexNumber.backlinks(table: table, column: column))
        .remove(backlinkKey(table: target, row: targetRow, origin: table, column: column), row: row)
      return
    }
    value.forEachLink { removeBacklink(from: row, of: table, column: column, to: .link(table: $0, row: $1)) }
  }

  // MARK: Value indexes

  /// The row with a value in an indexed column, or nil. With several, the lowest. In an index that was dropped, nothing
  /// is found.
  package func firstRow(table: Int, column: Int, equalTo key: IndexKey) -> Int? {
    firstRow(index: IndexNumber.values(table: table, column: column), equalTo: key)
  }

  func firstRow(index: UInt32, equalTo key: IndexKey) -> Int? {
    withIndexReader(index) { reader in
      guard let activeWrite = session.active else { return reader.firstRow(equalTo: key) }
      return activeWrite._withUnsafeGuaranteedRef { transaction in
        if !transaction.droppedIndexes.isEmpty && transaction.droppedIndexes.contains(index) { return nil }
        return transaction.withExistingChanges(ofIndex: index) { changes in
          guard let changes else { return reader.firstRow(equalTo: key) }
          return changes.firstRow(equalTo: key, base: reader)
        }
      }
    }
  }
}
