import Storage

/// The aggregates of an integer column, read from its encoded chunks.
struct IntegerAggregate {
  private let table: Table
  private let column: Int
  private let selection: RowSelection

  init(_ table: Table, _ column: Int, _ selection: RowSelection) {
    self.table = table
    self.column = column
    self.selection = selection
  }

  func result(_ operation: AggregateOperation) -> Value {
    switch operation {
    case .minimum, .maximum: return extreme(operation)
    case .sum: return .int(Int64(truncatingIfNeeded: sum().sum))
    case .average:
      let (sum, count) = sum()
      return count == 0 ? .null : .double(Double(sum) / Double(count))
    }
  }

  private func sum() -> (sum: Int128, count: Int) {
    var sum: Int128 = 0
    var count = 0
    table.forEachMask(selection) { number, mask in
      let chunk = table.chunk(column, number: number)
      if let nulls = chunk.nullBitmap { mask.keep(nulls: nulls, false) }
      let chunkCount = mask.count
      count += chunkCount
      switch chunk.encoding {
      case .consecutive: sum += Int128(mask.sumOfIndices)
      case .integer8: sum += Self.sumWide(chunk.values, mask)
      default: sum += Int128(mask.sum(of: chunk.values, width: chunk.encoding.codeWidth))
      }
      if chunk.encoding != .integer8 { sum += Int128(chunk.minimumInteger) * Int128(chunkCount) }
    }
    return (sum, count)
  }

  /// The sum of whole values, halves apart so that nothing overflows.
  private static func sumWide(_ values: UnsafeRawPointer, _ mask: ChunkMask) -> Int128 {
    var high: Int64 = 0
    var low: UInt64 = 0
    mask.forEachIndex { index in
      let value = values.loadUnaligned(fromByteOffset: index &* 8, as: Int64.self)
      high &+= value >> 32
      low &+= UInt64(truncatingIfNeeded: value) & 0xFFFF_FFFF
    }
    return Int128(high) << 32 + Int128(low)
  }

  private func extreme(_ operation: AggregateOperation) -> Value {
    let isMinimum = operation == .minimum
    var best: Int64?
    table.forEachMask(selection) { number, mask in
      let chunk = table.chunk(column, number: number)
      let isWhole = chunk.hasStatistics && mask.isPrefix(chunk.count)
      if isWhole || chunk.hasStatistics {
        let bound = isMinimum ? chunk.minimumInteger : chunk.maximumInteger
        // Statistics may be of rows that are gone or not selected, but nothing lies beyond them.
        if let best, isMinimum ? bound >= best : bound <= best { return }
        if isWhole {
          best = bound
          return
        }
      }
      if let nulls = chunk.nullBitmap { mask.keep(nulls: nulls, false) }
      mask.forEachIndex { index in
        let value = chunk.integer(index)
        if let known = best, isMinimum ? value >= known : value <= known { return }
        best = value
      }
    }
    return best.map(Value.int) ?? .null
  }
}
