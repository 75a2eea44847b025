import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Moving several elements of a list at once.
struct ListMoveTests {
  /// What `Array.move(fromOffsets:toOffset:)` of SwiftUI gives.
  private func moved(_ array: [Int], _ offsets: IndexSet, _ destination: Int) -> [Int] {
    let chosen = offsets.map { array[$0] }
    let before = (0..<destination).filter { !offsets.contains($0) }.map { array[$0] }
    let after = (destination..<array.count).filter { !offsets.contains($0) }.map { array[$0] }
    return before + chosen + after
  }

  @Test(arguments: [false, true]) func movesAsArraysDo(isManaged: Bool) {
    var random = SeededGenerator(printing: UInt64.random(in: 0...999_999))
    let owner = ValueLists()
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    _ = storage?.added(owner)
    for _ in 0..<300 {
      let count = Int.random(in: 0...8, using: &random)
      let array = (0..<count).map { _ in Int.random(in: 0..<5, using: &random) }
      let offsets = IndexSet((0..<count).filter { _ in Bool.random(using: &random) })
      let destination = Int.random(in: 0...count, using: &random)
      let change = {
        owner.ints.removeAll()
        owner.ints.append(objectsIn: array)
        owner.ints.move(fromOffsets: offsets, toOffset: destination)
      }
      if let storage { storage.write(change) } else { change() }
      #expect(
        Array(owner.ints) == moved(array, offsets, destination), "\(array) \(Array(offsets)) \(destination)")
    }
  }

  @Test func offsetsBeyondTheEndStopBeforeAnythingIsMoved() async {
    let offsets = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = List<Int>()
      list.append(objectsIn: [1, 2])
      list.move(fromOffsets: [0, 2], toOffset: 0)
    }
    expectStop(offsets, saying: "Index 2 is out of bounds (must be less than 2).")
    let destination = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = List<Int>()
      list.append(objectsIn: [1, 2])
      list.move(fromOffsets: [0], toOffset: 3)
    }
    expectStop(destination, saying: "Index 3 is out of bounds (must be less than 3).")
    let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let owner = storage.added(ValueLists())
      owner.ints.move(fromOffsets: [], toOffset: 0)
    }
    expectStop(outside, saying: "Cannot modify List outside of a write transaction.")
  }
}
