import TestSupport
import Testing

@testable import Storage

struct SortedPairsTests {
  private func contents(_ pairs: SortedPairs<IntegerPair>) -> [IntegerPair] {
    var result: [IntegerPair] = []
    var position = pairs.start
    while position != pairs.end {
      result.append(pairs[position])
      pairs.advance(&position)
    }
    var reversed: [IntegerPair] = []
    position = pairs.end
    while pairs.retreat(&position) { reversed.append(pairs[position]) }
    #expect(reversed == result.reversed())
    var inRuns: [IntegerPair] = []
    position = pairs.start
    while position != pairs.end {
      let run = pairs.pairs(from: position)
      inRuns += run
      pairs.advance(&position, by: run.count)
    }
    #expect(inRuns == result)
    return result
  }

  /// Keys in a row, and again and again, over the ends of runs and up to a limit anywhere among them.
  @Test func keysBelowALimit() {
    var random = SeededGenerator(printing: 5)
    for _ in 0..<200 {
      let pairs = SortedPairs<IntegerPair>()
      var keys: Set<Int> = []
      let spread = [40, 700, 3_000, 1 << 40].randomElement(using: &random)!
      for row in 0..<Int.random(in: 0...1_600, using: &random) {
        let key = Int.random(in: 0..<spread, using: &random)
        keys.insert(key)
        pairs.insert(IntegerPair(key: UInt64(key), row: UInt64(row)))
      }
      for limit in [0, 1, Int.random(in: 0..<spread, using: &random), spread, .max] {
        #expect(pairs.keys(below: limit) == IndexRanges(keys.filter { $0 < limit }))
      }
    }
    let last = SortedPairs<IntegerPair>()
    for key in [UInt64(Int.max) - 1, UInt64(Int.max), .max - 1, .max] {
      last.insert(IntegerPair(key: key, row: 0))
    }
    #expect(last.keys(below: .max) == IndexRanges(Int.max - 1..<Int.max))
  }

  /// A full run is split, whatever the place in it.
  @Test func insertingIntoFullRuns() {
    let ascending = (0..<1_024).map { IntegerPair(key: UInt64($0) * 2 + 1, row: 0) }
    for place in (0...1_024)
    where place % 64 == 0 || (250..<262).contains(place) || (508..<518).contains(place) {
      let pairs = SortedPairs<IntegerPair>()
      for pair in ascending { pairs.insert(pair) }
      let pair = IntegerPair(key: UInt64(place) * 2, row: 0)
      pairs.insert(pair)
      var expected = ascending
      expected.insert(pair, at: place)
      #expect(contents(pairs) == expected)
      #expect(pairs.count == 1_025)
    }
  }

  @Test func randomChanges() {
    let seed = UInt64.random(in: 0 ... .max)
    print("sorted pairs test, seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for limit: UInt64 in [50, 100_000] {
      let pairs = SortedPairs<IntegerPair>()
      var expected: [IntegerPair] = []
      for step in 0..<20_000 {
        let pair = IntegerPair(
          key: .random(in: 0..<limit, using: &generator), row: .random(in: 0..<10, using: &generator))
        let place = lowerBound(expected, pair)
        // Grows, shrinks to nothing, and grows again.
        if Int.random(in: 0..<10, using: &generator) < (step / 5_000 % 2 == 0 ? 8 : 1) {
          pairs.insert(pair)
          expected.insert(pair, at: place)
        } else if let old = limit == 50 ? pair : expected.randomElement(using: &generator) {
          let place = lowerBound(expected, old)
          let isThere = place < expected.count && expected[place] == old
          if pairs.remove(old) != isThere { Issue.record("removing at step \(step)") }
          if isThere { expected.remove(at: place) }
        }
        if step % 1_000 == 999 {
          #expect(contents(pairs) == expected)
          #expect(pairs.endsBefore(pair) == (expected.last.map { $0 < pair } ?? true))
        }
      }
      #expect(pairs.count == expected.count)
    }
  }

  private func lowerBound(_ pairs: [IntegerPair], _ pair: IntegerPair) -> Int {
    var low = 0
    var high = pairs.count
    while low < high {
      let middle = (low + high) / 2
      if pairs[middle] < pair { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
