import Storage

/// Rows of which some, or a certain number, of the elements of a collection of links point to selected rows of
/// another table.
final class LinkCollectionFilter: ChunkFilter {
  private let table: Table
  private let column: Int
  private let targets: [UInt64]
  /// nil when one is enough.
  private let countCondition: ValueCondition?
  private let acceptsEmpty: Bool
  var cost: Double { 500 }

  init(_ table: Table, _ column: Int, targets: [UInt64], countCondition: ValueCondition?) {
    self.table = table
    self.column = column
    self.targets = targets
    self.countCondition = countCondition
    acceptsEmpty = countCondition?.matches(.int(0), type: .int) ?? false
  }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    let counts = table.chunk(column, number: number)
    let countLimit = counts.count
    let firstRow = number &* chunkCapacity
    mask.filter { index in
      let count = index < countLimit ? Int(counts.integer(index)) : 0
      if count == 0 { return acceptsEmpty }
      guard let countCondition else { return selectedCount(row: firstRow &+ index, atMost: 1) > 0 }
      let selected = selectedCount(row: firstRow &+ index, atMost: .max)
      return countCondition.matches(.int(Int64(selected)), type: .int)
    }
  }

  /// The number of a row's elements that are selected; stops counting at a limit.
  private func selectedCount(row: Int, atMost limit: Int) -> Int {
    var selected = 0
    return targets.withUnsafeBufferPointer { targets in
      let targetLimit = UInt64(targets.count &* 64)
      for segment in table.collection(column, row).segments {
        let hasNulls = segment.chunk.nullBitmap != nil
        for index in 0..<segment.count {
          let target = UInt64(bitPattern: segment.chunk.integer(index))
          if target < targetLimit, targets[Int(target >> 6)] & (1 << (target & 63)) != 0,
            !hasNulls || !segment.chunk.isNull(index)
          {
            selected &+= 1
            if selected == limit { return selected }
          }
        }
      }
      return selected
    }
  }
}
