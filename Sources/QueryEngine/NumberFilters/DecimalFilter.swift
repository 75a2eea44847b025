import Storage

/// Decimals compared with one constant. Those of the constant's sign and exponent, as amounts of money are, compare by
/// their coefficients.
final class DecimalFilter: ChunkFilter {
  private let column: ColumnChunks
  private let comparison: RelationalOperator
  private let constant: Fixed16
  private let acceptsNull: Bool
  var cost: Double { 15 }

  init(_ column: ColumnChunks, _ comparison: RelationalOperator, _ constant: Fixed16) {
    self.column = column
    self.comparison = comparison
    self.constant = constant
    acceptsNull = comparison == .notEqual
  }

  /// Sign and exponent in the upper half; the rest are the upper bits of the coefficient.
  private static let scaleMask: UInt64 = 0xFFFE_0000_0000_0000
  /// Set in the upper half for infinities, NaN and coefficients that count as zero.
  private static let specialMask: UInt64 = 0x6000_0000_0000_0000

  func filter(_ mask: ChunkMask, chunk number: Int) {
    let chunk = column.chunk(number)
    let hasNulls = chunk.nullBitmap != nil
    let count = chunk.count
    let (low, high) = (constant.high.byteSwapped, constant.low.byteSwapped)
    let isPlain = high & Self.specialMask != Self.specialMask
    let isNegative = high >> 63 != 0
    mask.filter { index in
      guard index < count else { return false }
      if hasNulls && chunk.isNull(index) { return acceptsNull }
      let bytes = chunk.fixed16(index)
      let valueLow = bytes.loadUnaligned(as: UInt64.self)
      let valueHigh = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      if isPlain && (valueHigh ^ high) & Self.scaleMask == 0 && Self.isCanonical(valueHigh)
        && Self.isCanonical(high)
      {
        let order =
          valueHigh != high ? (valueHigh < high ? -1 : 1) : valueLow < low ? -1 : valueLow == low ? 0 : 1
        return comparison.accepts(isNegative ? -order : order)
      }
      return ValueComparison.compare(
        .decimal128(Fixed16(bytes)), comparison, .decimal128(constant), type: .decimal128)
    }
  }

  /// Whether the coefficient surely has at most 34 digits; a larger one counts as zero.
  @inline(__always) private static func isCanonical(_ high: UInt64) -> Bool {
    high & ~scaleMask < 0x0001_ED09_BEAD_87C0
  }
}
