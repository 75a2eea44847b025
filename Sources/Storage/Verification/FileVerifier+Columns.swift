import LibC

// Chunks, and the values and collections that they announce. All three trees are in the order of tables and columns, so
// that they are read side by side.
extension FileVerifier {
  func checkColumns() {
    var pass = ColumnPass(self)
    for (table, description) in catalogue.tables.enumerated() where !description.isRemoved {
      pass.passPresence(table)
      for (column, description) in description.columns.enumerated() where !description.isRemoved {
        for chunk in presence[table].chunks {
          pass.check(table, column, description, chunk)
        }
      }
    }
    pass.finish()
  }
}

/// One walk through all columns.
private struct ColumnPass {
  private let verifier: FileVerifier
  private let soundValues: (any SoundValues)?
  /// Sum of the keys that each index of the column must have of the present chunk.
  private var expectedValues = PairSum()
  /// Sum of the keys that the column's backlink or word index must have of the present chunk.
  private var expectedLinks = PairSum()
  private var chunks: ExpectedEntries
  private var values: ExpectedEntries
  private var collections: ExpectedEntries
  private var leftovers = 0

  init(_ verifier: FileVerifier) {
    self.verifier = verifier
    soundValues = verifier.soundValues
    chunks = ExpectedEntries(verifier.entries(of: .columns))
    values = ExpectedEntries(verifier.entries(of: .values))
    collections = ExpectedEntries(verifier.entries(of: .collections))
  }

  /// Takes the live-row bitmaps, which are verified already.
  mutating func passPresence(_ table: Int) {
    for chunk in verifier.presence[table].chunks {
      _ = take(ColumnKey(table: table, column: -1, chunk: chunk))
    }
  }

  mutating func finish() {
    leftovers += chunks.takeRest() + values.takeRest() + collections.takeRest()
    // Whatever is missing of values and collections was looked for.
    verifier.noteFaults(of: .columns, chunks.iterator)
    verifier.noteFaults(of: .values, values.iterator)
    verifier.noteFaults(of: .collections, collections.iterator)
    if leftovers > 0 { verifier.note("\(leftovers) values belong to nothing", .nothing) }
  }

  private mutating func take(_ key: ColumnKey) -> EntryIterator.Entry? {
    key.withBytes { key in
      chunks.take(UnsafeRawBufferPointer(start: key, count: ColumnKey.size), unexpected: &leftovers)
    }
  }

  // MARK: A chunk

  private struct Place {
    let table: Int
    let column: Int
    let description: Column
    let first: Int
    /// Where the column is in indexes over several.
    let keyParts: [KeyPart]

    init(_ table: Int, _ column: Int, _ catalogue: Catalogue, chunk: Int) {
      self.table = table
      self.column = column
      description = catalogue.tables[table].columns[column]
      first = chunk * chunkCapacity
      keyParts = KeyPart.all(ofTable: table, column: column, catalogue)
    }

    var isIndexed: Bool { description.hasValueIndex || !keyParts.isEmpty }
    var rows: Range<Int> { first..<first + chunkCapacity }
    var valueIndex: UInt32 { IndexNumber.values(table: table, column: column) }
    var linkIndex: UInt32 { IndexNumber.backlinks(table: table, column: column) }
  }

  mutating func check(_ table: Int, _ column: Int, _ description: Column, _ number: Int) {
    let place = Place(table, column, verifier.catalogue, chunk: number)
    defer { noteExpected(place) }
    let stored = take(ColumnKey(table: table, column: column, chunk: number))
    let words = verifier.presence[table].words(of: number)
    let isEmpty = words.allSatisfy { $0 == 0 }
    guard let stored else {
      if !isEmpty { checkMissing(place, words) }
      return
    }
    if let fault = StoredChunk(stored.value, layout: description.layout).fault { return lose(place, fault) }
    let chunk = Chunk(stored.value.baseAddress!)
    // Rows behind it were never there.
    let end = words.enumerated().last { $0.element != 0 }.map {
      $0.offset * 64 + 64 - $0.element.leadingZeroBitCount
    }
    if let end, end > chunk.count { return lose(place, "it has \(chunk.count) values instead of \(end)") }
    guard let sparse = SparseChunk(chunk.base) else { return check(chunk, place, words) }
    let fault = Array(words).withUnsafeBytes { sparse.fault(presence: $0.baseAddress!, isNullable: true) }
    if let fault { return lose(place, fault) }
    let wide = WideChunk.allocate(description.layout, isNullable: sparse.hasNulls)
    defer { wide.deallocate() }
    sparse.spread(to: wide, layout: description.layout)
    check(wide.chunk, place, words)
  }

