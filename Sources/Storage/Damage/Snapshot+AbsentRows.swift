// Chunks of the live-row bitmap without rows are erased, so that a missing one means that it has no live row. The number of
// objects verifies that.
extension Snapshot {
  /// Reports objects that are counted but nowhere to be found. Called where a chunk of presence is missing.
  ///
  /// All those of the table are looked at, once while the file is open: what is written afterwards is trusted. They and
  /// the number are those of the version, whatever is being written on top of it.
  func checkAbsentRows(of table: Table) {
    let number = table.number
    let places = file.checkedPlaces
    if catalogue.tables[number].isRemoved || places.hasAllRows(ofTable: number) { return }
    guard let expected = storedRowCounts(number), let found = rowsThere(number, below: expected.limit)
    else { return }
    if found < expected.live {
      return reportPresence(number, "\(found) objects are there instead of \(expected.live)")
    }
    places.noteAllRows(ofTable: number)
  }

  private func reportPresence(_ table: Int, _ fault: String) {
    report(damagedTable: table, column: -1, "which objects are there", fault)
  }

  /// What the version says of a table's rows; nil when that cannot be read, which is reported.
  private func storedRowCounts(_ table: Int) -> RowCounts? {
    do throws(StorageError) {
      let counts = try readRowCounts(lease.transaction, catalogue)
      return table < counts.count ? counts[table] : RowCounts()
    } catch {
      reportPresence(table, error.message)
      return nil
    }
  }

  /// The number of rows in the chunks of presence of the version; nil when one cannot be read, which is reported.
  private func rowsThere(_ table: Int, below limit: Int) -> Int? {
    do throws(EntryError) {
      let cursor = try lease.transaction.openCursor(.columns)
      defer { cursor.close() }
      var count = 0
      var chunk = 0
      while let (next, presence) = try presence(table, from: chunk, below: limit, cursor) {
        guard let presence else { return nil }
        count += bitCount(presence.values, chunkCapacity)
        chunk = next + 1
      }
      return count
    } catch {
      reportPresence(table, error.fault)
      return nil
    }
  }

  /// The first stored chunk of presence from one on, which is nil when it cannot be read; nil when there is none.
  private func presence(
    _ table: Int, from first: Int, below limit: Int, _ cursor: EntryCursor
  ) throws(EntryError) -> (number: Int, Chunk?)? {
    return try ColumnKey(table: table, column: -1, chunk: first).withBytes { (key) throws(EntryError) in
      let sought = UnsafeRawBufferPointer(start: key, count: ColumnKey.size)
      guard let entry = try cursor.entry(atOrAfter: sought), let place = ColumnKey.Place(entry.key),
        place.table == table, place.column < 0
      else { return nil }
      guard let fault = faultInPresence(entry.value, place.chunk, below: limit) else {
        return (place.chunk, Chunk(entry.value.baseAddress!))
      }
      report(damagedTable: table, column: -1, "chunk \(place.chunk)", fault)
      return (place.chunk, nil)
    }
  }
}
