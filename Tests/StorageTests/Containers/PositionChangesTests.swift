import TestSupport
import Testing

@testable import Storage

/// What is recorded of random changes to an array, and combined over several versions, must lead from the old array
/// to the new one.
@Suite struct PositionChangesTests {
  private struct Element: Equatable {
    var id: Int
    var version = 0
  }

  private func change(
    _ array: inout [Element], _ changes: inout PositionChanges, _ nextID: inout Int,
    _ random: inout SeededGenerator
  ) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      let position = Int.random(in: 0...array.count, using: &random)
      let count = Int.random(in: 1...3, using: &random)
      array.insert(contentsOf: (0..<count).map { Element(id: nextID + $0) }, at: position)
      nextID += count
      changes.insert(at: position, count: count)
    case 2, 3:
      guard !array.isEmpty else { return }
      let position = Int.random(in: 0..<array.count, using: &random)
      let range = position..<min(array.count, position + Int.random(in: 1...4, using: &random))
      array.removeSubrange(range)
      changes.remove(range)
    default:
      guard !array.isEmpty else { return }
      let position = Int.random(in: 0..<array.count, using: &random)
      array[position].version += 1
      changes.modify(position)
    }
  }

  private func check(_ changes: PositionChanges, _ old: [Element], _ new: [Element], seed: UInt64) {
    let oldIDs = Set(old.map(\.id))
    let newIDs = Set(new.map(\.id))
    #expect(changes.deletions.members == old.indices.filter { !newIDs.contains(old[$0].id) }, "seed \(seed)")
    #expect(changes.insertions.members == new.indices.filter { !oldIDs.contains(new[$0].id) }, "seed \(seed)")
    let versions = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0.version) })
    let modified = new.indices.filter { position in
      versions[new[position].id].map { $0 != new[position].version } ?? false
    }
    #expect(changes.modifications.members == modified, "seed \(seed)")
    let modifiedIDs = Set(modified.map { new[$0].id })
    #expect(
      changes.oldPositions(of: changes.modifications).members
        == old.indices.filter { modifiedIDs.contains(old[$0].id) }, "seed \(seed)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func recordingAndMerging(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var nextID = 0
    for _ in 0..<600 {
      var array: [Element] = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
        nextID += 1
        return Element(id: nextID)
      }
      nextID += 1
      let first = array
      var all = PositionChanges()
      for _ in 0..<4 {
        let old = array
        var changes = PositionChanges()
        for _ in 0..<Int.random(in: 0..<5, using: &random) { change(&array, &changes, &nextID, &random) }
        check(changes, old, array, seed: seed)
        all.merge(changes)
        check(all, first, array, seed: seed)
      }
    }
  }
}
