/// Dates as text of ISO 8601, in UTC, with as many decimals as give the same date again; as `@` and their seconds where no
/// 15 decimals do.
package enum DateText {
  /// Days from 1970 to 2001, from which the stored seconds count.
  private static let daysTo2001 = 11_323
  /// Beyond this, dates are written as `@` and their seconds.
  private static let limit = 1e13

  package static func text(_ seconds: Double) -> String {
    guard seconds.magnitude < limit else { return "@\(seconds)" }
    var whole = seconds.rounded(.down)
    var decimals = ""
    for (digits, scale) in [(0, 1.0), (3, 1e3), (6, 1e6), (9, 1e9), (12, 1e12), (15, 1e15)] {
      let part = ((seconds - whole) * scale).rounded()
      if part == scale && digits == 0 { continue }
      let isSame = whole + part / scale == seconds
      if digits == 15 && !isSame { return "@\(seconds)" }
      if isSame {
        if part == scale {
          whole += 1
        } else if digits > 0 {
          decimals = "." + padded(Int(part), digits)
        }
        break
      }
    }
    let second = Int(whole)
    let day = second >= 0 ? second / 86_400 : (second - 86_399) / 86_400
    let time = second - day * 86_400
    let (year, month, date) = civil(day + daysTo2001)
    let years = 0...9999 ~= year ? padded(year, 4) : (year < 0 ? "-" : "+") + padded(abs(year), 6)
    return "\(years)-\(padded(month, 2))-\(padded(date, 2))T\(padded(time / 3600, 2)):"
      + "\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))\(decimals)Z"
  }

  /// The seconds since 2001 of a date, with or without a time and its zone; nil when the text is no date.
  package static func seconds(_ text: String) -> Double? {
    if text.hasPrefix("@") { return Double(text.dropFirst()) }
    var scanner = Scanner(text)
    let sign = scanner.skip("-") ? -1 : scanner.skip("+") ? 1 : 0
    guard let year = scanner.number(digits: sign == 0 ? 4...4 : 4...6), scanner.skip("-"),
      let month = scanner.number(digits: 2...2), 1...12 ~= month, scanner.skip("-"),
      let date = scanner.number(digits: 2...2), 1...31 ~= date
    else { return nil }
    let day = days(sign < 0 ? -year : year, month, date)
    guard civil(day).month == month else { return nil }
    var seconds = Double((day - daysTo2001) * 86_400)
    if scanner.isAtEnd { return seconds }
    guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
      let hour = scanner.number(digits: 2...2), hour < 24, scanner.skip(":"),
      let minute = scanner.number(digits: 2...2), minute < 60
    else { return nil }
    var second = 0
    if scanner.skip(":") {
      guard let number = scanner.number(digits: 2...2), number < 61 else { return nil }
      second = number
    }
    seconds += Double(hour * 3600 + minute * 60 + second)
    if scanner.skip(".") || scanner.skip(",") {
      guard let fraction = scanner.fraction() else { return nil }
      seconds += fraction
    }
    guard let offset = scanner.zone(), scanner.isAtEnd else { return nil }
    return seconds - Double(offset)
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Days since 1970 of a date of the Gregorian calendar; years begin in March here.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
    let day = day + 719_468
    let era = (day >= 0 ? day : day - 146_096) / 146_097
    let dayOfEra = day - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private struct Scanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest = rest.dropFirst()
      return true
    }

    mutating func number(digits: ClosedRange<Int>) -> Int? {
      let found = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.prefix(digits.upperBound)
      guard digits ~= found.count else { return nil }
      rest = rest.dropFirst(found.count)
      return Int(String(decoding: found, as: UTF8.self))
    }

    mutating func fraction() -> Double? {
      let found = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      guard !found.isEmpty else { return nil }
      rest = rest.dropFirst(found.count)
      return Double("0." + String(decoding: found, as: UTF8.self))
    }

    /// The seconds that the zone is ahead of UTC; text without a zone is in UTC.
    mutating func zone() -> Int? {
      if isAtEnd || skip("Z") || skip("z") { return 0 }
      let sign = skip("+") ? 1 : skip("-") ? -1 : 0
      guard sign != 0, let hours = number(digits: 2...2) else { return nil }
      _ = skip(":")
      guard let minutes = isAtEnd ? 0 : number(digits: 2...2), hours < 24, minutes < 60 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}
