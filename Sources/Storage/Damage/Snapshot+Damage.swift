extension Snapshot {
  /// Reports that stored data contradicts itself. Returns only where damage is recorded: the caller continues with the
  /// placeholder of values that were never written.
  ///
  /// - Parameter column: -1 for the live-row bitmaps.
  package func report(damagedTable table: Int, column: Int, _ place: String, _ fault: String) {
    report(damage: description(ofTable: table, column: column, place, fault))
  }

  func report(damage: String) {
    if noteDamage(damage) { return }
    stopDamaged(path: file.path, damage)
  }

  /// Notes damage. Returns false where it is not noted.
  package func noteDamage(_ damage: String) -> Bool {
    foundDamage?.note(.damaged(path: file.path, damage)) ?? false
  }

  /// Throws the damage that was found, where it is noted.
  package func checkDamage() throws(StorageError) {
    if let error = foundDamage?.error { throw error }
  }

  // MARK: Before a block reads

  /// Looks at the chunks of a table that hold some rows, unless that was done before. Long values are looked at when they
  /// are read, and the elements of collections when these are asked for.
  fileprivate func lookAtChunks(_ number: Int, of table: Table) {
    for column in -1..<table.state.pointee.columnCount {
      if column >= 0 && catalogue.tables[table.number].columns[column].isRemoved { continue }
      if table.isTouched(column, chunk: number) { continue }
      let key = ColumnKey(table: table.number, column: column, chunk: number)
      let stored = key.withBytes {
        source.value(.columns, $0, ColumnKey.size) {
          report(damagedTable: table.number, column: column, "chunk \(number)", $0)
        }
      }
      // Chunks that were decoded into memory stay there: they may never be read.
      if let stored, SparseChunk(stored.baseAddress!) != nil { continue }
      _ = table.chunk(column, number: number)
    }
  }

  /// Looks at all elements of a collection, where damage is noted: otherwise they are looked at one segment after the
  /// other, when its number of elements has been read, and nothing can stand for a link.
  package func lookAtElements(of key: CollectionKey) {
    // What the open write transaction has changed was read for that.
    guard let foundDamage, writing?.collections[key] == nil else { return }
    let elements = FoundDamage.Elements(snapshot: ObjectIdentifier(self), stamp: contentStamp, key: key)
    if foundDamage.areSound(elements) { return }
    if areElementsSound(of: key) { foundDamage.note(sound: elements) }
  }

  /// Verifies all segments of a collection. Returns whether they are sound; empties the collection in memory if they are not.
  private func areElementsSound(of key: CollectionKey) -> Bool {
    let table = tables[key.table]
    let families: [CollectionFamily] =
      catalogue.tables[key.table].columns[key.column].collection == .map ? [.keys, .values] : [.values]
    let segmentCount = (table.count(key.column, key.row) + chunkCapacity - 1) / chunkCapacity
    for number in 0..<segmentCount {
      for family in families {
        let stored = SegmentKey(key, family, number).withBytes {
          source.value(.collections, $0, SegmentKey.size) { report(damaged: key, number, $0) }
        }
        if checkedSegment(stored, key, family, number) == nil {
          table.empty(key.column, key.row)
          return false
        }
      }
    }
    return true
  }

  // MARK: Indexes

  /// Whether an index can be read, where damage is noted: a reader of blocks can do nothing without one. All of them are
  /// looked at when the first is asked for.
  func isReadable(index: UInt32) -> Bool {
    guard let foundDamage else { return true }
    if let isSound = foundDamage.isSound(index: index) { return isSound }
    let fault = fault(inIndex: index)
    if let fault { report(damage: description(ofIndex: index, fault)) }
    foundDamage.note(index: index, isSound: fault == nil)
    return fault == nil
  }

  private func fault(inIndex index: UInt32) -> String? {
    let prefix = withUnsafeBytes(of: index.bigEndian) { Array($0) }
    do throws(EntryError) {
      let cursor = try lease.transaction.openCursor(.indexes)
      defer { cursor.close() }
      var next = try cursor.entry(atOrAfter: prefix)
      while let entry = next, entry.key.starts(with: prefix) {
        if let fault = fault(inBlock: entry, index) { return fault }
        next = try cursor.nextEntry()
      }
      return nil
    } catch {
      return error.fault
    }
  }
}

extension Table {
  /// Lets a collection be empty for what reads it afterwards.
  fileprivate func empty(_ column: Int, _ row: Int) {
    let number = Self.chunkIndex(row)
    let counts = chunk(column, number: number)
    if counts.isWide {
      WideChunk(UnsafeMutableRawPointer(mutating: counts.base)).setInteger(Self.indexInChunk(row), 0)
    } else {
      let description = snapshot.catalogue.tables[self.number].columns[column]
      let copy = snapshot.newCopy(description)
      copy.copy(counts, layout: description.layout) { _ in UnsafeRawBufferPointer(start: nil, count: 0) }
      copy.setInteger(Self.indexInChunk(row), 0)
      snapshot.remember(self, column, number, snapshot.keep(copy))
    }
    if !snapshot.isShared { snapshot.noteChange() }
  }

  /// Calls the body with every row that is there, ascending, whose chunks can be read. Ends when damage was found, where
  /// that is noted. The body may change values, and add and delete rows; those that are added are left out. The values that were
  /// decrypted for the rows of a chunk are evicted behind them.
  ///
  /// - Parameter afterChunk: Called with the number of each chunk when the body has had its rows.
  package func forEachSoundRow(
    _ body: (Int) throws -> Void, afterChunk: (Int) -> Void = { _ in }
  ) rethrows {
    let limit = rowLimit
    let damage = snapshot.foundDamage
    for first in stride(from: 0, to: limit, by: chunkCapacity) {
      // No other code keeps an address of it over a call of the body.
      defer { if snapshot.isShared, snapshot.file.isEncrypted { snapshot.releaseShared() } }
      if damage != nil { snapshot.lookAtChunks(first / chunkCapacity, of: self) }
      for row in first..<min(first + chunkCapacity, limit) where isAlive(row) {
        if damage?.isFound ?? false { return }
        try body(row)
      }
      afterChunk(first / chunkCapacity)
    }
  }
}
