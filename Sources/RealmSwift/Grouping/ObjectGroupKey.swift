public import Foundation
import QueryEngine
import Storage

/// A grouping key: the value of a property, or the day, month or year of a date.
///
/// ```swift
/// let groups = huts.grouped(by: .value(\.warden?.name), .year(of: \.opened))
/// ```
public struct ObjectGroupKey<Element: ObjectBase, Key> {
  private let name: String
  private let part: DatePart?
  let makeKey: (StoredValue, RealmCore) -> Key

  private init(_ name: String, _ part: DatePart?, _ makeKey: @escaping (StoredValue, RealmCore) -> Key) {
    self.name = name
    self.part = part
    self.makeKey = makeKey
  }

  /// Returns a key for the value of a property of the objects, or of an object that they link to.
  ///
  /// Stops the program if the property is a collection or a link. Strings are different if their code points
  /// are.
  public static func value(_ keyPath: KeyPath<Element, Key>) -> Self where Key: _Persistable {
    Self(_name(for: keyPath), nil) { value, realm in
      if let mixed = AnyRealmValue(value, realm) as? Key { return mixed }
      let any = AggregateResult.any(value)
      guard let key = Key._rlmCoerce(any as Any) else {
        trap("Could not convert value '\(any ?? "nil")' to type '\(Key.self)'.")
      }
      return key
    }
  }

  /// Finds the property in the class.
  func resolve(_ query: ResultsCore) -> QueryEngine.GroupKey {
    let table = query.classTable
    do {
      return try QueryEngine.GroupKey(
        keyPath: name, part: part, table: table.table.number, catalogue: query.realm.snapshot.catalogue,
        lookup: query.realm.propertyLookup)
    } catch {
      trap("Cannot group '\(table.className)' by '\(name)': only single values have groups.")
    }
  }
}

extension ObjectGroupKey {
  private static func period<Time>(_ keyPath: KeyPath<Element, Time>, _ part: DatePart) -> Self
  where Key == Date {
    Self(_name(for: keyPath), part) { value, _ in
      guard case .date(let seconds) = value else { trap("A period of '\(value)' was asked for.") }
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
  }

  private static func optionalPeriod<Time>(_ keyPath: KeyPath<Element, Time>, _ part: DatePart) -> Self
  where Key == Date? {
    Self(_name(for: keyPath), part) { value, _ in
      guard case .date(let seconds) = value else { return nil }
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
  }

  /// Returns a key for the day of a date, in UTC: the first moment of the day.
  public static func day(of keyPath: KeyPath<Element, Date>) -> Self where Key == Date {
    period(keyPath, .day)
  }
  /// Returns a key for the day of a date, in UTC: the first moment of the day, or nil if there is no date.
  public static func day(of keyPath: KeyPath<Element, Date?>) -> Self where Key == Date? {
    optionalPeriod(keyPath, .day)
  }
  /// Returns a key for the month of a date, in UTC: the first moment of the month.
  public static func month(of keyPath: KeyPath<Element, Date>) -> Self where Key == Date {
    period(keyPath, .month)
  }
  /// Returns a key for the month of a date, in UTC: the first moment of the month, or nil if there is no
  /// date.
  public static func month(of keyPath: KeyPath<Element, Date?>) -> Self where Key == Date? {
    optionalPeriod(keyPath, .month)
  }
  /// Returns a key for the year of a date, in UTC: the first moment of the year.
  public static func year(of keyPath: KeyPath<Element, Date>) -> Self where Key == Date {
    period(keyPath, .year)
  }
  /// Returns a key for the year of a date, in UTC: the first moment of the year, or nil if there is no date.
  public static func year(of keyPath: KeyPath<Element, Date?>) -> Self where Key == Date? {
    optionalPeriod(keyPath, .year)
  }
}
