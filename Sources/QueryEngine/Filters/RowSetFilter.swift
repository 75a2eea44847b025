import Storage

/// Rows known beforehand, from an index or another table.
final class RowSetFilter: ChunkFilter {
  private let rows: RowSet
  private let rowLimit: Int
  private let areThere: Bool
  /// Only made where the rows of chunks are asked for.
  private lazy var words = rows.words(rowLimit: rowLimit)
  var cost: Double { 0.1 }

  /// - Parameter areThere: Whether each of the rows is known to be there.
  init(_ rows: RowSet, rowLimit: Int, areThere: Bool = false) {
    self.rows = rows
    self.rowLimit = rowLimit
    self.areThere = areThere
  }

  /// The rows when all of them are there: then they are what matches, and no chunk has to be looked at. One beyond the
  /// table's, which only a damaged index has, is left out in the slower way.
  var matches: RowSet? { areThere && (rows.list?.last ?? -1) < rowLimit ? rows : nil }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    let start = number * maskWordCount
    for word in 0..<maskWordCount { mask.words[word] &= words[start &+ word] }
  }
}
