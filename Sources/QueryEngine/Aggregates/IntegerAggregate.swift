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
      case .integer1: sum += Int128(Self.sumCodes(chunk.values, mask, as: UInt8.self))
      case .integer2: sum += Int128(Self.sumCodes(chunk.values, mask, as: UInt16.self))
      case .integer4: sum += Int128(Self.sumCodes(chunk.values, mask, as: UInt32.self))
      case .integer8: sum += Self.sumWide(chunk.values, mask)
      default: break
      }
      if chunk.encoding != .integer8 { sum += Int128(chunk.minimumInteger) * Int128(chunkCount) }
    }
    return (sum, count)
  }

  /// The sum of the differences to the chunk's minimum; 64 rows at a time where all are selected.
  @inline(__always) private static func sumCodes<Code: FixedWidthInteger & UnsignedInteger>(
    _ values: UnsafeRawPointer, _ mask: ChunkMask, as _: Code.Type
  ) -> UInt64 {
    var total: UInt64 = 0
    for word in 0..<maskWordCount {
      let base = values + word &* 64 &* MemoryLayout<Code>.size
      var bits = mask.words[word]
      if bits == ~0 {
        if MemoryLayout<Code>.size == 4 {
          for index in 0..<64 {
            total &+= UInt64(base.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
          }
        } else {
          var sum: UInt32 = 0
          for index in 0..<64 {
            sum &+= UInt32(
              truncatingIfNeeded: base.loadUnaligned(
                fromByteOffset: index &* MemoryLayout<Code>.size, as: Code.self))
          }
          total &+= UInt64(sum)
        }
        continue
      }
      while bits != 0 {
        let index = bits.trailingZeroBitCount
        total &+= UInt64(base.loadUnaligned(fromByteOffset: index &* MemoryLayout<Code>.size, as: Code.self))
        bits &= bits &- 1
      }
    }
    return total
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

extension ChunkMask {
  /// Whether exactly the first bits are set.
  func isPrefix(_ count: Int) -> Bool {
    for word in 0..<maskWordCount {
      let bits = count - word * 64
      let expected: UInt64 = bits >= 64 ? ~0 : bits <= 0 ? 0 : (1 << UInt64(bits)) - 1
      if words[word] != expected { return false }
    }
    return true
  }
}
