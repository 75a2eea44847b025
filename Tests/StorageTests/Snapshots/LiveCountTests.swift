import TestSupport
import Testing

@testable import Storage

/// The number of live rows in any range is what counting them one by one gives.
@Suite struct LiveCountTests {
  @Test(arguments: TestLength.seeds([61, 62, 63], short: 1)) func rowsOfRangesAreCounted(seed: UInt64) throws
  {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let numbers = try Numbers()
    try Writer(numbers.snapshot).begin()
    let table = numbers.snapshot.table(0)
    for _ in 0..<3000 { _ = table.insertRow() }
    func expectCounts() {
      for _ in 0..<200 {
        let start = Int.random(in: 0...3100, using: &random)
        let rows = start..<start + Int.random(in: 0...3000, using: &random)
        #expect(table.liveCount(in: rows) == rows.count(where: table.isAlive), "\(rows)")
      }
    }
    expectCounts()
    for _ in 0..<40 {
      let row = Int.random(in: 0..<3000, using: &random)
      for row in row..<min(row + 20, 3000) where table.isAlive(row) { table.deleteRow(row) }
      if Bool.random(using: &random) {
        try Writer(numbers.snapshot).commit(durability: .relaxed)
        try Writer(numbers.snapshot).begin()
      }
    }
    expectCounts()
  }
}
