import Storage

/// Rows known beforehand, from an index or another table.
final class RowSetFilter: ChunkFilter {
  private let words: [UInt64]
  var cost: Double { 0.1 }

  init(_ rows: RowSet, rowLimit: Int) { words = rows.words(rowLimit: rowLimit) }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    let start = number * maskWordCount
    for word in 0..<maskWordCount { mask.words[word] &= words[start &+ word] }
  }
}