  /// Verifies that only chunks are missing that were never written: those of rows that are older than the column.
  private mutating func checkMissing(_ place: Place, _ words: ArraySlice<UInt64>) {
    if place.first >= place.description.rowsBefore { return lose(place, "it is missing") }
    check(
      Chunk(
        ConstantChunk.chunk(
          place.description.layout,
          isNullable: place.description.isNullable && place.description.collection == .none)), place, words)
  }

  /// Notes that a chunk is lost. What is stored outside of it is still there.
  private mutating func lose(_ place: Place, _ reason: String) {
    verifier.note(reason, .values, table: place.table, column: place.column, rows: place.rows)
    makeIndexesUncertain(place)
    verifier.lostChunks[place.valueIndex, default: []].insert(place.first / chunkCapacity)
    // The rest of the column may have more of both.
    let before = leftovers
    for row in place.rows where verifier.isAlive(place.table, row) {
      if place.description.collection != .none {
        takeLostCollection(place, row)
      } else if place.description.layout == .bytes {
        takeLostValue(place, row)
      }
    }
    leftovers = before
  }

  /// Gives a long value whose chunk is lost.
  private mutating func takeLostValue(_ place: Place, _ row: Int) {
    let stored = ValueKey(table: place.table, column: place.column, row: row).withBytes { key in
      values.take(UnsafeRawBufferPointer(start: key, count: ValueKey.size), unexpected: &leftovers)
    }
    guard let bytes = stored?.value,
      place.description.type != .mixed || MixedCheck(isRow: verifier.isAlive).isSound(bytes)
    else { return }
    give(Value(place.description.type, bytes: bytes), place, row)
  }

  /// Gives the elements of a collection the number of which is lost.
  private mutating func takeLostCollection(_ place: Place, _ row: Int) {
    let key = CollectionKey(table: place.table, column: place.column, row: row)
    let isMap = place.description.collection == .map
    var sound = SoundElements(isMap: isMap, isWanted: soundValues != nil)
    for family in isMap ? [CollectionFamily.values, .keys] : [.values] {
      let first = SegmentKey(key, family, 0)
      while let stored = first.withPrefix({
        collections.takeNext(beginningWith: $0, unexpected: &leftovers)
      }) {
        if stored.key.count == SegmentKey.size, let segment = SegmentKey.segment(of: stored.key) {
          checkSegment(SegmentKey(key, family, segment), stored, family, nil, place, row, &sound)
        }
      }
    }
    giveElements(sound, place, row)
  }

  private func makeIndexesUncertain(_ place: Place) {
    verifier.uncertain.insert(place.valueIndex)
    verifier.uncertain.insert(place.linkIndex)
    for part in place.keyParts { verifier.uncertain.insert(part.index) }
  }

