// Writing single values. Every function needs an open write transaction, and a row that is there.
//
// Values of a row that was created in the same transaction need no removal from indexes as long as they were
// never written; that is why a new row's indexed columns must all be written, also with null.
extension Table {
  @inlinable @inline(__always)
  func writable(_ column: Int, _ row: Int) -> WideChunk {
    let number = Self.chunkIndex(row)
    if let base = state.pointee.columns[column][number],
      base.load(fromByteOffset: ChunkHeader.flags, as: UInt8.self) & ChunkFlags.isWide != 0
    {
      return WideChunk(UnsafeMutableRawPointer(mutating: base))
    }
    return makeWide(column, number)
  }

  @inlinable @inline(__always)
  func finish(_ wide: WideChunk, _ index: Int) {
    wide.setNotNull(index)
    wide.markWritten(index)
    state.pointee.shared.pointee.contentStamp &+= 1
  }

  /// Sets the value of an int column.
  @inlinable @inline(__always)
  public func setInteger(_ column: Int, _ row: Int, _ value: Int64) {
    if state.pointee.roles[column] != 0 { reindex(column, row, .int(value)) }
    let wide = writable(column, row)
    let index = Self.indexInChunk(row)
    wide.setInteger(index, value)
    finish(wide, index)
  }

  /// Writes a Boolean.
  @inlinable @inline(__always)
  public func setBool(_ column: Int, _ row: Int, _ value: Bool) {
    if state.pointee.roles[column] != 0 { reindex(column, row, .bool(value)) }
    let wide = writable(column, row)
    let index = Self.indexInChunk(row)
    wide.setBool(index, value)
    finish(wide, index)
  }

  /// Writes a number.
  @inlinable @inline(__always)
  public func setFloat(_ column: Int, _ row: Int, _ value: Float) {
    if state.pointee.roles[column] != 0 { reindex(column, row, .float(value)) }
    let wide = writable(column, row)
    let index = Self.indexInChunk(row)
    wide.setFloat(index, value)
    finish(wide, index)
  }

  /// Sets the value of a double or date column.
  @inlinable @inline(__always)
  public func setDouble(_ column: Int, _ row: Int, _ value: Double) {
    if state.pointee.roles[column] != 0 { reindex(column, row, .double(value)) }
    let wide = writable(column, row)
    let index = Self.indexInChunk(row)
    wide.setDouble(index, value)
    finish(wide, index)
  }

  package func setFixed12(_ column: Int, _ row: Int, _ value: Fixed12) {
    if state.pointee.roles[column] != 0 { reindex(column, row, .objectId(value)) }
    let wide = writable(column, row)
    let index = Self.indexInChunk(row)
    value.store(to: wide.values + index * 12)
    finish(wide, index)
  }

  /// Sets the value of a UUID or decimal column.
  package func setFixed16(_ column: Int, _ row: Int, _ value: Fixed16) {
    if state.pointee.roles[column] != 0 { reindex(column, row, .uuid(value)) }
    let wide = writable(column, row)
    let index = Self.indexInChunk(row)
    value.store(to: wide.values + index * 16)
    finish(wide, index)
  }

  /// Writes a text.
  public func setString(_ column: Int, _ row: Int, _ value: String) {
    if state.pointee.roles[column] != 0 { reindex(column, row, .string(value)) }
    var value = value
    value.withUTF8 { setRawBytes(column, row, UnsafeRawBufferPointer($0)) }
  }

  /// Writes a text that is given as UTF-8.
  package func setString(_ column: Int, _ row: Int, utf8 bytes: UnsafeRawBufferPointer) {
    if state.pointee.roles[column] != 0 {
      reindex(column, row, .string(String(decoding: bytes, as: UTF8.self)))
    }
    setRawBytes(column, row, bytes)
  }

  /// Sets the value of a data column.
  package func setData(_ column: Int, _ row: Int, _ bytes: UnsafeRawBufferPointer) {
    setRawBytes(column, row, bytes)
  }

  private func setRawBytes(_ column: Int, _ row: Int, _ bytes: UnsafeRawBufferPointer) {
    let wide = writable(column, row)
    let index = Self.indexInChunk(row)
    wide.setBytes(index, copyToArena(bytes))
    finish(wide, index)
  }

