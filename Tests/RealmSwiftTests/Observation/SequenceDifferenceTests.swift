import Storage
import TestSupport
import Testing

@testable import RealmSwift

/// Elements that change places.
@Suite struct SequenceDifferenceTests {
  @Test func whatWasChangedHasMoved() {
    let forwards = SequenceDifference(from: [0, 1, 2], to: [0, 2, 1]) { $0 == 1 }
    #expect(forwards.deletions.members == [1] && forwards.insertions.members == [2])
    let backwards = SequenceDifference(from: [0, 1, 2], to: [0, 2, 1]) { $0 == 2 }
    #expect(backwards.deletions.members == [2] && backwards.insertions.members == [1])
  }

  /// As few as possible are deleted and inserted, and of these ways the one that keeps the fewest that were changed.
  @Test func random() {
    var random = SeededGenerator(printing: .random(in: 0...UInt64.max))
    for _ in 0..<500 {
      let old = (0..<Int.random(in: 0...7, using: &random)).shuffled(using: &random)
      var new = old.filter { _ in Int.random(in: 0..<5, using: &random) > 0 } + [100, 101]
      new.shuffle(using: &random)
      let changed = Set(old.filter { _ in Bool.random(using: &random) })
      let difference = SequenceDifference(from: old, to: new) { changed.contains($0) }
      let kept = difference.deletions.removed(from: old)
      #expect(difference.insertions.removed(from: new) == kept)
      let best = Self.best(old.filter(new.contains), new, changed)
      #expect(kept.count == best.count && kept.count(where: changed.contains) == best.changed)
    }
  }

  /// By trying all.
  private static func best(
    _ old: [Int], _ new: [Int], _ changed: Set<Int>
  ) -> (count: Int, changed: Int) {
    var best = (count: 0, changed: 0)
    for subset in 0..<1 << old.count {
      let kept = old.indices.filter { subset >> $0 & 1 != 0 }.map { old[$0] }
      let places = kept.map { new.firstIndex(of: $0)! }
      let found = (count: kept.count, changed: kept.count(where: changed.contains))
      if places == places.sorted(), (found.count, -found.changed) > (best.count, -best.changed) {
        best = found
      }
    }
    return best
  }
}