  /// - Parameter words: The bitmap of the rows that are there.
  private mutating func check(_ chunk: Chunk, _ place: Place, _ words: ArraySlice<UInt64>) {
    let description = place.description
    let isCollection = description.collection != .none
    let isNullable = !isCollection && (description.isNullable || [.link, .mixed].contains(description.type))
    let hasLongValues = description.layout == .bytes && chunk.flags & ChunkFlags.hasLongValues != 0
    // Nothing else depends on the values of such a column.
    let isPlain =
      !isCollection && !place.isIndexed && !description.isFullText
      && ![.link, .mixed].contains(description.type)
    if isPlain && soundValues == nil && !hasLongValues && (isNullable || chunk.nullCount == 0) {
      return
    }
    let isInteger = !isCollection && description.type == .int
    for (number, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        let index = number * 64 + rest.trailingZeroBitCount
        rest &= rest &- 1
        let row = place.first + index
        if chunk.isNull(index) {
          if !isNullable { note("it is null", place, row) }
          expect(place) { $0.addNull(row: UInt64(row)) }
        } else if isInteger {
          check(chunk.integer(index), place, row)
        } else if isCollection {
          checkCollection(count: chunk.integer(index), place, row)
        } else if description.layout == .bytes {
          checkBytes(chunk.bytes(index), place, row)
        } else {
          check(chunk.storedValue(index, description.type, target: description.target), place, row)
        }
      }
    }
  }

  private func note(_ reason: String, _ place: Place, _ row: Int) {
    verifier.note(reason, .values, table: place.table, column: place.column, rows: row..<row + 1)
  }

  /// Expects a value in all indexes that the column is in.
  private mutating func expect(_ place: Place, _ add: (inout PairSum) -> Void) {
    if place.isIndexed { add(&expectedValues) }
  }

  /// Notes what the indexes must have of a chunk: looking them up for each value would take longer than all else.
  private mutating func noteExpected(_ place: Place) {
    if expectedValues.count > 0 {
      if place.description.hasValueIndex {
        verifier.expected[place.valueIndex, default: PairSum()].add(expectedValues)
      }
      for part in place.keyParts { verifier.expectedParts[part, default: PairSum()].add(expectedValues) }
      expectedValues = PairSum()
    }
    if expectedLinks.count > 0 {
      verifier.expected[place.linkIndex, default: PairSum()].add(expectedLinks)
      expectedLinks = PairSum()
    }
  }

  // MARK: Values

  /// Most columns with indexes hold integers: no value is made of them.
  @inline(__always)
  private mutating func check(_ number: Int64, _ place: Place, _ row: Int) {
    expect(place) { $0.add(IndexKey.ordered(number), row: UInt64(row)) }
    if soundValues != nil { give(.int(number), place, row) }
  }

  private mutating func check(_ value: Value, _ place: Place, _ row: Int) {
    switch (place.description.type, value) {
    case (.link, .link(_, let target)):
      if !checkLink(target, place, row) { return }
    default:
      expect(place) { $0.add(IndexKey(value), row: UInt64(row)) }
    }
    give(value, place, row)
  }

  private func give(_ value: Value, _ place: Place, _ row: Int) {
    soundValues?.take(value, table: place.table, column: place.column, row: row)
  }

  /// Returns whether the linked row is there.
  private mutating func checkLink(_ target: Int, _ place: Place, _ row: Int) -> Bool {
    expectedLinks.add(UInt64(bitPattern: Int64(target)), row: UInt64(row))
    if verifier.isAlive(place.description.target, target) { return true }
    note("it links to row \(target), which is not there", place, row)
    return false
  }

  private mutating func checkBytes(_ inline: UnsafeRawBufferPointer?, _ place: Place, _ row: Int) {
    guard let bytes = inline ?? longValue(place, row) else { return }
    if place.description.isFullText {
      WordList(bytes).forEachDifference(from: WordList()) { word in
        expectedLinks.add(word, row: UInt64(row))
      } there: { _ in
      }
    }
    if place.description.type == .mixed {
      checkMixed(bytes, place, row)
    } else {
      expect(place) { $0.add(bytes, row: UInt64(row)) }
      if soundValues != nil { give(Value(place.description.type, bytes: bytes), place, row) }
    }
  }

  private mutating func longValue(_ place: Place, _ row: Int) -> UnsafeRawBufferPointer? {
    let stored = ValueKey(table: place.table, column: place.column, row: row).withBytes { key in
      values.take(UnsafeRawBufferPointer(start: key, count: ValueKey.size), unexpected: &leftovers)
    }
    if let stored { return stored.value }
    note("its value is missing", place, row)
    makeIndexesUncertain(place)
    return nil
  }

  private mutating func checkMixed(_ bytes: UnsafeRawBufferPointer, _ place: Place, _ row: Int) {
    guard MixedCheck(isRow: verifier.isAlive).isSound(bytes) else {
      makeIndexesUncertain(place)
      return note("its value cannot be read", place, row)
    }
    let value = Value(.mixed, bytes: bytes)
    expect(place) { $0.add(IndexKey(value), row: UInt64(row)) }
    expectLinks(of: value, row)
    give(value, place, row)
  }

  private mutating func expectLinks(of value: Value, _ row: Int) {
    func expectLink(_ table: Int, _ target: Int) {
      expectedLinks.add(UInt64(table) << 48 | UInt64(target), row: UInt64(row))
    }
    if case .link(let table, let target) = value { return expectLink(table, target) }
    value.forEachLink { expectLink($0, $1) }
  }

  // MARK: Collections

  private mutating func checkCollection(count: Int64, _ place: Place, _ row: Int) {
    guard count >= 0, count <= Int64(UInt32.max) else {
      makeIndexesUncertain(place)
      return note("it has \(count) elements", place, row)
    }
    let key = CollectionKey(table: place.table, column: place.column, row: row)
    let isMap = place.description.collection == .map
    var sound = SoundElements(isMap: isMap, isWanted: soundValues != nil)
    let families: [CollectionFamily] = isMap ? [.values, .keys] : [.values]
    for family in families {
      for first in stride(from: 0, to: Int(count), by: chunkCapacity) {
        let segment = SegmentKey(key, family, first / chunkCapacity)
        let stored = segment.withBytes { key in
          collections.take(
            UnsafeRawBufferPointer(start: key, count: SegmentKey.size), unexpected: &leftovers)
        }
        if let stored {
          let needed = min(chunkCapacity, Int(count) - first)
          checkSegment(segment, stored, family, needed, place, row, &sound)
          continue
        }
        makeIndexesUncertain(place)
        note("elements are lost: they are missing", place, row)
        // Nor is any of those behind it there, then.
        if !segment.withPrefix({ collections.isNext(beginningWith: $0) }) { break }
      }
    }
    giveElements(sound, place, row)
  }

  private func giveElements(_ sound: SoundElements, _ place: Place, _ row: Int) {
    soundValues?.take(
      sound.elements, keys: sound.keys, table: place.table, column: place.column, row: row)
  }

  /// - Parameter needed: The number of elements that the segment should have; nil when that is not known.
  private mutating func checkSegment(
    _ key: SegmentKey, _ stored: EntryIterator.Entry, _ family: CollectionFamily, _ needed: Int?,
    _ place: Place, _ row: Int, _ sound: inout SoundElements
  ) {
    func lose(_ reason: String) {
      makeIndexesUncertain(place)
      note("elements are lost: \(reason)", place, row)
    }
    let layout = family == .keys ? .bytes : place.description.elementLayout
    if let fault = ChunkCheck(layout: layout, allowsLongValues: false).fault(in: stored.value) {
      return lose(fault)
    }
    let chunk = Chunk(stored.value.baseAddress!)
    if let needed, chunk.count != needed {
      lose("there are \(chunk.count) instead of \(needed)")
    } else if family == .keys {
      sound.add(keys: chunk, from: key.segment * chunkCapacity)
    } else {
      checkElements(chunk, from: key.segment * chunkCapacity, place, row, &sound)
    }
  }

  private mutating func checkElements(
    _ chunk: Chunk, from first: Int, _ place: Place, _ row: Int, _ sound: inout SoundElements
  ) {
    let type = place.description.type
    if type != .link && type != .mixed && !sound.isWanted { return }
    for index in 0..<chunk.count {
      if !chunk.isNull(index) {
        if type == .link {
          if !checkLink(Int(chunk.integer(index)), place, row) { continue }
        } else if type == .mixed, let bytes = chunk.bytes(index) {
          guard MixedCheck(isRow: verifier.isAlive).isSound(bytes) else {
            makeIndexesUncertain(place)
            note("an element cannot be read", place, row)
            continue
          }
          expectLinks(of: Value(.mixed, bytes: bytes), row)
        }
      }
      if sound.isWanted {
        sound.add(chunk.storedValue(index, type, target: place.description.target), at: first + index)
      }
    }
  }
}
