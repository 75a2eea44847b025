extension BID128: Hashable {
  /// Whether both stand for the same number. A NaN equals only a NaN of the same sign, kind and payload.
  static func == (lhs: BID128, rhs: BID128) -> Bool {
    if lhs.high == rhs.high && lhs.low == rhs.low { return true }
    if lhs.isNaN || rhs.isNaN { return lhs.isNaN && rhs.isNaN && lhs.orderedKey == rhs.orderedKey }
    return lhs.isNumericallyEqual(to: rhs)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(isNaN ? .nan : doubleValue)
  }
}

extension BID128: Comparable {
  /// Whether the left number is smaller; every NaN comes before every number.
  static func < (lhs: BID128, rhs: BID128) -> Bool {
    if lhs.isNaN || rhs.isNaN { return lhs.isNaN && lhs.orderedKey < rhs.orderedKey }
    return lhs.isNumericallyLess(than: rhs)
  }
}
