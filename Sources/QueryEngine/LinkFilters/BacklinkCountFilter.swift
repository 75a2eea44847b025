import Storage

/// Rows by how many selected rows of another table link to them.
final class BacklinkCountFilter: ChunkFilter {
  private let counts: [Int32]
  private let condition: ValueCondition
  var cost: Double { 20 }

  /// - Parameter counts: For each row of the table.
  init(_ counts: [Int32], _ condition: ValueCondition) {
    self.counts = counts
    self.condition = condition
  }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    mask.filter { index in
      let row = number &* chunkCapacity &+ index
      let count = row < counts.count ? Int64(counts[row]) : 0
      return condition.matches(.int(count), type: .int)
    }
  }
}
