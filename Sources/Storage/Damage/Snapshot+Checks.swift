import LibC

// What is read from the file is looked at when it is first touched; a fault stops the program, because what reads can
// not throw, or is noted (see `FoundDamage`).
extension Snapshot {
  /// Ends the program: what was read contradicts itself.
  ///
  /// - Parameter column: -1 for what tells which rows are there.
  package func stop(damagedTable table: Int, column: Int, _ place: String, _ fault: String) -> Never {
    stopDamaged(path: file.path, description(ofTable: table, column: column, place, fault))
  }

  func description(ofTable table: Int, column: Int, _ place: String, _ fault: String) -> String {
    let description = catalogue.tables.indices.contains(table) ? catalogue.tables[table] : nil
    var message = "class '\(description?.name ?? "?")'"
    if column >= 0 {
      let columns = description?.columns ?? []
      message += ", property '\(column < columns.count ? columns[column].name : "?")'"
    }
    return "\(message), \(place): \(fault)"
  }

  /// Whether a row can be linked to. While a transaction is open, rows that it deleted are still linked to in what is
  /// stored.
  private func canBeReferred(_ table: Int, _ row: Int) -> Bool {
    guard row >= 0, table < tables.count, row < tables[table].rowLimit else { return false }
    return writing != nil || tables[table].isAlive(row)
  }

  // MARK: Chunks

  /// A chunk of a column that the file has, as it can be read.
  func checked(
    _ stored: UnsafeRawBufferPointer, _ table: Table, _ column: Int, _ number: Int
  ) -> UnsafeRawPointer {
    let address = stored.baseAddress!
    if let sparse = SparseChunk(address), column >= 0 { return spread(sparse, stored, table, column, number) }
    if isToBeChecked(stored) {
      if let fault = fault(in: stored, table, column, number) {
        report(damagedTable: table.number, column: column, "chunk \(number)", fault)
        return constantChunk(table.number, column)
      }
      noteChecked(address, table, column)
    }
    let needed = min(chunkCapacity, table.rowLimit - number * chunkCapacity)
    return Chunk(address).count >= needed ? address : padded(Chunk(address), table, column, number)
  }

  private func isToBeChecked(_ stored: UnsafeRawBufferPointer) -> Bool {
    !file.checkedPlaces.isChecked(stored.baseAddress!) || file.checkedPlaces.isCopy(stored)
  }

  /// Of the counts of collections not all is looked at while there is a write transaction.
  private func noteChecked(_ address: UnsafeRawPointer, _ table: Table, _ column: Int) {
    let isWhole =
      writing == nil || column < 0 || catalogue.tables[table.number].columns[column].collection == .none
    if isWhole { file.checkedPlaces.noteChecked(address) }
  }

  /// A copy in memory of a chunk that cannot be read where it lies.
  private func spread(
    _ sparse: SparseChunk, _ stored: UnsafeRawBufferPointer, _ table: Table, _ column: Int, _ number: Int
  ) -> UnsafeRawPointer {
    func substitute(because fault: String) -> UnsafeRawPointer {
      report(damagedTable: table.number, column: column, "chunk \(number)", fault)
      return constantChunk(table.number, column)
    }
    let description = catalogue.tables[table.number].columns[column]
    let isToBeChecked = isToBeChecked(stored)
    if isToBeChecked, let fault = sparse.fault(size: stored.count, layout: description.layout) {
      return substitute(because: fault)
    }
    let copy = newCopy(description)
    sparse.spread(to: copy, layout: description.layout)
    if isToBeChecked {
      let presence = table.chunk(-1, number: number).values
      let fault =
        description.isRemoved
        ? nil
        : sparse.fault(presence: presence, isNullable: isNullable(description))
          ?? faultInValues(copy.chunk, table, column, number)
      if let fault {
        copy.deallocate()
        return substitute(because: fault)
      }
      noteChecked(stored.baseAddress!, table, column)
    }
    return keep(copy)
  }

  /// A chunk in memory for values that the file has.
  func newCopy(_ description: Column) -> WideChunk {
    WideChunk.allocate(
      description.layout, isNullable: description.isNullable && description.collection == .none)
  }

  /// Has a copy freed when it cannot be read any more.
  func keep(_ copy: WideChunk) -> UnsafeRawPointer {
    // The copy is never written to.
    copy.base.storeBytes(of: 0, toByteOffset: ChunkHeader.flags, as: UInt8.self)
    paddedChunks.add(copy)
    return UnsafeRawPointer(copy.base)
  }

  private func isNullable(_ description: Column) -> Bool {
    description.collection == .none
      && (description.isNullable || description.type == .link || description.type == .mixed)
  }

