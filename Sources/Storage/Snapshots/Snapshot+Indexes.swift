import Synchronization

/// The index readers of a snapshot that one thread uses at a time.
struct IndexReaders {
  private var readers = NumberTable<IndexReader>()
  /// The index used last: most reads use the same one again.
  private var lastIndex = UInt32.max
  private var last: Unmanaged<IndexReader>?

  @inline(__always)
  func last(for index: UInt32) -> Unmanaged<IndexReader>? { lastIndex == index ? last : nil }

  mutating func reader(_ index: UInt32) -> IndexReader? {
    guard let reader = readers[Int(index)] else { return nil }
    note(index, reader)
    return reader
  }

  mutating func add(_ reader: IndexReader, _ index: UInt32) {
    readers[Int(index)] = reader
    note(index, reader)
  }

  private mutating func note(_ index: UInt32, _ reader: IndexReader) {
    lastIndex = index
    last = .passUnretained(reader)
  }

  /// Moves on to another version.
  func renew(transaction: EntryTransaction) {
    for reader in readers.values { reader.renew(transaction: transaction) }
  }

  mutating func removeAll() {
    last = nil
    readers = NumberTable()
  }
}

/// The index readers of a shared snapshot that no thread uses at present.
struct IdleIndexReaders: ~Copyable {
  private let readers = Mutex(NumberTable<[Idle]>())
  /// Not private, which the compiler does not survive in a type that cannot be copied.
  struct Idle: @unchecked Sendable { let reader: IndexReader }

  func take(_ index: UInt32) -> IndexReader? { readers.withLock { $0[Int(index)]?.popLast() }?.reader }

  func give(_ reader: IndexReader, _ index: UInt32) {
    let returned = Idle(reader: reader)
    readers.withLock { $0[Int(index), default: []].append(returned) }
  }

  func removeAll() { readers.withLock { $0 = NumberTable() } }
}

extension Snapshot {
  /// Calls the body with the reader of an index, without the cost of another reference.
  @inline(__always)
  func withIndexReader<Result>(_ index: UInt32, _ body: (IndexReader) -> Result) -> Result {
    if let last = indexReaders.last(for: index) { return last._withUnsafeGuaranteedRef(body) }
    return isShared ? withIdleReader(index, body) : body(indexReader(index))
  }

  private func withIdleReader<Result>(_ index: UInt32, _ body: (IndexReader) -> Result) -> Result {
    let reader = idleIndexReaders.take(index) ?? makeIndexReader(index)
    defer { idleIndexReaders.give(reader, index) }
    return body(reader)
  }

  private func makeIndexReader(_ index: UInt32) -> IndexReader {
    IndexReader(
      transaction: source, tree: .indexes,
      index: isReadable(index: index) ? index : IndexNumber.none, verifier: self)
  }

  func indexReader(_ index: UInt32) -> IndexReader {
    if isShared { return makeIndexReader(index) }
    if let reader = indexReaders.reader(index) { return reader }
    let reader = makeIndexReader(index)
    indexReaders.add(reader, index)
    return reader
  }
}

// What the indexes say of the snapshot as it is seen: of its version and of what the open write transaction has changed.
extension Snapshot {
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

  // MARK: Words

  /// Calls the body with the rows in which a word occurs, or a word that begins with it, until it returns false.
  ///
  /// The rows of one word are ascending and each there once; those of several words follow one another.
  ///
  /// - Precondition: The column has a word index.
  package func forEachRow(
    table: Int, column: Int, withWord word: [UInt8], isBeginning: Bool, _ body: (Int) -> Bool
  ) {
    let index = IndexNumber.words(table: table, column: column)
    let reader = writing?.droppedIndexes.contains(index) == true ? nil : indexReader(index)
    let range = isBeginning ? IndexRange.prefix(word) : .equal(to: .bytes(word))
    if let changes = writing?.indexChanges[index], !changes.isEmpty {
      changes.forEachRow(in: range, base: reader, body)
    } else {
      reader?.forEachRow(in: range, body)
    }
  }

  /// Roughly the number of rows that such a search gives, not counting what the open write transaction changed.
  package func estimatedCount(table: Int, column: Int, ofWord word: [UInt8], isBeginning: Bool) -> Int {
    let index = IndexNumber.words(table: table, column: column)
    return indexReader(index).estimatedCount(in: isBeginning ? .prefix(word) : .equal(to: .bytes(word)))
  }
}
