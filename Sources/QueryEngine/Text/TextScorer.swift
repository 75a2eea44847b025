import LibC
import Storage

/// Scores the texts that rows have in one property, or in one of the objects that they link to.
///
/// A row's score is the sum over the words of the search of
///
///     idf · tf · (k + 1) / (tf + k · (1 - b + b · length / average length))    idf = ln(1 + (n - m + ½) / (m + ½))
///
/// where `tf` is how often the text has the word, n the number of objects of the class that has the property and m of
/// those that have the word in it; k = 1.2, b = 0.75. Lengths are counted in words, and the average is that of the rows
/// which have a text. Several texts of a row count as one, and
/// the text of an object that a path leads to more than once counts once. A beginning counts as one word. Excluded words and the
/// arrangement of words decide which rows are found, not their score.
struct TextScorer {
  private let search: FullTextSearch
  private let reader: RowReader
  private let steps: [PathSource.Step]
  /// The table and the column of the texts.
  private let target: Table
  private let column: Int
  private let index: WordIndexSearch

  /// nil when the path does not lead to a column with an index of its words.
  init?(_ search: FullTextSearch, _ path: ResolvedPath, table: Int, _ snapshot: Snapshot) {
    guard case .scalar(.column(let column, _)) = path.end else { return nil }
    let target = snapshot.table(path.steps.last?.target ?? table)
    guard let index = WordIndexSearch(search, target, column) else { return nil }
    self.search = search
    self.target = target
    self.column = column
    self.index = index
    steps = path.steps
    reader = RowReader(snapshot.table(table))
  }

  /// Adds the scores of rows, which have at least one word of the search in some property.
  func addScores(of rows: [Int], to scores: inout [Double]) {
    let width = search.required.count + 1
    var counts = ContiguousArray<Int32>()
    counts.reserveCapacity(rows.count * width)
    var (totalLength, textCount) = (0, 0)
    for row in rows {
      let length = count(row, into: &counts)
      counts.append(Int32(clamping: length ?? 0))
      totalLength += length ?? 0
      textCount += length == nil ? 0 : 1
    }
    let average = Swift.max(1, Double(totalLength) / Double(Swift.max(1, textCount)))
    let weights = search.required.map { weight(index.count(of: $0)) }
    for number in rows.indices {
      scores[number] += score(counts[number * width..<(number + 1) * width], weights, average)
    }
  }

  /// Adds how often each word of the search is in a row's texts. Returns how many words these have, nil when there is no
  /// text.
  private func count(_ row: Int, into counts: inout ContiguousArray<Int32>) -> Int? {
    let start = counts.count
    counts.append(contentsOf: repeatElement(0, count: search.required.count))
    if steps.isEmpty { return countText(of: row, into: &counts, from: start) }
    var length: Int?
    for row in reader.rows(behind: steps, row: row).rows {
      if let added = countText(of: row, into: &counts, from: start) { length = (length ?? 0) + added }
    }
    return length
  }

  /// Adds how often each word of the search is in one text. Returns how many words it has, nil for null.
  private func countText(
    of row: Int, into counts: inout ContiguousArray<Int32>, from start: Int
  ) -> Int? {
    if target.isNull(column, row) { return nil }
    var length = 0
    WordReader.forEachWord(of: target.bytes(column, row)) { word in
      length += 1
      for (number, term) in search.required.enumerated() where term.matches(word) {
        counts[start + number] += 1
      }
    }
    return length
  }

  private func weight(_ found: Int) -> Double {
    let all = Double(target.state.pointee.liveCount)
    return log(1 + (all - Double(found) + 0.5) / (Double(found) + 0.5))
  }

  private func score(_ counts: ArraySlice<Int32>, _ weights: [Double], _ average: Double) -> Double {
    let (k, b) = (1.2, 0.75)
    let scale = k * (1 - b + b * Double(counts.last!) / average)
    var score = 0.0
    for (count, weight) in zip(counts, weights) where count > 0 {
      let count = Double(count)
      score += weight * count * (k + 1) / (count + scale)
    }
    return score
  }
}

extension PathSource.Step {
  /// The table that the step leads to.
  fileprivate var target: Int {
    switch self {
    case .link(_, let target): target
    case .links(let source): source.table
    }
  }
}
