import TestSupport
import Testing

@testable import Storage

@Suite struct IndexRangesTests {
  private static let limit = 60

  private func randomSet(_ random: inout SeededGenerator) -> Set<Int> {
    let density = Int.random(in: 0...10, using: &random)
    return Set((0..<Self.limit).filter { _ in Int.random(in: 0..<10, using: &random) < density })
  }

  private func check(
    _ ranges: IndexRanges, _ model: Set<Int>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(ranges.members == model.sorted(), sourceLocation: sourceLocation)
    for (left, right) in zip(ranges.ranges, ranges.ranges.dropFirst()) {
      #expect(left.upperBound < right.lowerBound, sourceLocation: sourceLocation)
    }
    #expect(ranges.ranges.allSatisfy { !$0.isEmpty }, sourceLocation: sourceLocation)
  }

  @Test func sets() {
    let seed: UInt64 = 1
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      let (a, b) = (randomSet(&random), randomSet(&random))
      let (left, right) = (IndexRanges(a), IndexRanges(b))
      check(left, a)
      check(left.union(right), a.union(b))
      check(left.subtracting(right), a.subtracting(b))
      let from = Int.random(in: 0..<Self.limit, using: &random)
      let range = from..<from + Int.random(in: 0..<9, using: &random)
      check(left.clamped(to: range), a.filter { range.contains($0) })
      #expect(left.count(below: from) == a.filter { $0 < from }.count)
      #expect(left.count(in: range) == a.filter { range.contains($0) }.count)
      #expect(left.contains(from) == a.contains(from))
      var inserted = left
      inserted.insert(range)
      check(inserted, a.union(range))
      #expect(left.first == a.min() && left.last == a.max() && left.count == a.count)
    }
  }

  /// Positions that move, against elements that really move.
  @Test func shifts() {
    let seed: UInt64 = 2
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      let (marked, removed) = (randomSet(&random), randomSet(&random))
      let left = (0..<Self.limit).filter { !removed.contains($0) }
      check(
        IndexRanges(marked).shifted(byRemoving: IndexRanges(removed)),
        Set(left.enumerated().filter { marked.contains($0.element) }.map(\.offset)))
      // Inserting is the way back.
      var grown: [Int?] = Array(repeating: nil, count: Self.limit + removed.count)
      var next = 0
      for position in grown.indices where !removed.contains(position) {
        grown[position] = next
        next += 1
      }
      check(
        IndexRanges(marked).shifted(byInserting: IndexRanges(removed)),
        Set(grown.indices.filter { grown[$0].map(marked.contains) ?? false }))
    }
  }
}