  private func fault(
    in stored: UnsafeRawBufferPointer, _ table: Table, _ column: Int, _ number: Int
  ) -> String? {
    // The rows of an open write transaction, and of others that were not committed, are in memory.
    if column < 0 { return faultInPresence(stored, number, below: table.rowLimit) }
    let chunk = Chunk(stored.baseAddress!)
    let layout = catalogue.tables[table.number].columns[column].layout
    return ChunkCheck(layout: layout, allowsLongValues: true).fault(in: stored)
      ?? faultInValues(chunk, table, column, number)
  }

  /// - Parameter limit: All rows are below it.
  func faultInPresence(_ stored: UnsafeRawBufferPointer, _ number: Int, below limit: Int) -> String? {
    if let fault = ChunkCheck(layout: .bits, allowsLongValues: false).fault(in: stored) { return fault }
    let chunk = Chunk(stored.baseAddress!)
    if chunk.count != chunkCapacity { return "it has \(chunk.count) rows" }
    let end = max(0, min(chunkCapacity, limit - number * chunkCapacity))
    for index in end..<chunkCapacity where chunk.bit(index) { return "it has rows beyond the last one" }
    return nil
  }

  private func faultInValues(
    _ chunk: Chunk, _ table: Table, _ column: Int, _ number: Int
  ) -> String? {
    let description = catalogue.tables[table.number].columns[column]
    if !isNullable(description) && chunk.nullCount > 0 {
      // Deleted rows may still be null where a property was optional once.
      let presence = table.chunk(-1, number: number)
      for index in 0..<chunk.count where chunk.isNull(index) && presence.bit(index) {
        return "value \(index) is null"
      }
    }
    if description.collection != .none {
      return faultInCounts(chunk, table, column, number)
    }
    // Most values are sound whichever rows are there, which is not to be read for them.
    switch description.type {
    case .link:
      let presence = table.chunk(-1, number: number)
      return faultInLinks(chunk, description.target) { presence.bit($0) }
    case .mixed:
      let presence = table.chunk(-1, number: number)
      return faultInMixed(chunk) { presence.bit($0) }
    default: return nil
    }
  }

  /// - Parameter counts: Whether an index has a value at all.
  private func faultInLinks(_ chunk: Chunk, _ target: Int, where counts: (Int) -> Bool) -> String? {
    if chunk.nullCount == chunk.count { return nil }
    for index in 0..<chunk.count where counts(index) && !chunk.isNull(index) {
      let row = chunk.integer(index)
      if !canBeReferred(target, Int(row)) { return "value \(index) links to row \(row), which is not there" }
    }
    return nil
  }

  private func faultInMixed(_ chunk: Chunk, where counts: (Int) -> Bool) -> String? {
    let check = MixedCheck { self.canBeReferred($0, $1) }
    for index in 0..<chunk.count where counts(index) && !chunk.isNull(index) {
      if let bytes = chunk.bytes(index), !check.isSound(bytes) { return "value \(index) cannot be read" }
    }
    return nil
  }

  /// Verifies that large collections have as many elements as they say: readers allocate memory for that number.
  private func faultInCounts(
    _ chunk: Chunk, _ table: Table, _ column: Int, _ number: Int
  ) -> String? {
    let bounds = chunk.integerBounds
    if bounds.lowerBound >= 0 && bounds.upperBound <= 64 * chunkCapacity { return nil }
    let presence = table.chunk(-1, number: number)
    for index in 0..<chunk.count where presence.bit(index) {
      let count = chunk.integer(index)
      if count < 0 || count > Int64(UInt32.max) { return "value \(index) has \(count) elements" }
      if count <= 64 * chunkCapacity || writing != nil { continue }
      let key = CollectionKey(table: table.number, column: column, row: number * chunkCapacity + index)
      let last = SegmentKey(key, .values, Int(count - 1) / chunkCapacity).withBytes {
        source.value(.collections, $0, SegmentKey.size) {
          report(damaged: key, Int(count - 1) / chunkCapacity, $0)
        }
      }
      if last == nil { return "value \(index) has not the \(count) elements that it should" }
    }
    return nil
  }

  /// A copy of a chunk that covers all rows. Rows were skipped since it was stored: none of those behind its end may
  /// be there.
  private func padded(_ chunk: Chunk, _ table: Table, _ column: Int, _ number: Int) -> UnsafeRawPointer {
    let presence = table.chunk(-1, number: number)
    let description = catalogue.tables[table.number].columns[column]
    // A removed property is not maintained, but a process that opened the file before may still read it.
    for index in chunk.count..<chunkCapacity where presence.bit(index) && !description.isRemoved {
      report(damagedTable: table.number, column: column, "chunk \(number)", "it has \(chunk.count) values")
      return constantChunk(table.number, column)
    }
    let copy = newCopy(description)
    copy.copy(chunk, layout: description.layout) {
      longValue(table: table.number, column: column, row: number * chunkCapacity + $0)
    }
    return keep(copy)
  }

