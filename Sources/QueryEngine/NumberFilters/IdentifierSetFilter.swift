import Storage

/// Values of 12 or 16 bytes that are among given ones, by their bytes.
final class IdentifierSetFilter: ChunkFilter {
  private let column: ColumnChunks
  private let members: Set<Fixed16>
  private let only: Fixed16?
  private let size: Int
  private let isNegated: Bool
  private let acceptsNull: Bool
  var cost: Double { 4 }

  /// - Parameter members: Values of 12 bytes have zeros after them.
  init(_ column: ColumnChunks, size: Int, _ members: [Fixed16], isNegated: Bool, acceptsNull: Bool) {
    self.column = column
    self.size = size
    self.members = Set(members)
    only = self.members.count == 1 ? self.members.first : nil
    self.isNegated = isNegated
    self.acceptsNull = acceptsNull
  }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    let chunk = column.chunk(number)
    let count = chunk.count
    let hasNulls = chunk.nullBitmap != nil
    mask.filter { index in
      guard index < count else { return false }
      if hasNulls && chunk.isNull(index) { return acceptsNull }
      let value = size == 12 ? Fixed16(Fixed12(chunk.fixed12(index))) : Fixed16(chunk.fixed16(index))
      return (only.map { $0 == value } ?? members.contains(value)) != isNegated
    }
  }
}

extension Fixed16 {
  /// Twelve bytes followed by four zeros.
  init(_ short: Fixed12) {
    self.init(high: short.high, low: UInt64(short.low) << 32)
  }
}
