import Storage

/// Bools equal to one or both of true and false, or null.
final class BoolFilter: ChunkFilter {
  private let column: IntegerColumn
  private let acceptsTrue: Bool
  private let acceptsFalse: Bool
  private let acceptsNull: Bool
  private let bits = ChunkMask.allocate()
  override var cost: Double { 0.5 }

  init(_ column: IntegerColumn, acceptsTrue: Bool, acceptsFalse: Bool, acceptsNull: Bool) {
    self.column = column
    self.acceptsTrue = acceptsTrue
    self.acceptsFalse = acceptsFalse
    self.acceptsNull = acceptsNull
  }

  deinit { bits.deallocate() }

  override func filter(_ mask: ChunkMask, chunk number: Int) {
    let chunk = column.chunk(number)
    bits.loadBits(chunk)
    let whenSet: UInt64 = acceptsTrue ? ~0 : 0
    let whenClear: UInt64 = acceptsFalse ? ~0 : 0
    let whenNull: UInt64 = acceptsNull ? ~0 : 0
    let nulls = chunk.nullBitmap
    for word in 0..<maskWordCount {
      let values = bits.words[word]
      let null = nulls?.loadUnaligned(fromByteOffset: word &* 8, as: UInt64.self) ?? 0
      let accepted = (values & whenSet) | (~values & whenClear)
      mask.words[word] &= (accepted & ~null) | (whenNull & null)
    }
  }
}

/// Values of 12 or 16 bytes that are among given ones, by their bytes.
final class FixedSetFilter: ChunkFilter {
  private let column: IntegerColumn
  private let members: Set<Fixed16>
  private let only: Fixed16?
  private let size: Int
  private let isNegated: Bool
  private let acceptsNull: Bool
  override var cost: Double { 4 }

  /// - Parameter members: Values of 12 bytes have zeros after them.
  init(_ column: IntegerColumn, size: Int, _ members: [Fixed16], isNegated: Bool, acceptsNull: Bool) {
    self.column = column
    self.size = size
    self.members = Set(members)
    only = self.members.count == 1 ? self.members.first : nil
    self.isNegated = isNegated
    self.acceptsNull = acceptsNull
  }

  override func filter(_ mask: ChunkMask, chunk number: Int) {
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
