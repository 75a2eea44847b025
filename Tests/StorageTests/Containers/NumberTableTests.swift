import Storage
import TestSupport
import Testing

@Suite struct NumberTableTests {
  @Test(arguments: [71, 72, 73, 74, 75] as [UInt64])
  func isADictionary(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var table = NumberTable<String>()
    var model: [Int: String] = [:]
    // Few numbers, so that most are met again: near each other, as far as addresses, with a factor that leaves few bits to
    // choose by, and those at the ends.
    let factor = [1, 8, 4096, 1 << 40].randomElement(using: &random)!
    let numbers = [Int.min, Int.max] + (-20..<Int.random(in: 0..<100, using: &random)).map { $0 * factor }
    for step in 0..<4_000 {
      let number = numbers.randomElement(using: &random)!
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        table[number] = nil
        model[number] = nil
      case 1: #expect(table.removeValue(for: number) == model.removeValue(forKey: number))
      case 2:
        table[number, default: "new"] += "!"
        model[number, default: "new"] += "!"
      default:
        table[number] = "\(step)"
        model[number] = "\(step)"
      }
      let other = numbers.randomElement(using: &random)!
      #expect(table[other] == model[other])
      #expect(table[other, default: "none"] == model[other, default: "none"])
      #expect(table.count == model.count && table.isEmpty == model.isEmpty)
    }
    #expect(table.values.sorted() == model.values.sorted())
  }

  @Test func identities() {
    final class Thing {}
    let things = (0..<50).map { _ in Thing() }
    var table = NumberTable<Int>()
    for (index, thing) in things.enumerated() { table[ObjectIdentifier(thing)] = index }
    #expect(table[ObjectIdentifier(Thing.self)] == nil)
    table[ObjectIdentifier(Thing.self)] = -1
    #expect(things.map { table[ObjectIdentifier($0)] } == Array(0..<50))
    for thing in things { table[ObjectIdentifier(thing)] = nil }
    #expect(Array(table.values) == [-1])
    withExtendedLifetime(things) {}
  }
}