  /// Copies bytes to memory that stays until the transaction ends.
  @inline(__always)
  private func copyToArena(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let shared = state.pointee.shared
    guard bytes.count <= shared.pointee.arenaFree, let target = shared.pointee.arenaNext,
      let source = bytes.baseAddress
    else { return snapshot.writing.unsafelyUnwrapped.arena.copy(bytes, shared) }
    target.copyMemory(from: source, byteCount: bytes.count)
    shared.pointee.arenaNext = target + bytes.count
    shared.pointee.arenaFree &-= bytes.count
    return UnsafeRawBufferPointer(start: target, count: bytes.count)
  }

  /// Sets a nullable column to null.
  @inlinable
  public func setNull(_ column: Int, _ row: Int) {
    if state.pointee.roles[column] != 0 { clearReferences(column, row) }
    setRawNull(column, row)
  }

  @usableFromInline func setRawNull(_ column: Int, _ row: Int) {
    let wide = writable(column, row)
    let index = Self.indexInChunk(row)
    wide.setNull(index)
    wide.markWritten(index)
    state.pointee.shared.pointee.contentStamp &+= 1
  }

  /// Points a link to a row of the column's target table, or to nothing.
  ///
  /// An embedded object that loses its parent this way is deleted.
  package func setLink(_ column: Int, _ row: Int, _ target: Int?) {
    let old = link(column, row)
    if old == target && target != nil {
      writable(column, row).markWritten(Self.indexInChunk(row))
      state.pointee.shared.pointee.contentStamp &+= 1
      return
    }
    noteWritten(column, row)
    let description = snapshot.catalogue.tables[number].columns[column]
    if let old {
      writer.removeBacklink(
        from: row, of: number, column: column, to: .link(table: description.target, row: old))
    }
    if let target {
      let wide = writable(column, row)
      let index = Self.indexInChunk(row)
      wide.setInteger(index, Int64(target))
      finish(wide, index)
      writer.addBacklink(
        from: row, of: number, column: column, to: .link(table: description.target, row: target))
    } else {
      setRawNull(column, row)
    }
    if let old { writer.releaseEmbedded(table: description.target, row: old, from: (number, row)) }
  }

  package func setMixed(_ column: Int, _ row: Int, _ value: Value) {
    if value.isNull { return setNull(column, row) }
    setMixed(column, row, value, writer.transaction.storedBytes(of: value))
  }

  private func setMixed(_ column: Int, _ row: Int, _ value: Value, _ bytes: [UInt8]) {
    noteWritten(column, row)
    let roles = state.pointee.roles[column]
    if roles & ColumnRole.isIndexed != 0 { reindex(column, row, value) }
    let old = self.value(column, row)
    writer.removeBacklink(from: row, of: number, column: column, to: old)
    bytes.withUnsafeBytes { setRawBytes(column, row, $0) }
    writer.addBacklink(from: row, of: number, column: column, to: value)
  }

  /// Changes a list or dictionary inside a mixed value. All other collections in the value keep their identities.
  ///
  /// - Parameter ranges: As `MixedView.bytes(changing:_:identifiedBy:)` takes them.
  package func changeMixed(_ column: Int, _ row: Int, at ranges: [Range<Int>], _ change: NestedChange) {
    let changed = MixedView(bytes(column, row)).bytes(changing: ranges, change) {
      writer.transaction.makeIdentity()
    }
    guard let changed else { return }
    setMixed(column, row, changed.withUnsafeBytes { Value(mixed: $0) }, changed)
  }

  /// Replaces the links of a mixed value to one row by null.
  func removeMixedLinks(_ column: Int, _ row: Int, table: Int, target: Int) {
    let new = value(column, row).removingLinks(table: table, row: target)
    if new.isNull { return setNull(column, row) }
    let stored = new.mixedBytes(keepingIdentitiesOf: MixedView(bytes(column, row)))
    setMixed(column, row, new, stored)
  }

