import Storage

/// Bools equal to one or both of true and false, or null.
final class BoolFilter: ChunkFilter {
  private let column: ColumnChunks
  private let acceptsTrue: Bool
  private let acceptsFalse: Bool
  private let acceptsNull: Bool
  private let bits = ChunkMask.allocate()
  var cost: Double { 0.5 }

  init(_ column: ColumnChunks, acceptsTrue: Bool, acceptsFalse: Bool, acceptsNull: Bool) {
    self.column = column
    self.acceptsTrue = acceptsTrue
    self.acceptsFalse = acceptsFalse
    self.acceptsNull = acceptsNull
  }

  deinit { bits.deallocate() }

  func filter(_ mask: ChunkMask, chunk number: Int) {
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
