/// A period of the calendar that times are grouped by, in UTC after the Gregorian calendar.
package enum DatePart: Sendable, Hashable {
  case day, month, year

  private static let secondsPerDay = 86_400.0
  /// The days from 1970-01-01 to 2001-01-01, from which times are counted.
  private static let referenceDay = 11_323
  /// Times beyond are in no calendar: each is a period of its own. Three million years.
  private static let limit = 1e14

  /// The period that a time lies in, as seconds since 2001-01-01. A time that is no number, or too far away, has one that
  /// is empty and begins with itself.
  package func period(of seconds: Double) -> (start: Double, end: Double) {
    guard abs(seconds) < Self.limit else { return (seconds, seconds) }
    let day = Int((seconds / Self.secondsPerDay).rounded(.down))
    if self == .day { return (Self.seconds(day: day), Self.seconds(day: day + 1)) }
    let date = CivilDate(day: day + Self.referenceDay)
    let (start, end) =
      self == .year
      ? (CivilDate(year: date.year, month: 1), CivilDate(year: date.year + 1, month: 1))
      : (
        CivilDate(year: date.year, month: date.month),
        date.month == 12
          ? CivilDate(year: date.year + 1, month: 1) : CivilDate(year: date.year, month: date.month + 1)
      )
    return (
      Self.seconds(day: start.firstDay - Self.referenceDay),
      Self.seconds(day: end.firstDay - Self.referenceDay)
    )
  }

  private static func seconds(day: Int) -> Double { Double(day) * secondsPerDay }
}

/// A month of the Gregorian calendar.
///
/// The arithmetic is Howard Hinnant's `days_from_civil` and its inverse: years begin in March, so that the leap day is
/// the last one, and repeat every 400 years, which have 146,097 days.
private struct CivilDate {
  let year: Int
  let month: Int

  init(year: Int, month: Int) {
    self.year = year
    self.month = month
  }

  /// The month of a day, counted from 1970-01-01.
  init(day: Int) {
    let day = day + 719_468
    let era = (day >= 0 ? day : day - 146_096) / 146_097
    let dayOfEra = day - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The first day of the month, counted from 1970-01-01.
  var firstDay: Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
