/// A block of an index in memory: different pairs of one kind, sorted, at least one.
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
  /// How often the pair is in the index, as a number with the base 1.
  var copies: PackedIntegers { get }
  func key(_ index: Int) -> IndexKey
  /// The pair at an index; bytes are copied to the arena.
  func pair(_ index: Int, _ arena: KeyArena) -> Pair
  func append(to pairs: inout [Pair], _ arena: KeyArena)

  /// The layout for as many pairs from the beginning as fit a block.
  static func layout(_ pairs: CountedPairs<Pair>) -> Layout
  static func write(_ pairs: CountedPairs<Pair>, _ layout: Layout, to target: UnsafeMutableRawPointer)
  /// Whether the pairs ascend.
  var isSorted: Bool { get }
  /// What is wrong with a block's header, or nil. Everything else may be called only when nothing is.
  static func fault(in bytes: UnsafeRawBufferPointer) -> String?
}

/// Different pairs, sorted, and how often each is there.
///
/// Invariant: when there are counts, they are as many as pairs, and none is 0.
struct CountedPairs<Pair> {
  let pairs: UnsafeBufferPointer<Pair>
  /// Nil when every pair is there once.
  let counts: UnsafeBufferPointer<UInt32>?

  @inline(__always) var count: Int { pairs.count }

  @inline(__always) subscript(range: Range<Int>) -> CountedPairs {
    CountedPairs(
      pairs: UnsafeBufferPointer(rebasing: pairs[range]),
      counts: counts.map { UnsafeBufferPointer(rebasing: $0[range]) })
  }

  /// The packing for the repetitions of the first pairs.
  @inline(__always) func repetitionPacking(_ count: Int) -> IntegerPacking {
    guard let counts else { return .constant }
    return IntegerPacking(greatest: UInt64(counts[..<count].max()! - 1))
  }

  @inline(__always) func writeRepetitions(
    _ count: Int, _ packing: IntegerPacking, to target: UnsafeMutableRawPointer
  ) {
    guard let counts else { return }
    PackedIntegers.write(count, packing, base: 1, to: target) { UInt64(counts[$0]) }
  }
}

extension IndexBlock {
  /// Calls the body with each index in the range, as often as its pair is in the index, until it returns false.
  @inline(__always)
  func forEachIndex(in range: Range<Int>, ascending: Bool = true, _ body: (Int) -> Bool) -> Bool {
    let copies = copies
    if copies.packing == .constant {
      if ascending {
        for index in range where !body(index) { return false }
      } else {
        for index in range.reversed() where !body(index) { return false }
      }
      return true
    }
    for place in 0..<range.count {
      let index = ascending ? range.lowerBound + place : range.upperBound - 1 - place
      for _ in 0..<copies[index] where !body(index) { return false }
    }
    return true
  }

  /// The number of pairs in a range of indices, each counted as often as it is in the index.
  func total(_ range: Range<Int>) -> Int {
    let copies = copies
    return copies.packing == .constant ? range.count : range.reduce(0) { $0 + Int(copies[$1]) }
  }

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
