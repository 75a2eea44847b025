package import Storage

/// A predicate prepared for one table of a snapshot.
///
/// Made for use at once: it holds until the snapshot's content stamp changes, on the snapshot's thread. Rows that are
/// not there any more never match.
package struct QueryPlan {
  private let predicate: Predicate
  private let table: Table
  /// What each row must still pass.
  private let rest: Predicate
  /// The prepared predicate; nil when there is nothing to test.
  private let filter: (any ChunkFilter)?
  /// How an index gives the only rows that can match, when that is quicker.
  let access: IndexChoice?
  /// The best way through an index, quicker or not.
  private let bestAccess: IndexChoice?

  /// Whether scans evict the values that were decrypted for them.
  private let letsGo: Bool

  /// Prepares the predicate; conditions on other tables are evaluated here.
  ///
  /// - Parameter letsGo: Whether nothing of the snapshot is in use, so that a scan of an encrypted file can evict the
  ///   values that it has evaluated: see `Snapshot.letGoOfDecrypted`.
  package init(_ predicate: Predicate, table number: Int, in snapshot: Snapshot, letsGo: Bool = false) {
    self.init(predicate, table: number, in: snapshot, indexUse: .whenCheaper, letsGo: letsGo)
  }

  enum IndexUse {
    case whenCheaper, always, never
  }

  init(
    _ predicate: Predicate, table number: Int, in snapshot: Snapshot, indexUse: IndexUse, letsGo: Bool = false
  ) {
    self.predicate = predicate
    self.letsGo = letsGo && snapshot.file.isEncrypted
    table = snapshot.table(number)
    bestAccess = indexUse == .never ? nil : IndexChoice.cheapest(predicate, table)
    access = bestAccess.flatMap { indexUse == .always || $0.isCheaper(than: predicate) ? $0 : nil }
    rest = access?.rest ?? predicate
    filter = Self.filter(rest, table)
  }

  private static func filter(_ predicate: Predicate, _ table: Table) -> (any ChunkFilter)? {
    predicate == .constant(true) ? nil : FilterBuilder(table).filter(predicate)
  }

  /// Evicts decrypted values between two chunks if they take much memory, and rebuilds the filter then.
  ///
  /// - Parameter needed: Number of decrypted bytes that the filter itself needs.
  @inline(never)
  private func letGo(_ filter: inout (any ChunkFilter)?, _ needed: inout Int) {
    if !table.snapshot.letGoOfDecrypted(beyond: needed) { return }
    filter = Self.filter(rest, table)
    needed = table.snapshot.decryptedSize
  }

  /// The rows that match, when preparing the filter has found them.
  private var found: RowSet? { access == nil ? (filter as? RowSetFilter)?.matches : nil }

  /// The rows that match.
  package func evaluate() -> RowSet {
    if let found { return found }
    if let access {
      if filter == nil { return access.rows }
      if let few = access.rows.list { return RowSet(rows: passing(few)) }
      return scan(only: access.rows)
    }
    return scan()
  }

  /// The rows that match, of all or of some.
  private func scan(only candidates: RowSet? = nil) -> RowSet {
    let chunkCount = table.chunkCount
    let candidates = candidates?.words(rowLimit: table.rowLimit)
    var filter = filter
    var needed = 0
    let words = [UInt64](count: chunkCount * maskWordCount) { words in
      for number in 0..<chunkCount {
        if letsGo { letGo(&filter, &needed) }
        if candidates == nil, let filter { prefetch(after: number, filter) }
        let mask = ChunkMask(words + number * maskWordCount)
        mask.loadPresence(table, chunk: number)
        if let candidates {
          for word in 0..<maskWordCount { mask.words[word] &= candidates[number &* maskWordCount &+ word] }
        }
        if let filter, !mask.isEmpty { filter.filter(mask, chunk: number) }
      }
    }
    return RowSet(words: words)
  }

  /// The answer for all rows of a chunk when its minima and maxima tell it.
  func answerForAll(chunk number: Int) -> Bool? {
    filter.map { $0.answerForAll(chunk: number) } ?? true
  }

  /// How many rows match, when an index tells without any of them being found.
  var countFromIndex: Int? { bestAccess?.count(insteadOf: predicate) }

  /// How many rows match.
  package func count() -> Int {
    if let countFromIndex { return countFromIndex }
    if access != nil { return evaluate().count }
    if let found { return found.count }
    guard let filter else { return table.state.pointee.liveCount }
    return letsGo ? countLettingGo() : count(0..<table.chunkCount, filter)
  }

  /// Looks at what is held the more seldom, the less is added, so that what is decrypted already is counted as quickly as
  /// ever.
  private func countLettingGo() -> Int {
    var filter = filter
    var (count, needed, first, step) = (0, 0, 0, 1)
    while first < table.chunkCount {
      letGo(&filter, &needed)
      let before = table.snapshot.file.decryptedSize
      let end = min(first + step, table.chunkCount)
      count += self.count(first..<end, filter.unsafelyUnwrapped)
      step = table.snapshot.file.decryptedSize - before < 1 << 18 ? min(2 * step, 64) : max(step / 2, 1)
      first = end
    }
    return count
  }

  private func count(_ chunks: Range<Int>, _ filter: any ChunkFilter) -> Int {
    let mask = ChunkMask.allocate()
    defer { mask.deallocate() }
    var count = 0
    for number in chunks {
      prefetch(after: number, filter)
      mask.loadPresence(table, chunk: number)
      if mask.isFull, let all = filter.countAll(chunk: number) {
        count += all
      } else if !mask.isEmpty {
        filter.filter(mask, chunk: number)
        count += mask.count
      }
    }
    return count
  }

  /// So many chunks of a byte for each value are more than the caches hold.
  #if DEBUG
    private static let prefetchedChunkCount = 2
    private static let prefetchDistance = 1
  #else
    private static let prefetchedChunkCount = 4096
    private static let prefetchDistance = 8
  #endif

  /// Looks ahead in tables whose columns the processor's caches do not hold, where each chunk would wait for memory. Others
  /// are quicker without.
  @inline(__always) private func prefetch(after number: Int, _ filter: any ChunkFilter) {
    let count = table.chunkCount
    let next = number + Self.prefetchDistance
    if count >= Self.prefetchedChunkCount && next < count { filter.prefetch(chunk: next) }
  }

  /// The lowest row that matches.
  package func firstRow() -> Int? {
    if access != nil { return evaluate().first }
    if let found { return found.first }
    let mask = ChunkMask.allocate()
    defer { mask.deallocate() }
    var filter = filter
    var needed = 0
    for number in 0..<table.chunkCount {
      if letsGo { letGo(&filter, &needed) }
      mask.loadPresence(table, chunk: number)
      if let filter, !mask.isEmpty { filter.filter(mask, chunk: number) }
      if let index = mask.first { return number * chunkCapacity + index }
    }
    return nil
  }

  /// Returns the matching rows of a list, in its order and with its repetitions.
  package func evaluate(rows: [Int]) -> [Int] {
    if rows.isEmpty { return [] }
    if let access {
      // For a few rows of many it is quicker to test these.
      if access.estimate > rows.count * 8 {
        return QueryPlan(predicate, table: table.number, in: table.snapshot, indexUse: .never)
          .evaluate(rows: rows)
      }
      let matching = evaluate()
      return rows.filter { matching.contains($0) }
    }
    // A chunk is tested once for all its rows, so these must come together.
    if zip(rows, rows.dropFirst()).allSatisfy({ $0 <= $1 }) { return passing(rows) }
    let matching = Set(passing(rows.sorted()))
    return rows.filter { matching.contains($0) }
  }

  /// Returns the live rows of an ascending list that pass the filter.
  private func passing(_ rows: [Int]) -> [Int] {
    let mask = ChunkMask.allocate()
    let presence = ChunkMask.allocate()
    defer {
      mask.deallocate()
      presence.deallocate()
    }
    var result: [Int] = []
    let rowLimit = table.rowLimit
    var start = rows.firstIndex { $0 >= 0 } ?? rows.count
    while start < rows.count {
      let number = rows[start] / chunkCapacity
      var end = start
      mask.clear()
      while end < rows.count, rows[end] / chunkCapacity == number {
        if rows[end] < rowLimit { mask.insert(rows[end] % chunkCapacity) }
        end += 1
      }
      if !mask.isEmpty {
        presence.loadPresence(table, chunk: number)
        mask.formIntersection(presence)
        if let filter, !mask.isEmpty { filter.filter(mask, chunk: number) }
        for position in start..<end
        where mask.contains(rows[position] % chunkCapacity) && rows[position] < rowLimit {
          result.append(rows[position])
        }
      }
      start = end
    }
    return result
  }

  /// Whether one row matches, found out without the column-wise evaluation.
  package func matches(row: Int) -> Bool {
    table.isAlive(row) && RowReader(table).matches(predicate, row: row)
  }
}
