public import Foundation

/// A value of any of the types that a property can have, null and nested collections included.
///
///     class Answer: Object {
///       @Persisted var value: AnyRealmValue
///     }
///
/// A list or dictionary that is read from a managed object is live: changing it in a write transaction changes the
/// object. Storing one stores a copy of its content.
///
/// Values of different cases are never equal, even where queries and sorting compare them by value: `.int(1)` is not
/// `.double(1)`.
public enum AnyRealmValue: Hashable {
  /// Null.
  case none
  /// An integer.
  case int(Int)
  /// A truth value.
  case bool(Bool)
  /// A number of single precision.
  case float(Float)
  /// A number of double precision.
  case double(Double)
  /// A text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A moment.
  case date(Date)
  /// A link to an object of any class.
  case object(Object)
  /// An object id.
  case objectId(ObjectId)
  /// A decimal number.
  case decimal128(Decimal128)
  /// A UUID.
  case uuid(UUID)
  /// Values by key.
  case dictionary(Map<String, AnyRealmValue>)
  /// Values in order.
  case list(List<AnyRealmValue>)

  /// Null.
  public init() { self = .none }

  /// A dictionary in memory with these entries.
  public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
    let map = Map<String, AnyRealmValue>()
    for (key, value) in dictionary { map[key] = value }
    return .dictionary(map)
  }

  /// A list in memory with these elements.
  public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: array)
    return .list(list)
  }

  /// Hashes the value; all lists, all dictionaries and all nulls have the same hash each.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .none: hasher.combine(14)
    case .int(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .decimal128(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .dictionary: hasher.combine(12)
    case .list: hasher.combine(13)
    }
  }
}
