import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// What is found free, against a search block by block.
@Suite struct UsedUnitsTests {
  private let folder = ScratchFolder()

  /// As `UsedUnits.freeRun` says, without patience.
  private func expectedRun(_ isFree: [Bool], needed: Int, wanted: Int, in blocks: Range<Int>) -> Range<Int>? {
    let wanted = FileLayout.blockStart(atOrAfter: max(needed, wanted))
    var found: Range<Int>?
    var block = blocks.lowerBound
    while block < blocks.upperBound {
      let start = block
      while block < blocks.upperBound, isFree[block], (block - start) * 8 < 4 * wanted { block += 1 }
      let run = start * 8..<block * 8
      if block == start { block += 1 }
      if run.isEmpty { continue }
      let former = found?.count ?? 0
      let isBetter =
        if found == nil {
          run.count >= needed
        } else if former >= wanted {
          run.count >= wanted && run.count < former
        } else {
          run.count > former
        }
      if isBetter { found = run }
      if found?.count == wanted { return found }
    }
    return found
  }

  @Test(arguments: TestLength.seeds([1, 2, 3], short: 1))
  func findsTheRunThatFitsBest(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let memory = try LockMemory(path: folder.path("units-lock"), mapLimit: 1 << 30, watcher: nil)
    let used = UsedUnits(memory)
    let blockCount = 200
    try used.reserve(blockCount * 8)
    for _ in 0..<5_000 {
      used.removeAll(before: blockCount * 8)
      let share = Int.random(in: 1...20, using: &random)
      var isFree = [Bool](repeating: true, count: blockCount)
      for block in 0..<blockCount where Int.random(in: 0..<20, using: &random) < share {
        isFree[block] = false
        let unit = block * 8 + Int.random(in: 0..<8, using: &random)
        used.set(unit..<Int.random(in: unit + 1...block * 8 + 8, using: &random), true)
      }
      let start = Int.random(in: 0..<blockCount, using: &random)
      let blocks = start..<Int.random(in: start...blockCount, using: &random)
      let (needed, wanted) = (Int.random(in: 1...80, using: &random), Int.random(in: 1...200, using: &random))
      let found = used.freeRun(
        needed: needed, wanted: wanted, in: blocks.lowerBound * 8..<blocks.upperBound * 8, patience: .max)
      #expect(found == expectedRun(isFree, needed: needed, wanted: wanted, in: blocks))
    }
  }
}
