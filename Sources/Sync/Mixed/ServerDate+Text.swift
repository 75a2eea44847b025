// Dates as texts that PostgreSQL reads as `timestamptz`, for what has no column of that type.
extension ServerDate {
  private static let day: Int64 = 86_400_000_000
  /// Days from 1970-01-01 to 2000-01-01, from which PostgreSQL counts.
  private static let daysBefore2000: Int64 = 10_957

  /// Returns a date such as `2026-11-26T11:10:00.000001Z`.
  ///
  /// - Parameter microseconds: Since 2000; the least and the greatest number stand for the infinities.
  static func text(_ microseconds: Int64) -> String {
    if microseconds == .max { return "infinity" }
    if microseconds == .min { return "-infinity" }
    let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: day)
    let days = rest < 0 ? whole - 1 : whole
    let time = rest < 0 ? rest + day : rest
    let (year, month, dayOfMonth) = civil(days + daysBefore2000)
    let seconds = time / 1_000_000
    let fraction = time % 1_000_000
    let date = [padded(year > 0 ? year : 1 - year, 4), padded(month, 2), padded(dayOfMonth, 2)]
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
    return date.joined(separator: "-") + "T" + clock.joined(separator: ":")
      + (fraction == 0 ? "" : "." + padded(fraction, 6)) + (year > 0 ? "Z" : "Z BC")
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Reads a date in the form of ISO 8601, with an offset to UTC; nil for another text, or a date that PostgreSQL cannot hold.
  ///
  /// - Returns: Microseconds since 2000.
  static func microseconds(text: String) -> Int64? {
    if text == "infinity" { return .max }
    if text == "-infinity" { return .min }
    var scanner = DateScanner(text)
    guard let year = scanner.number(4...6), scanner.take("-"), let month = scanner.number(2...2),
      scanner.take("-"),
      let day = scanner.number(2...2), scanner.take("T") || scanner.take(" "),
      let hour = scanner.number(2...2), scanner.take(":"), let minute = scanner.number(2...2),
      (1...12).contains(month), (1...31).contains(day), hour <= 24, minute < 60
    else { return nil }
    var seconds: Int64 = 0
    var fraction: Int64 = 0
    if scanner.take(":") {
      guard let read = scanner.number(2...2), read <= 60 else { return nil }
      seconds = read
      if scanner.take(".") {
        guard let read = scanner.fraction() else { return nil }
        fraction = read
      }
    }
    guard let offset = scanner.offset() else { return nil }
    let isBeforeChrist = scanner.take(" ") && scanner.take("B") && scanner.take("C")
    guard scanner.isAtEnd, year > 0 else { return nil }
    let days = Self.days(isBeforeChrist ? 1 - year : year, month, day) - daysBefore2000
    let time = ((hour * 60 + minute) * 60 + seconds - offset) * 1_000_000 + fraction
    let (product, overflow) = days.multipliedReportingOverflow(by: Self.day)
    let (sum, overflows) = product.addingReportingOverflow(time)
    return overflow || overflows || !range.contains(sum) ? nil : sum
  }

  /// Returns year, month and day of the Gregorian calendar. The year before 1 is 0.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // Years begin in March, so that the leap day is their last, and are counted in cycles of 400.
    let shifted = days + 719_468
    let cycle = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfCycle = shifted - cycle * 146_097
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Returns the days since 1970.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let cycle = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfCycle = shifted - cycle * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return cycle * 146_097 + yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear - 719_468
  }
}

/// Reads a date from left to right.
private struct DateScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func digits() -> [Int64] {
    let digits = rest.prefix { (48...57).contains($0) }
    rest = rest.dropFirst(digits.count)
    return digits.map { Int64($0) - 48 }
  }

  /// Reads a number with a number of digits.
  mutating func number(_ count: ClosedRange<Int>) -> Int64? {
    let digits = digits()
    return count.contains(digits.count) ? digits.reduce(0) { $0 * 10 + $1 } : nil
  }

  /// Reads up to six decimals, as microseconds.
  mutating func fraction() -> Int64? {
    let digits = digits()
    guard (1...6).contains(digits.count) else { return nil }
    return (digits + [Int64](repeating: 0, count: 6 - digits.count)).reduce(0) { $0 * 10 + $1 }
  }

  /// Reads `Z`, or an offset such as `+01:00`, in seconds.
  mutating func offset() -> Int64? {
    if take("Z") { return 0 }
    let sign: Int64 = take("+") ? 1 : take("-") ? -1 : 0
    guard sign != 0, let hours = number(2...2) else { return nil }
    var seconds = hours * 3600
    if take(":") {
      guard let minutes = number(2...2) else { return nil }
      seconds += minutes * 60
      if take(":") {
        guard let rest = number(2...2) else { return nil }
        seconds += rest
      }
    }
    return sign * seconds
  }
}