  // MARK: Collections

  /// A stored segment of a collection, or what stands for one that is not there.
  func checkedSegment(
    _ stored: UnsafeRawBufferPointer?, _ key: CollectionKey, _ family: CollectionFamily, _ index: Int
  ) -> Chunk? {
    if let stored, file.checkedPlaces.isChecked(stored.baseAddress!), !file.checkedPlaces.isCopy(stored) {
      return Chunk(stored.baseAddress!)
    }
    // What an open write transaction says of the number of what it has changed is not yet true of what is stored.
    let isAsStored = writing == nil || writing?.collections[key] == nil
    let count = isAsStored ? tables[key.table].count(key.column, key.row) : nil
    let needed = count.map { max(0, min(chunkCapacity, $0 - index * chunkCapacity)) }
    guard let stored else {
      if needed ?? 0 > 0 { report(damaged: key, index, "it is missing") }
      return nil
    }
    let description = catalogue.tables[key.table].columns[key.column]
    if let fault = fault(in: stored, description, family, needed: needed) {
      report(damaged: key, index, fault)
      return nil
    }
    if isAsStored { file.checkedPlaces.noteChecked(stored.baseAddress!) }
    return Chunk(stored.baseAddress!)
  }

  func report(damaged key: CollectionKey, _ segment: Int, _ fault: String) {
    report(damagedTable: key.table, column: key.column, "row \(key.row), segment \(segment)", fault)
  }

  private func fault(
    in stored: UnsafeRawBufferPointer, _ description: Column, _ family: CollectionFamily, needed: Int?
  ) -> String? {
    let isNullable =
      family == .values
      && (description.isNullable || description.type == .link || description.type == .mixed)
    let check = ChunkCheck(
      layout: family == .keys ? .bytes : description.elementLayout, allowsLongValues: false)
    if let fault = check.fault(in: stored) { return fault }
    let chunk = Chunk(stored.baseAddress!)
    if !isNullable && chunk.nullCount > 0 { return "an element is null" }
    if let needed, chunk.count != needed { return "it has \(chunk.count) elements instead of \(needed)" }
    if family == .keys { return nil }
    switch description.type {
    case .link: return faultInLinks(chunk, description.target) { _ in true }
    case .mixed: return faultInMixed(chunk) { _ in true }
    default: return nil
    }
  }

  // MARK: Values with keys of their own

  func checkedLongValue(
    _ stored: UnsafeRawBufferPointer?, table: Int, column: Int, row: Int
  ) -> UnsafeRawBufferPointer {
    guard let stored else {
      // Those of deleted rows disappear before the mark in the chunk does. What is staged is being changed while it is stored.
      if session.staged == nil || writing == nil, table < tables.count, tables[table].isAlive(row) {
        report(damagedTable: table, column: column, "row \(row)", "its value is missing")
      }
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    if file.checkedPlaces.isChecked(stored.baseAddress!) { return stored }
    if table < catalogue.tables.count, catalogue.tables[table].columns[column].type == .mixed,
      !MixedCheck(isRow: { self.canBeReferred($0, $1) }).isSound(stored)
    {
      report(damagedTable: table, column: column, "row \(row)", "its value cannot be read")
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    file.checkedPlaces.noteChecked(stored.baseAddress!)
    return stored
  }

  // MARK: Indexes

  /// Ends the program: an index contradicts itself.
  func stop(damagedIndex index: UInt32, _ fault: String) -> Never {
    stopDamaged(path: file.path, description(ofIndex: index, fault))
  }

  func description(ofIndex index: UInt32, _ fault: String) -> String {
    let (table, column) = IndexNumber.place(index)
    guard table < catalogue.tables.count else { return "index \(index): \(fault)" }
    let description = catalogue.tables[table]
    guard column < description.columns.count else {
      let name = catalogue.compoundIndex(index).map { description.name(of: $0) } ?? "index \(index)"
      return "class '\(description.name)', \(name): \(fault)"
    }
    return self.description(
      ofTable: table, column: column, index & 1 == 0 ? "index" : "index of links or words", fault)
  }

  /// Whether an index may name a row.
  func canBeIndexed(_ row: UInt64, index: UInt32) -> Bool {
    row <= UInt64(Int.max) && canBeReferred(Int(index >> 16), Int(row))
  }

  /// How often the row can be with one key in an index.
  func mostCopies(ofRow row: UInt64, index: UInt32) -> UInt64 {
    let (table, column) = IndexNumber.place(index)
    // Over several columns a row has one key.
    if column >= catalogue.tables[table].columns.count { return 1 }
    let description = catalogue.tables[table].columns[column]
    if description.type == .mixed || writing != nil { return 1 << 24 }
    return description.collection == .none ? 1 : UInt64(max(0, tables[table].count(column, Int(row))))
  }
}
