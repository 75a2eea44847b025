/// A set of units: a bit each.
struct UnitSet {
  private var words: [UInt64]

  /// - Parameter limit: A unit behind all that are added; others are left out.
  init(limit: Int) { words = [UInt64](repeating: 0, count: limit / 64 + 1) }

  private func clamped(_ units: Range<UInt64>) -> Range<Int> {
    Range(uncheckedBounds: (Int(units.lowerBound), Int(units.upperBound))).clamped(to: 0..<words.count * 64)
  }

  mutating func insert(_ units: Range<UInt64>) {
    for unit in clamped(units) { words[unit >> 6] |= 1 << UInt64(unit & 63) }
  }

  func intersects(_ units: Range<UInt64>) -> Bool {
    clamped(units).contains { words[$0 >> 6] & 1 << UInt64($0 & 63) != 0 }
  }

  func contains(_ unit: UInt64) -> Bool { intersects(unit..<unit + 1) }
}
