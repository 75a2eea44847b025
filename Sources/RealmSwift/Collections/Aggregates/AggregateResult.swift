import Foundation
import Storage

/// Results of aggregates as Swift values.
enum AggregateResult {
  /// Null becomes nil.
  static func convert<T>(_ value: StoredValue) -> T? {
    guard let any = any(value) else { return nil }
    return convert(any, value)
  }

  /// Null becomes the type's zero.
  static func convertSum<T>(_ value: StoredValue) -> T {
    let value = value.isNull ? .int(0) : value
    guard let result: T = convert(any(value)!, value) else {
      trap("Could not convert value '\(any(value)!)' to type '\(T.self)'.")
    }
    return result
  }

  static func any(_ value: StoredValue) -> Any? {
    switch value {
    case .int(let number): Int(number)
    case .float(let number): number
    case .double(let number): number
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .decimal128: Decimal128(_rlm: value)
    case .string(let text): text
    case .bool(let flag): flag
    case .data(let bytes): Data(bytes)
    case .objectId: ObjectId(_rlm: value)
    case .uuid: UUID(_rlm: value)
    case .null, .link, .list, .dictionary: nil
    }
  }

  private static func convert<T>(_ any: Any, _ value: StoredValue) -> T? {
    if let exact = any as? T { return exact }
    if T.self == NSNumber.self || T.self == NSNumber?.self { return number(any) as? T }
    if T.self == NSDate.self || T.self == NSDate?.self { return (any as? Date).map { $0 as NSDate } as? T }
    guard let type = T.self as? any _Persistable.Type else { return nil }
    return coerce(any, value, type) as? T
  }

  private static func coerce<P: _Persistable>(_ any: Any, _ value: StoredValue, _: P.Type) -> P? {
    if let converted = P._rlmCoerce(any) { return converted }
    // Numbers may be asked for in any type.
    let kind = P._rlmKind.type
    switch (kind, value) {
    case (.int, .double(let number)): return coerce(whole: number)
    case (.int, .float(let number)): return coerce(whole: Double(number))
    case (.int, .decimal128): return coerce(whole: (any as? Decimal128)?.doubleValue ?? 0)
    case (.float, .double(let number)): return P._rlmCoerce(Float(number))
    case (.float, .decimal128): return (any as? Decimal128).flatMap { P._rlmCoerce(Float($0.doubleValue)) }
    case (.double, .decimal128): return (any as? Decimal128).flatMap { P._rlmCoerce($0.doubleValue) }
    default: return nil
    }
  }

  private static func coerce<P: _Persistable>(whole number: Double) -> P? {
    Int(exactly: number.rounded(.towardZero)).flatMap { P._rlmCoerce($0) }
  }

  private static func number(_ any: Any) -> NSNumber? {
    switch any {
    case let number as Int: NSNumber(value: number)
    case let number as Double: NSNumber(value: number)
    case let number as Float: NSNumber(value: number)
    case let number as Decimal128: NSNumber(value: number.doubleValue)
    default: nil
    }
  }
}
