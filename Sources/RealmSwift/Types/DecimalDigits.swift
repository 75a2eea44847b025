extension [UInt8] {
  /// Appends a number in decimal digits, with zeros before it where it has fewer than wanted.
  package mutating func appendDigits(_ number: UInt64, atLeast digits: Int = 1) {
    var rest = number
    var (low, high) = (count, count)
    while rest > 0 || high - low < digits {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
      high += 1
    }
    high -= 1
    while low < high {
      swapAt(low, high)
      low += 1
      high -= 1
    }
  }
}
