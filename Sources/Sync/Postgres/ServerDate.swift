/// Dates as PostgreSQL holds them: microseconds since 2000.
package enum ServerDate {
  /// Seconds from PostgreSQL's reference date to that of realm files, 2001-01-01.
  private static let offset: Int64 = 31_622_400
  /// 4714-11-24 BC, and the first moment of the year 294277.
  static let range: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000

  /// The nearest microsecond to a date of a realm file, ties to even; the infinities are the server's.
  package static func microseconds(_ seconds: Double) throws(UnsendableValue) -> Int64 {
    guard seconds.isFinite else {
      if seconds.isNaN { throw UnsendableValue(.dateOutOfRange) }
      return seconds < 0 ? .min : .max
    }
    let whole = seconds.rounded(.down)
    guard abs(whole) < 1e13 else { throw UnsendableValue(.dateOutOfRange) }
    // The fraction is exact, so that one operation rounds.
    let fraction = ((seconds - whole) * 1e6).rounded(.toNearestOrEven)
    let sum = (Int64(whole) + offset).multipliedReportingOverflow(by: 1_000_000)
    let (result, overflow) = sum.partialValue.addingReportingOverflow(Int64(fraction))
    guard !sum.overflow, !overflow, range.contains(result) else { throw UnsendableValue(.dateOutOfRange) }
    return result
  }

  /// The nearest date of a realm file. Between 1728 and 2273 each microsecond has one of its own.
  package static func seconds(_ microseconds: Int64) -> Double {
    if microseconds == .max { return .infinity }
    if microseconds == .min { return -.infinity }
    let (count, overflow) = microseconds.subtractingReportingOverflow(offset * 1_000_000)
    // Both operands of the division are exact, so that it rounds once.
    if !overflow && count.magnitude <= 1 << 53 { return Double(count) / 1e6 }
    let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return Double(whole - offset) + Double(rest) / 1e6
  }

  /// The date that comes back after the server has rounded it.
  package static func rounded(_ seconds: Double) throws(UnsendableValue) -> Double {
    Self.seconds(try microseconds(seconds))
  }
}
