import TestSupport
import Testing

@testable import QueryEngine
@testable import Storage

/// Rows by their position, of sets and of tables, against arrays.
@Suite struct RankedRowsTests {
  @Test(arguments: [81, 82, 83] as [UInt64])
  func setsAgreeWithArrays(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<30 {
      let rowLimit = Int.random(in: 1...5000, using: &random)
      let share = Int.random(in: 1...300, using: &random)
      let rows = (0..<rowLimit).filter { _ in Int.random(in: 0..<300, using: &random) < share }
      check(RankedRows(RowSet(rows: rows), rowLimit: rowLimit), rows, &random)
    }
  }

  /// Asks in any order, so that some is asked for before and some after it is known.
  private func check(_ ranked: RankedRows, _ rows: [Int], _ random: inout SeededGenerator) {
    #expect(ranked.count == rows.count)
    let rowLimit = (rows.last ?? 0) + 2 * chunkCapacity
    for _ in 0..<60 {
      let position = Int.random(in: 0...rows.count + 5, using: &random)
      #expect(ranked.row(ifAt: position) == (position < rows.count ? rows[position] : nil))
      let row = Int.random(in: -1...rowLimit, using: &random)
      #expect(ranked.position(of: row) == rows.firstIndex(of: row))
    }
    #expect(Array(IteratorSequence(ranked.makeWalk())) == rows)
    #expect(ranked.set.rows == rows)
  }

  @Test(arguments: [84, 85, 86] as [UInt64])
  func tablesAreFollowed(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let database = try TestDatabase([TableDescription(name: "T", columns: [Column(name: "n", type: .int)])])
    let table = database.snapshot.table(0)
    var rows: [Int] = []
    var ranked = RankedRows(of: table)
    for step in 0..<200 {
      if rows.count > 10, Bool.random(using: &random) {
        let position = rows.indices.randomElement(using: &random)!
        table.deleteRow(rows.remove(at: position))
        #expect(!ranked.follows(table), "seed \(seed), step \(step)")
        ranked = RankedRows(of: table)
      } else {
        let walk = ranked.makeWalk()
        let before = rows
        for _ in 0..<Int.random(in: 1...400, using: &random) { rows.append(database.insert(0, [:])) }
        #expect(ranked.follows(table), "seed \(seed), step \(step)")
        #expect(Array(IteratorSequence(walk)) == before)
      }
      // Mostly only a part is known when the table changes again.
      let position = Int.random(in: 0..<rows.count, using: &random)
      #expect(ranked.row(ifAt: position) == rows[position])
      if step % 20 == 0 { check(ranked, rows, &random) }
    }
  }

  @Test func wordsAreCountedByTheirHalves() {
    for word in [1, 1 << 63, .max, 0x8000_0001_8000_0001, 0x0F0F_0000_F0F0_0000] as [UInt64] {
      let places = (0..<64).filter { word & 1 << UInt64($0) != 0 }
      let ranked = RankedRows(
        RowSet(words: [word] + [UInt64](repeating: 0, count: maskWordCount - 1)), rowLimit: 64)
      #expect((0..<places.count).map { ranked.row(ifAt: $0) } == places)
    }
  }
}
