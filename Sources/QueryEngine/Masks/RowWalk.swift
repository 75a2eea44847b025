/// A walk over rows whose bits are set.
package struct RowWalk: IteratorProtocol {
  private let words: [UInt64]
  /// The word that comes next.
  private var word = 0
  /// The rows of the word before it that are still to come.
  private var bits: UInt64 = 0

  init(_ words: [UInt64]) { self.words = words }

  /// A walk over no rows.
  package init() { words = [] }

  @inline(__always)
  package mutating func next() -> Int? {
    while bits == 0 {
      guard word < words.count else { return nil }
      bits = words[word]
      word &+= 1
    }
    let row = (word &- 1) &* 64 &+ bits.trailingZeroBitCount
    bits &= bits &- 1
    return row
  }
}
