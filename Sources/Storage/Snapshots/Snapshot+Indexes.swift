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
      transaction: source, database: file.databases.indexes,
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
