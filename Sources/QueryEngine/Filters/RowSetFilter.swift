import Storage

/// Rows known beforehand, from an index or another table.
final class RowSetFilter: ChunkFilter {
  private let candidates: RowSet
  private let rowLimit: Int
  /// The rows when all of them are there: then they are what matches, and no chunk has to be looked at.
  let matches: RowSet?
  /// Only made where the rows of chunks are asked for.
  private lazy var words = candidates.words(rowLimit: rowLimit)
  var cost: Double { 0.1 }

  /// - Parameter areThere: Whether each of the rows is known to be there.
  init(_ rows: RowSet, rowLimit: Int, areThere: Bool = false) {
    candidates = rows
    self.rowLimit = rowLimit
    matches = areThere ? rows : nil
  }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    let start = number * maskWordCount
    for word in 0..<maskWordCount { mask.words[word] &= words[start &+ word] }
  }
}
