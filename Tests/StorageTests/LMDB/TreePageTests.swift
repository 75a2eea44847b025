import TestSupport
import Testing

@testable import Storage

/// The order of keys.
@Suite struct TreePageTests {
  /// Of all sizes, most alike in their first bytes.
  @Test(arguments: TestLength.seeds([7, 8], short: 1))
  func keysAreInTheOrderOfTheirBytes(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    func key() -> [UInt8] {
      let size = Bool.random(using: &random) ? 12 : Int.random(in: 0...40, using: &random)
      let different = Int.random(in: 0...40, using: &random)
      return (0..<size).map { $0 < different ? 0 : UInt8.random(in: 0...255, using: &random) }
    }
    for _ in 0..<20_000 {
      let (a, b) = (key(), key())
      let order = a.withUnsafeBytes { a in b.withUnsafeBytes { TreePage.order(a, $0) } }
      let expected = a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
      #expect(order.signum() == expected, "\(a) \(b)")
    }
  }
}
