import Storage

/// Rows whose to-one link points to one of the selected rows of another table.
final class LinkFilter: ChunkFilter {
  private let table: Table
  private let column: Int
  private let targets: [UInt64]
  private let whenNull: Bool
  private let nulls = ChunkMask.allocate()
  var cost: Double { 6 }

  init(_ table: Table, _ column: Int, targets: [UInt64], whenNull: Bool) {
    self.table = table
    self.column = column
    self.targets = targets
    self.whenNull = whenNull
  }

  deinit { nulls.deallocate() }

  func filter(_ mask: ChunkMask, chunk number: Int) {
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
