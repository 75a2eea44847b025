/// A block of an index in memory: sorted pairs of one kind, at least one.
protocol IndexBlock {
  associatedtype Pair: IndexPair where Pair.Block == Self
  /// How a run of pairs is to be stored.
  associatedtype Layout: IndexBlockLayout

  init(_ start: UnsafeRawPointer)

  var count: Int { get }
  /// The index of the first pair that is not before the given one; `count` when there is none.
  func lowerBound(_ pair: Pair) -> Int
  /// The indices of the pairs with the given pair's key.
  func range(equalTo pair: Pair) -> Range<Int>
  func row(_ index: Int) -> UInt64
  func key(_ index: Int) -> IndexKey
  /// The pair at an index; bytes are copied to the arena.
  func pair(_ index: Int, _ arena: KeyArena) -> Pair
  func append(to pairs: inout [Pair], _ arena: KeyArena)

  /// The layout for as many pairs from the beginning as fit a block, which are all with `wanted` or fewer.
  static func layout(_ pairs: UnsafeBufferPointer<Pair>) -> Layout
  static func write(
    _ pairs: UnsafeBufferPointer<Pair>, _ layout: Layout, to target: UnsafeMutableRawPointer)
  /// What is wrong with a block's header, or nil. Everything else may be called only when nothing is.
  static func fault(in bytes: UnsafeRawBufferPointer) -> String?
}

extension IndexBlock {
  /// Whether all the block's pairs are after the given one.
  func startsAfter(_ pair: Pair) -> Bool {
    if lowerBound(pair) > 0 { return false }
    return range(equalTo: pair).isEmpty || row(0) > pair.row
  }
}

protocol IndexBlockLayout {
  /// The number of pairs.
  var count: Int { get }
  /// In bytes.
  var size: Int { get }
}

/// Finds what rows that go with a block have in common.
struct RowStatistics {
  private(set) var minimum: UInt64
  private var maximum: UInt64
  private var next: UInt64
  private var areConsecutive = true

  @inline(__always) init(first row: UInt64) {
    minimum = row
    maximum = row
    next = row &+ 1
  }

  @inline(__always) mutating func add(_ row: UInt64) {
    minimum = min(minimum, row)
    maximum = max(maximum, row)
    areConsecutive = areConsecutive && row == next
    next &+= 1
  }

  @inline(__always) var packing: IntegerPacking {
    areConsecutive && maximum != minimum ? .consecutive : IntegerPacking(greatest: maximum &- minimum)
  }
}
