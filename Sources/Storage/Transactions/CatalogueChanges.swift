// Changing the tables of a file, within a write transaction. The changes become visible to its snapshot at once
// and to others with the commit.
//
// After a rollback the `Table`s that the transaction created are no longer valid.
extension Writer {
  /// Replaces the catalogue. Tables and columns may only be added at the end or marked as removed.
  package func setCatalogue(_ new: Catalogue) {
    let transaction = transaction
    do {
      try checkSize(of: new)
      transaction.isCatalogueChanged = true
      var new = withRowsBefore(new)
      new.isSynced = snapshot.catalogue.isSynced
      snapshot.install(new)
    } catch {
      // The transaction cannot be committed any more.
      transaction.failure = error
    }
  }

  /// The catalogue with what its new columns have to know of the rows that are there.
  private func withRowsBefore(_ new: Catalogue) -> Catalogue {
    var new = new
    for (number, old) in snapshot.catalogue.tables.enumerated() {
      for column in new.tables[number].columns.indices.dropFirst(old.columns.count) {
        new.tables[number].columns[column].rowsBefore = snapshot.tables[number].rowLimit
      }
    }
    return new
  }

  /// Returns the error for a changed catalogue that could not be read again, with which the file would be lost; nil if it can be read.
  func unreadableCatalogue(_ transaction: WriteTransaction) -> StorageError? {
    if !transaction.isCatalogueChanged || snapshot.catalogue.isSound { return nil }
    return StorageError(
      .other, path: snapshot.file.path,
      message:
        "The classes of the Realm file at path '\(snapshot.file.path)' contradict each other: names are there twice, or a property cannot be what it is declared as."
    )
  }

  /// Throws when there are more tables or columns than the file can number.
  package func checkSize(of catalogue: Catalogue) throws(StorageError) {
    if catalogue.tables.count > IndexNumber.tableLimit {
      throw StorageError(
        .other, path: snapshot.file.path,
        message:
          "The Realm file at path '\(snapshot.file.path)' cannot have more than \(IndexNumber.tableLimit) classes, removed ones included."
      )
    }
    for table in catalogue.tables where table.columns.count > IndexNumber.columnLimit {
      throw StorageError(
        .other, path: snapshot.file.path,
        message:
          "Class '\(table.name)' in the Realm file at path '\(snapshot.file.path)' cannot have more than \(IndexNumber.columnLimit) properties, removed ones included."
      )
    }
  }

  // MARK: Indexes

  /// Fills the index of a column that has none yet, or one that was dropped. Cost: that of reading the column and
  /// sorting it.
  package func buildIndex(table: Int, column: Int) {
    let changes = changes(ofIndex: IndexNumber.values(table: table, column: column))
    let source = snapshot.table(table)
    source.forEachRow { changes.insert(IndexKey(source.value(column, $0)), row: $0) }
  }

  /// Empties the index of a column, which must not be looked into before the transaction has ended.
  package func dropIndex(table: Int, column: Int) {
    dropIndex(IndexNumber.values(table: table, column: column))
  }

  /// Whether two rows have the same values in some columns that are no collections. Memory: 8 bytes for each row.
  ///
  /// - Parameter ignoresNulls: Whether rows do not count of which one of the values is null.
  package func hasDuplicates(table: Int, columns: [Int], ignoresNulls: Bool = false) -> Bool {
    let source = snapshot.table(table)
    var key = CompoundKey()
    func forEachKey(_ body: (CompoundKey) -> Void) {
      source.forEachRow { row in
        if ignoresNulls && columns.contains(where: { source.isNull($0, row) }) { return }
        source.write(&key, columns, row)
        body(key)
      }
    }
    var hashes: [Int] = []
    hashes.reserveCapacity(source.state.pointee.liveCount)
    forEachKey { hashes.append($0.hashValue) }
    hashes.sort()
    var repeated: Set<Int> = []
    for (hash, next) in zip(hashes, hashes.dropFirst()) where hash == next { repeated.insert(hash) }
    if repeated.isEmpty { return false }
    // Different values may have the same hash.
    var seen: Set<CompoundKey> = []
    var isRepeated = false
    forEachKey { key in
      if !isRepeated && repeated.contains(key.hashValue) { isRepeated = !seen.insert(key).inserted }
    }
    return isRepeated
  }

  // MARK: Columns

  /// Deletes the content of a column when the transaction commits. Embedded objects in it are deleted at once.
  ///
  /// To be called before the column is marked as removed.
  package func eraseColumn(table: Int, column: Int) {
    let transaction = transaction
    let description = snapshot.catalogue.tables[table].columns[column]
    let source = snapshot.table(table)
    if description.type == .link && snapshot.catalogue.tables[description.target].isEmbedded {
      source.forEachRow { row in
        if description.collection == .none {
          source.setLink(column, row, nil)
        } else {
          source.removeAllElements(column, row)
        }
      }
    }
    transaction.droppedColumns.append((table, column))
  }

  /// Gives every null of a column, or of its collections, the type's zero value.
  package func replaceNulls(table: Int, column: Int) {
    let description = snapshot.catalogue.tables[table].columns[column]
    guard let zero = Value.zero(of: description.type) else { return }
    let source = snapshot.table(table)
    source.forEachRow { row in
      switch description.collection {
      case .none:
        if source.isNull(column, row) { source.setValue(column, row, zero) }
      case .list, .map:
        for position in 0..<source.count(column, row) where source.element(column, row, at: position).isNull {
          source.replaceElement(column, row, at: position, zero)
        }
      case .set:
        let (position, isFound) = source.position(column, row, ofElement: .null)
        guard isFound else { return }
        source.removeElements(column, row, position..<position + 1)
        source.insertIntoSet(column, row, zero)
      }
    }
  }

  /// Returns the chunks of a column that were never written. Their values are zero, and would be null if the column could
  /// hold null: `fill` them after making it so.
  ///
  /// The chunks stay known as they are until the transaction ends, which keeps the index right.
  package func unwrittenChunks(table: Int, column: Int) -> [Int] {
    let source = snapshot.table(table)
    let constant = snapshot.constantChunk(table, column)
    return (0..<source.chunkCount).filter { source.chunk(column, number: $0).base == constant }
  }

  /// Writes the type's zero value to all rows of some chunks.
  package func fill(table: Int, column: Int, chunks: [Int]) {
    guard let zero = Value.zero(of: snapshot.catalogue.tables[table].columns[column].type) else { return }
    let source = snapshot.table(table)
    for chunk in chunks {
      for row in chunk * chunkCapacity..<min((chunk + 1) * chunkCapacity, source.rowLimit)
      where source.isAlive(row) {
        source.setValue(column, row, zero)
      }
    }
  }
}

extension Value {
  /// The value that stands where nothing was written; nil for types that are null then.
  package static func zero(of type: ValueType) -> Value? {
    switch type {
    case .int: .int(0)
    case .bool: .bool(false)
    case .float: .float(0)
    case .double: .double(0)
    case .date: .date(0)
    case .string: .string("")
    case .data: .data([])
    case .objectId: .objectId(Fixed12(high: 0, low: 0))
    case .uuid: .uuid(Fixed16(high: 0, low: 0))
    case .decimal128: .decimal128(Fixed16(high: 0, low: 0))
    case .link, .mixed: nil
    }
  }
}
