import Storage

/// Integers or links that are among given ones.
final class IntegerSetFilter: ChunkFilter {
  private let column: ColumnChunks
  /// Ascending, without repetition.
  private let members: [Int64]
  private let acceptsNull: Bool
  /// A bit for each number from the lowest member to the highest, when these are not too far apart.
  private let bitmap: [UInt64]
  private let matched = ChunkMask.allocate()
  var cost: Double { 4 }

  init(_ column: ColumnChunks, _ members: [Int64], acceptsNull: Bool) {
    self.column = column
    self.members = Set(members).sorted()
    self.acceptsNull = acceptsNull
    var bits: [UInt64] = []
    if let low = self.members.first, let high = self.members.last,
      high.subtractingReportingOverflow(low).overflow == false,
      high - low < 1 << 23
    {
      bits = [UInt64](repeating: 0, count: Int(high - low) / 64 + 1)
      for member in self.members { bits[Int(member - low) >> 6] |= 1 << UInt64((member - low) & 63) }
    }
    bitmap = bits
  }

  deinit { matched.deallocate() }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    let chunk = column.chunk(number)
    matched.clear()
    if let nulls = chunk.nullBitmap {
      if acceptsNull {
        matched.copy(mask)
        matched.keep(nulls: nulls, true)
      }
      mask.keep(nulls: nulls, false)
    }
    filterValues(mask, chunk)
    mask.formUnion(matched)
  }

  private func filterValues(_ mask: ChunkMask, _ chunk: Chunk) {
    guard let low = members.first, let high = members.last else {
      mask.clear()
      return
    }
    if chunk.hasStatistics, high < chunk.minimumInteger || low > chunk.maximumInteger {
      mask.clear()
      return
    }
    let count = chunk.count
    if bitmap.isEmpty {
      mask.filter { $0 < count && containsMember(chunk.integer($0)) }
      return
    }
    bitmap.withUnsafeBufferPointer { bitmap in
      let limit = UInt64(bitmap.count &* 64)
      mask.filter { index in
        guard index < count else { return false }
        let offset = UInt64(bitPattern: chunk.integer(index) &- low)
        return offset < limit && bitmap[Int(offset >> 6)] & (1 << (offset & 63)) != 0
      }
    }
  }

  private func containsMember(_ number: Int64) -> Bool {
    let place = members.indices.partitioningIndex { members[$0] >= number }
    return place < members.count && members[place] == number
  }
}
