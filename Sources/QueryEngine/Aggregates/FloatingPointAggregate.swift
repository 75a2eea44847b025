import Storage

/// The aggregates of a float, double or date column, read from its chunks.
struct FloatingPointAggregate {
  private let table: Table
  private let column: Int
  private let type: ValueType
  private let selection: RowSelection

  init(_ table: Table, _ column: Int, _ type: ValueType, _ selection: RowSelection) {
    self.table = table
    self.column = column
    self.type = type
    self.selection = selection
  }

  func result(_ operation: AggregateOperation) -> Value {
    switch operation {
    case .minimum, .maximum:
      guard let extreme = extreme(operation) else { return .null }
      switch type {
      case .float: return .float(Float(extreme))
      case .date: return .date(extreme)
      default: return .double(extreme)
      }
    case .sum: return .double(sum().sum)
    case .average:
      let (sum, count) = sum()
      return count == 0 ? .null : .double(sum / Double(count))
    }
  }

  private func sum() -> (sum: Double, count: Int) {
    var sum = 0.0
    var count = 0
    table.forEachMask(selection) { number, mask in
      let chunk = table.chunk(column, number: number)
      if let nulls = chunk.nullBitmap { mask.keep(nulls: nulls, false) }
      count += mask.count
      sum += type == .float ? Self.sumFloats(chunk, mask) : Self.sumDoubles(chunk, mask)
    }
    return (sum, count)
  }

  private static func sumDoubles(_ chunk: Chunk, _ mask: ChunkMask) -> Double {
    if chunk.encoding.isScaled { return mask.sum(ScaledNumbers(chunk)) }
    // Eight sums at once hide the latency of an addition.
    var sums = SIMD8<Double>()
    var rest = 0.0
    for word in 0..<maskWordCount {
      let base = chunk.values + word &* 512
      if mask.words[word] == ~0 {
        for block in 0..<8 {
          sums += base.loadUnaligned(fromByteOffset: block &* 64, as: SIMD8<Double>.self)
        }
        continue
      }
      var bits = mask.words[word]
      while bits != 0 {
        rest += chunk.double(word &* 64 &+ bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
    return sums.sum() + rest
  }

  private static func sumFloats(_ chunk: Chunk, _ mask: ChunkMask) -> Double {
    var sums = SIMD8<Double>()
    var rest = 0.0
    for word in 0..<maskWordCount {
      let base = chunk.values + word &* 256
      if mask.words[word] == ~0 {
        for block in 0..<8 {
          sums += SIMD8<Double>(base.loadUnaligned(fromByteOffset: block &* 32, as: SIMD8<Float>.self))
        }
        continue
      }
      var bits = mask.words[word]
      while bits != 0 {
        rest += Double(chunk.float(word &* 64 &+ bits.trailingZeroBitCount))
        bits &= bits &- 1
      }
    }
    return sums.sum() + rest
  }

  private func extreme(_ operation: AggregateOperation) -> Double? {
    let isMinimum = operation == .minimum
    let isFloat = type == .float
    var best: Double?
    table.forEachMask(selection) { number, mask in
      let chunk = table.chunk(column, number: number)
      if chunk.hasStatistics {
        let bound = isMinimum ? chunk.minimumDouble : chunk.maximumDouble
        if let best, isMinimum ? bound >= best : bound <= best { return }
        if mask.isPrefix(chunk.count) {
          best = bound
          return
        }
      }
      if let nulls = chunk.nullBitmap { mask.keep(nulls: nulls, false) }
      mask.forEachIndex { index in
        let value = isFloat ? Double(chunk.float(index)) : chunk.double(index)
        if value.isNaN { return }
        if let known = best, isMinimum ? value >= known : value <= known { return }
        best = value
      }
    }
    return best
  }
}