  /// Sets any column that is not a collection; the value must be of the column's type, or null.
  package func setValue(_ column: Int, _ row: Int, _ value: Value) {
    if snapshot.catalogue.tables[number].columns[column].type == .mixed {
      return setMixed(column, row, value)
    }
    switch value {
    case .null:
      if snapshot.catalogue.tables[number].columns[column].type == .link {
        setLink(column, row, nil)
      } else {
        setNull(column, row)
      }
    case .int(let number): setInteger(column, row, number)
    case .bool(let flag): setBool(column, row, flag)
    case .float(let number): setFloat(column, row, number)
    case .double(let number), .date(let number): setDouble(column, row, number)
    case .string(let string): setString(column, row, string)
    case .data(let data): data.withUnsafeBytes { setData(column, row, $0) }
    case .objectId(let id): setFixed12(column, row, id)
    case .uuid(let fixed), .decimal128(let fixed): setFixed16(column, row, fixed)
    case .link(_, let target): setLink(column, row, target)
    case .list, .dictionary: preconditionFailure("a collection is no value of a typed column")
    }
  }

  /// Sets the same value in many rows.
  package func setValue(_ column: Int, rows: [Int], _ value: Value) {
    if state.pointee.roles[column] != 0 {
      for row in rows { setValue(column, row, value) }
      return
    }
    switch value {
    case .string(var string):
      // One copy of the bytes serves all rows.
      let bytes = string.withUTF8 { copyToArena(UnsafeRawBufferPointer($0)) }
      forEachWritable(column, rows) { $0.setBytes($1, bytes) }
    case .int(let number): forEachWritable(column, rows) { $0.setInteger($1, number) }
    case .bool(let flag): forEachWritable(column, rows) { $0.setBool($1, flag) }
    case .double(let number), .date(let number): forEachWritable(column, rows) { $0.setDouble($1, number) }
    default: for row in rows { setValue(column, row, value) }
    }
  }

  @inline(__always)
  private func forEachWritable(_ column: Int, _ rows: [Int], _ body: (WideChunk, Int) -> Void) {
    var number = -1
    var wide: WideChunk?
    for row in rows {
      // Most neighbours are stored in the same chunk.
      if Self.chunkIndex(row) != number {
        number = Self.chunkIndex(row)
        wide = writable(column, row)
      }
      let index = Self.indexInChunk(row)
      body(wide.unsafelyUnwrapped, index)
      finish(wide.unsafelyUnwrapped, index)
    }
  }

  /// Moves the row's entries in the column's indexes to a new value.
  @usableFromInline @inline(never)
  func reindex(_ column: Int, _ row: Int, _ value: Value) {
    if state.pointee.roles[column] & ColumnRole.isInCompound != 0 {
      writer.withdrawKeys(self, row, unless: IndexKey(self.value(column, row)) == IndexKey(value))
    }
    if state.pointee.roles[column] & ColumnRole.isFullText != 0 { replaceWords(column, row, value) }
    guard state.pointee.roles[column] & ColumnRole.isIndexed != 0 else { return }
    let index = IndexNumber.values(table: number, column: column)
    let new = IndexKey(value)
    let old: IndexKey? = hasIndexEntry(column, row) ? IndexKey(self.value(column, row)) : nil
    if old == new { return }
    state.pointee.snapshot._withUnsafeGuaranteedRef { snapshot in
      Writer(snapshot).withChanges(ofIndex: index) { changes in
        if let old { changes.remove(old, row: row) }
        changes.insert(new, row: row)
      }
    }
  }

  @inline(__always)
  func hasIndexEntry(_ column: Int, _ row: Int) -> Bool {
    if row < state.pointee.firstNewRow { return true }
    guard let base = state.pointee.columns[column][Self.chunkIndex(row)] else { return false }
    if !Chunk(base).isWide { return writer.isPacked(self, column, Self.chunkIndex(row)) }
    return WideChunk(UnsafeMutableRawPointer(mutating: base)).wasWritten(Self.indexInChunk(row))
  }

  /// Before a value becomes null: its index entry becomes that of null, its links are forgotten.
  @usableFromInline @inline(never)
  func clearReferences(_ column: Int, _ row: Int) {
    let roles = state.pointee.roles[column]
    if roles & (ColumnRole.isIndexed | ColumnRole.isFullText | ColumnRole.isInCompound) != 0 {
      reindex(column, row, .null)
    }
    if roles & ColumnRole.isMixed != 0 {
      noteWritten(column, row)
      writer.removeBacklink(from: row, of: number, column: column, to: value(column, row))
    }
  }
}
