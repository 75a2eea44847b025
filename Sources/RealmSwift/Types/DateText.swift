/// Dates as text of ISO 8601, in UTC, with as many decimals as give the same date again; as `@` and their seconds where no
/// 15 decimals do.
package enum DateText {
  /// Days from 1970 to 2001, from which the stored seconds count.
  private static let daysTo2001 = 11_323
  /// Beyond this, dates are written as `@` and their seconds.
  private static let limit = 1e13

  package static func text(_ seconds: Double) -> String {
    var bytes: [UInt8] = []
    append(seconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text of a date, which is ASCII.
  package static func append(_ seconds: Double, to bytes: inout [UInt8]) {
    guard seconds.magnitude < limit else { return bytes.append(contentsOf: "@\(seconds)".utf8) }
    var whole = seconds.rounded(.down)
    var decimals = (number: 0, digits: 0)
    for (digits, scale) in [(0, 1.0), (3, 1e3), (6, 1e6), (9, 1e9), (12, 1e12), (15, 1e15)]
    where whole != seconds {
      let part = ((seconds - whole) * scale).rounded()
      if part == scale && digits == 0 { continue }
      let isSame = whole + part / scale == seconds
      if digits == 15 && !isSame { return bytes.append(contentsOf: "@\(seconds)".utf8) }
      if isSame {
        if part == scale {
          whole += 1
        } else if digits > 0 {
          decimals = (Int(part), digits)
        }
        break
      }
    }
    let second = Int(whole)
    let day = second >= 0 ? second / 86_400 : (second - 86_399) / 86_400
    append(day: day, to: &bytes)
    let time = second - day * 86_400
    for (separator, part) in [("T", time / 3600), (":", time / 60 % 60), (":", time % 60)]
      as [(Unicode.Scalar, Int)]
    {
      bytes.append(UInt8(ascii: separator))
      bytes.appendDigits(UInt64(part), atLeast: 2)
    }
    if decimals.digits > 0 {
      bytes.append(UInt8(ascii: "."))
      bytes.appendDigits(UInt64(decimals.number), atLeast: decimals.digits)
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  /// Appends the year, month and day of a day that is counted from 2001.
  private static func append(day: Int, to bytes: inout [UInt8]) {
    let (year, month, date) = civil(day + daysTo2001)
    if !(0...9999 ~= year) { bytes.append(UInt8(ascii: year < 0 ? "-" : "+")) }
    bytes.appendDigits(UInt64(abs(year)), atLeast: 0...9999 ~= year ? 4 : 6)
    bytes.append(UInt8(ascii: "-"))
    bytes.appendDigits(UInt64(month), atLeast: 2)
    bytes.append(UInt8(ascii: "-"))
    bytes.appendDigits(UInt64(date), atLeast: 2)
  }

  /// The seconds since 2001 of a date, with or without a time and its zone; nil when the text is no date.
  package static func seconds(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { seconds(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Returns the seconds since 2001 of a date that is given as UTF-8; nil when the text is no date.
  package static func seconds(utf8 text: UnsafeRawBufferPointer) -> Double? {
    if text.first == UInt8(ascii: "@") { return Double(String(decoding: text.dropFirst(), as: UTF8.self)) }
    var scanner = Scanner(rest: text[...])
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

  /// The part of a text that was not read yet.
  private struct Scanner {
    var rest: Slice<UnsafeRawBufferPointer>

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard let first = rest.first, first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func number(digits: ClosedRange<Int>) -> Int? {
      var number = 0
      var count = 0
      while count < digits.upperBound, let byte = rest.first, case let digit = byte &- UInt8(ascii: "0"),
        digit < 10
      {
        number = number * 10 + Int(digit)
        count += 1
        rest.removeFirst()
      }
      return digits ~= count ? number : nil
    }

    mutating func fraction() -> Double? {
      let found = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      guard !found.isEmpty else { return nil }
      rest.removeFirst(found.count)
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
