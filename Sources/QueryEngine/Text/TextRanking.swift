import LibC
package import Storage

/// Orders texts by how much they are about what a search looks for: by BM25 (Robertson and Zaragoza, "The Probabilistic
/// Relevance Framework", 2009).
///
/// A text's score is the sum over the words of the search of
///
///     idf · tf · (k + 1) / (tf + k · (1 - b + b · length / average length))    idf = ln(1 + (n - m + ½) / (m + ½))
///
/// where `tf` is how often the text has the word, n the number of rows and m of those that have it; k = 1.2, b = 0.75.
/// Lengths are counted in words, and the average is that of the texts which are ranked. A beginning counts as one word.
/// Excluded words and the arrangement of words decide which texts are found, not their score.
package struct TextRanking {
  private let search: FullTextSearch
  private let table: Table
  private let column: Int
  private let index: WordIndexSearch

  package struct Hit: Sendable, Equatable {
    package var row: Int
    package var score: Double
  }

  /// nil when the column has no index of its words.
  package init?(_ search: FullTextSearch, _ table: Table, column: Int) {
    guard let index = WordIndexSearch(search, table, column) else { return nil }
    self.index = index
    self.search = search
    self.table = table
    self.column = column
  }

  /// Those of some rows that the search finds, the most relevant first, equally relevant ones by their rows.
  ///
  /// - Parameter selection: Rows in any order; what is there twice is there twice in the result.
  package func hits(among selection: RowSelection, limit: Int? = nil) -> [Hit] {
    let hits = table.snapshot.reading { ranked(selection) }
    return limit.map { Array(hits.prefix($0)) } ?? hits
  }

  private func ranked(_ selection: RowSelection) -> [Hit] {
    let rows = rows(selection)
    var counts = ContiguousArray<Int32>()
    counts.reserveCapacity(rows.count * (search.required.count + 1))
    var totalLength = 0
    for row in rows {
      let length = count(row, into: &counts)
      counts.append(Int32(clamping: length))
      totalLength += length
    }
    let average = Swift.max(1, Double(totalLength) / Double(Swift.max(1, rows.count)))
    let weights = search.required.map { weight(index.count(of: $0)) }
    let width = weights.count + 1
    var hits = rows.enumerated().map { number, row in
      Hit(row: row, score: score(counts[number * width..<(number + 1) * width], weights, average))
    }
    hits.sort { $0.score != $1.score ? $0.score > $1.score : $0.row < $1.row }
    return hits
  }

  private func rows(_ selection: RowSelection) -> [Int] {
    let found = index.rows()
    switch selection {
    case .all: return found.rows
    case .set(let rows): return rows.rows.filter(found.contains)
    case .rows(let rows): return rows.filter { found.contains($0) && table.isAlive($0) }
    }
  }

  /// Adds how often each word of the search is in a row's text. Returns how many words that has.
  private func count(_ row: Int, into counts: inout ContiguousArray<Int32>) -> Int {
    let start = counts.count
    counts.append(contentsOf: repeatElement(0, count: search.required.count))
    var length = 0
    WordReader.forEachWord(of: table.bytes(column, row)) { word in
      length += 1
      for (number, term) in search.required.enumerated() where term.matches(word) {
        counts[start + number] += 1
      }
    }
    return length
  }

  private func weight(_ found: Int) -> Double {
    let all = Double(table.state.pointee.liveCount)
    return log(1 + (all - Double(found) + 0.5) / (Double(found) + 0.5))
  }

  private func score(_ counts: ArraySlice<Int32>, _ weights: [Double], _ average: Double) -> Double {
    let (k, b) = (1.2, 0.75)
    let scale = k * (1 - b + b * Double(counts.last!) / average)
    var score = 0.0
    for (count, weight) in zip(counts, weights) {
      let count = Double(count)
      score += weight * count * (k + 1) / (count + scale)
    }
    return score
  }
}
