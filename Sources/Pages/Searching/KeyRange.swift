/// Keys between two.
struct KeyRange {
  /// The first key, or one before all.
  var low: [UInt8] = []
  /// The last key; nil when only `end` is known.
  var last: [UInt8]?
  /// A key before which all are; nil when there is none.
  var end: [UInt8]?

  private func isBefore(_ key: [UInt8]) -> Bool {
    if let last { return last.lexicographicallyPrecedes(key) }
    if let end { return !key.lexicographicallyPrecedes(end) }
    return false
  }

  func contains(_ key: [UInt8]) -> Bool { !key.lexicographicallyPrecedes(low) && !isBefore(key) }

  /// - Parameter other: A range whose last key is known.
  func contains(_ other: KeyRange) -> Bool { contains(other.low) && contains(other.last ?? other.low) }

  func overlaps(_ other: KeyRange) -> Bool { !isBefore(other.low) && !other.isBefore(low) }

  /// The keys that another range has as well; nil when there are none.
  func common(with other: KeyRange) -> KeyRange? {
    if !overlaps(other) { return nil }
    let low = self.low.lexicographicallyPrecedes(other.low) ? other.low : self.low
    return KeyRange(low: low, last: last ?? other.last, end: end ?? other.end)
  }

  static func isBefore(_ first: KeyRange, _ second: KeyRange) -> Bool {
    first.low.lexicographicallyPrecedes(second.low)
  }
}
