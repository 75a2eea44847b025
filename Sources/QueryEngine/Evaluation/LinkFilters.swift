import Storage

/// Rows whose to-one link points to one of the selected rows of another table.
final class LinkFilter: ChunkFilter {
  private let table: Table
  private let column: Int
  private let targets: [UInt64]
  private let whenNull: Bool
  private let nulls = ChunkMask.allocate()
  override var cost: Double { 6 }

  init(_ table: Table, _ column: Int, targets: [UInt64], whenNull: Bool) {
    self.table = table
    self.column = column
    self.targets = targets
    self.whenNull = whenNull
  }

  deinit { nulls.deallocate() }

  override func filter(_ mask: ChunkMask, chunk number: Int) {
    let chunk = table.chunk(column, number: number)
    nulls.clear()
    if let bitmap = chunk.nullBitmap {
      if whenNull {
        nulls.copy(mask)
        nulls.keep(nulls: bitmap, true)
      }
      mask.keep(nulls: bitmap, false)
    }
    let count = chunk.count
    targets.withUnsafeBufferPointer { targets in
      let limit = UInt64(targets.count &* 64)
      mask.filter { index in
        guard index < count else { return false }
        let target = UInt64(bitPattern: chunk.integer(index))
        return target < limit && targets[Int(target >> 6)] & (1 << (target & 63)) != 0
      }
    }
    if whenNull { mask.formUnion(nulls) }
  }
}

/// Rows of which some, or a certain number, of the elements of a collection of links point to selected rows of
/// another table.
final class LinkCollectionFilter: ChunkFilter {
  private let table: Table
  private let column: Int
  private let targets: [UInt64]
  /// nil when one is enough.
  private let countCondition: ValueCondition?
  private let acceptsEmpty: Bool
  override var cost: Double { 500 }

  init(_ table: Table, _ column: Int, targets: [UInt64], countCondition: ValueCondition?) {
    self.table = table
    self.column = column
    self.targets = targets
    self.countCondition = countCondition
    acceptsEmpty = countCondition?.matches(.int(0), type: .int) ?? false
  }

  override func filter(_ mask: ChunkMask, chunk number: Int) {
    let counts = table.chunk(column, number: number)
    let countLimit = counts.count
    let firstRow = number &* chunkCapacity
    mask.filter { index in
      let count = index < countLimit ? Int(counts.integer(index)) : 0
      if count == 0 { return acceptsEmpty }
      guard let countCondition else { return selectedCount(row: firstRow &+ index, count, atMost: 1) > 0 }
      let selected = selectedCount(row: firstRow &+ index, count, atMost: .max)
      return countCondition.matches(.int(Int64(selected)), type: .int)
    }
  }

  /// The number of a row's elements that are selected; stops counting at a limit.
  private func selectedCount(row: Int, _ count: Int, atMost limit: Int) -> Int {
    let snapshot = table.snapshot
    let key = CollectionKey(table: table.number, column: column, row: row)
    var selected = 0
    return targets.withUnsafeBufferPointer { targets in
      let targetLimit = UInt64(targets.count &* 64)
      for first in stride(from: 0, to: count, by: chunkCapacity) {
        let segment = snapshot.segment(key, .values, first / chunkCapacity)
        let hasNulls = segment.nullBitmap != nil
        for index in 0..<min(chunkCapacity, count &- first) {
          let target = UInt64(bitPattern: segment.integer(index))
          if target < targetLimit, targets[Int(target >> 6)] & (1 << (target & 63)) != 0,
            !hasNulls || !segment.isNull(index)
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

/// Rows by how many selected rows of another table link to them.
final class BacklinkCountFilter: ChunkFilter {
  private let counts: [Int32]
  private let condition: ValueCondition
  override var cost: Double { 20 }

  /// - Parameter counts: For each row of the table.
  init(_ counts: [Int32], _ condition: ValueCondition) {
    self.counts = counts
    self.condition = condition
  }

  override func filter(_ mask: ChunkMask, chunk number: Int) {
    mask.filter { index in
      let row = number &* chunkCapacity &+ index
      let count = row < counts.count ? Int64(counts[row]) : 0
      return condition.matches(.int(count), type: .int)
    }
  }
}
