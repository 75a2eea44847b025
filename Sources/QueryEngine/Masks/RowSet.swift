import Storage

/// The rows of a table that a predicate selects.
package struct RowSet: Sendable {
  /// Either a bit for each row (chunks are 15 × 64 rows, so bit r is row r) or, for few of them, the rows.
  private enum Content: Sendable {
    case bits([UInt64])
    case rows([Int])
  }

  private let content: Content
  package let count: Int

  /// - Parameter words: `maskWordCount` words for each chunk.
  init(words: [UInt64]) {
    content = .bits(words)
    var count = 0
    for word in words { count &+= word.nonzeroBitCount }
    self.count = count
  }

  /// - Parameter rows: Ascending, without repetition.
  init(rows: [Int]) {
    content = .rows(rows)
    count = rows.count
  }

  /// The rows of a list that is ascending and has no repetitions.
  package init(ascending rows: [Int]) { self.init(rows: rows) }

  package static let empty = RowSet(rows: [])

  package var isEmpty: Bool { count == 0 }

  /// The rows, when they are kept as a list.
  var list: [Int]? {
    if case .rows(let rows) = content { rows } else { nil }
  }

  /// The lowest row.
  package var first: Int? {
    switch content {
    case .rows(let rows): return rows.first
    case .bits(let words):
      for (number, word) in words.enumerated() where word != 0 {
        return number * 64 + word.trailingZeroBitCount
      }
      return nil
    }
  }

  package func contains(_ row: Int) -> Bool {
    switch content {
    case .bits(let words):
      guard row >= 0, row >> 6 < words.count else { return false }
      return words[row >> 6] & (1 << UInt64(row & 63)) != 0
    case .rows(let rows):
      let place = rows.indices.partitioningIndex { rows[$0] >= row }
      return place < rows.count && rows[place] == row
    }
  }

  /// The rows, ascending. Complexity: O(rows of the table / 64 + count).
  package var rows: [Int] {
    switch content {
    case .rows(let rows): return rows
    case .bits(let words):
      return [Int](count: count) { rows in
        var next = 0
        words.withUnsafeBufferPointer { words in
          for number in 0..<words.count {
            var bits = words[number]
            while bits != 0 {
              rows[next] = number &* 64 &+ bits.trailingZeroBitCount
              next &+= 1
              bits &= bits &- 1
            }
          }
        }
      }
    }
  }

  /// A bit for each row below a limit.
  func words(rowLimit: Int) -> [UInt64] {
    let wordCount = (rowLimit + chunkCapacity - 1) / chunkCapacity * maskWordCount
    switch content {
    case .bits(let words) where words.count >= wordCount: return words
    case .bits(let words): return words + [UInt64](repeating: 0, count: wordCount - words.count)
    case .rows(let rows):
      var words = [UInt64](repeating: 0, count: wordCount)
      for row in rows where row >= 0 && row < rowLimit { words[row >> 6] |= 1 << UInt64(row & 63) }
      return words
    }
  }
}
