package import Storage

/// Orders rows by how much their texts are about what a search looks for: by BM25 (Robertson and Zaragoza, "The
/// Probabilistic Relevance Framework", 2009).
///
/// A row's score is the sum of those of the searched properties, which ``TextScorer`` computes: a word counts in each
/// property that has it.
package struct TextRanking {
  private let search: String
  private let texts: SearchedTexts
  private let snapshot: Snapshot

  package struct Hit: Sendable, Equatable {
    package var row: Int
    package var score: Double
  }

  package init(_ search: String, _ texts: SearchedTexts, in snapshot: Snapshot) {
    self.search = search
    self.texts = texts
    self.snapshot = snapshot
  }

  /// Returns those of some rows that the search finds, the most relevant first, equally relevant ones in the order of the
  /// selection.
  ///
  /// - Parameters:
  ///   - selection: Rows in any order. A row that is in it twice is in the result twice.
  ///   - keys: The order of the selection, if it is not in that order yet: only rows that are found are sorted.
  package func hits(
    among selection: RowSelection, sortedBy keys: [SortKey] = [], limit: Int? = nil
  ) -> [Hit] {
    let hits = ranked(selection, keys)
    return limit.map { Array(hits.prefix($0)) } ?? hits
  }

  private func ranked(_ selection: RowSelection, _ keys: [SortKey]) -> [Hit] {
    var rows = rows(selection)
    if !keys.isEmpty { rows = snapshot.sort(rows, by: keys, table: texts.table) }
    var scores = [Double](repeating: 0, count: rows.count)
    let search = FullTextSearch(search)
    for path in texts.paths {
      TextScorer(search, path, table: texts.table, snapshot)?.addScores(of: rows, to: &scores)
    }
    let order = rows.indices.sorted {
      scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1
    }
    return order.map { Hit(row: rows[$0], score: scores[$0]) }
  }

  private func rows(_ selection: RowSelection) -> [Int] {
    let found = snapshot.evaluate(texts.predicate(search), table: texts.table)
    switch selection {
    case .all: return found.rows
    case .set(let rows): return rows.rows.filter(found.contains)
    case .rows(let rows): return rows.filter(found.contains)
    }
  }
}
