import TestSupport
import Testing

@testable import QueryEngine
@testable import Storage

/// Sets of rows, kept as a list or as bits, against a set of Swift.
@Suite struct RowSetTests {
  @Test(arguments: [71, 72, 73] as [UInt64])
  func listsAndBitsAgree(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let rowLimit = Int.random(in: 1...3000, using: &random)
      let share = Int.random(in: 1...20, using: &random)
      let rows = (0..<rowLimit).filter { _ in Int.random(in: 0..<share, using: &random) == 0 }
      let members = Set(rows)
      let list = RowSet(rows: rows)
      for set in [list, RowSet(words: list.words(rowLimit: rowLimit))] {
        #expect(set.count == rows.count && set.isEmpty == rows.isEmpty)
        #expect(set.first == rows.first)
        #expect(set.rows == rows)
        #expect((-1...rowLimit + 70).allSatisfy { set.contains($0) == members.contains($0) })
      }
    }
  }

  /// In any order and with repetition, few or so many that they become bits.
  @Test(arguments: [1, 60, 5000]) func collecting(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    var collector = RowCollector(rowLimit: 20_000)
    var members = Set<Int>()
    for _ in 0..<count {
      let row = Int.random(in: 0..<20_000, using: &random)
      for _ in 0...Int.random(in: 0...2, using: &random) { collector.insert(row) }
      members.insert(row)
    }
    #expect(collector.finish().rows == members.sorted())
  }
}
