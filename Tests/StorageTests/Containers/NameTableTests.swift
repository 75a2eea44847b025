import Storage
import TestSupport
import Testing

@Suite struct NameTableTests {
  /// Of few names and of many, which are found in different ways.
  @Test(arguments: [81, 82] as [UInt64])
  func findsTheFirstPlaces(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for count in 0..<40 {
      for variety in [5, 10_000] {
        let names = (0..<count).map { _ in "name \(Int.random(in: 0..<variety, using: &random))" }
        let table = NameTable(names)
        for place in names.indices {
          let first = names.firstIndex(of: names[place])
          #expect(table[names[place]] == first)
          #expect(table.isRepeated(at: place) == (first != place))
        }
        #expect(table["name"] == nil)
        #expect(table.hasRepeats == (Set(names).count < count))
      }
    }
  }
}
