import Storage

/// Evaluates a full-text condition on a column with a word index.
struct WordIndexSearch {
  private let table: Table
  private let column: Int
  private let search: FullTextSearch
  private var snapshot: Snapshot { table.snapshot }

  /// nil when the condition is no full-text search or the column has no index of its words.
  init?(_ condition: ValueCondition, _ table: Table, _ column: Int) {
    guard case .text(let text) = condition, let search = text.matcher.search else { return nil }
    self.init(search, table, column)
  }

  /// nil when the column has no index of its words.
  init?(_ search: FullTextSearch, _ table: Table, _ column: Int) {
    guard table.snapshot.catalogue.tables[table.number].columns[column].isFullText else { return nil }
    self.table = table
    self.column = column
    self.search = search
  }

  /// How many rows have a term.
  func count(of term: FullTextSearch.Term) -> Int { rows(term).count }

  /// The rows that satisfy the search.
  func rows() -> RowSet {
    if search.required.isEmpty { return search.excluded.isEmpty ? .empty : notExcluded() }
    // The rarest words first; once few rows are left, their texts are read instead of long lists of rows.
    let terms = search.required.map { (term: $0, count: estimatedCount($0)) }.sorted { $0.count < $1.count }
    var rows = rows(terms[0].term)
    // Which words there are is not all that matters.
    var readsTexts = !search.arranged.isEmpty
    for (term, count) in terms.dropFirst() {
      if rows.isEmpty { break }
      if count > rows.count * 50 { return RowSet(rows: rows.filter(textMatches)) }
      rows = Self.intersection(rows, self.rows(term))
    }
    for part in search.excluded where !rows.isEmpty {
      if part.arrangement != .anywhere {
        readsTexts = true
      } else if part.terms.map(estimatedCount).min()! > rows.count * 50 {
        return RowSet(rows: rows.filter(textMatches))
      } else {
        rows = Self.difference(rows, self.rows(ofAll: part.terms))
      }
    }
    return RowSet(rows: readsTexts ? rows.filter(textMatches) : rows)
  }

  /// Roughly how many rows the search gives, at most.
  var estimatedCount: Int {
    search.required.map(estimatedCount).min() ?? (search.excluded.isEmpty ? 0 : table.rowLimit)
  }

  private func estimatedCount(_ term: FullTextSearch.Term) -> Int {
    snapshot.estimatedCount(
      table: table.number, column: column, ofWord: term.word, isBeginning: term.isBeginning)
  }

  private func textMatches(_ row: Int) -> Bool { search.matches(table.bytes(column, row)) }

  /// The rows whose texts have the term, ascending, without repetition.
  private func rows(_ term: FullTextSearch.Term) -> [Int] {
    var rows: [Int] = []
    var isAscending = true
    snapshot.forEachRow(
      table: table.number, column: column, withWord: term.word, isBeginning: term.isBeginning
    ) { row in
      if let last = rows.last, row <= last { isAscending = false }
      rows.append(row)
      return true
    }
    if isAscending { return rows }
    // Several words, whose rows follow one another.
    var words = [UInt64](repeating: 0, count: table.chunkCount * maskWordCount)
    for row in rows { words[row >> 6] |= 1 << UInt64(row & 63) }
    return RowSet(words: words).rows
  }

  private func rows(ofAll terms: [FullTextSearch.Term]) -> [Int] {
    var rows = rows(terms[0])
    for term in terms.dropFirst() { rows = Self.intersection(rows, self.rows(term)) }
    return rows
  }

  /// The rows that are not null and of which no excluded part is true.
  private func notExcluded() -> RowSet {
    var excluded = [UInt64](repeating: 0, count: table.chunkCount * maskWordCount)
    for part in search.excluded {
      for row in rows(ofAll: part.terms) where part.arrangement == .anywhere || !textMatches(row) {
        excluded[row >> 6] |= 1 << UInt64(row & 63)
      }
    }
    for number in 0..<table.chunkCount {
      let chunk = table.chunk(column, number: number)
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: maskWordCount) { words in
        let mask = ChunkMask(words.baseAddress!)
        mask.loadPresence(table, chunk: number)
        if let nulls = chunk.nullBitmap { mask.keep(nulls: nulls, false) }
        for word in 0..<maskWordCount {
          let place = number &* maskWordCount &+ word
          excluded[place] = mask.words[word] & ~excluded[place]
        }
      }
    }
    return RowSet(words: excluded)
  }

  // MARK: Ascending rows

  private static func intersection(_ a: [Int], _ b: [Int]) -> [Int] { common(a, b, isKept: true) }
  private static func difference(_ a: [Int], _ b: [Int]) -> [Int] { common(a, b, isKept: false) }

  /// Returns the rows of the first list that are, or are not, in the second.
  private static func common(_ a: [Int], _ b: [Int], isKept: Bool) -> [Int] {
    var result: [Int] = []
    var position = 0
    for row in a {
      while position < b.count && b[position] < row { position += 1 }
      if (position < b.count && b[position] == row) == isKept { result.append(row) }
    }
    return result
  }
}
