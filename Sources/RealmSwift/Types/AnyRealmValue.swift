public import Foundation

/// A value of any type that a property can have, including null and nested collections. Also called a mixed
/// value.
///
/// ```swift
/// try realm.write { hut.remark = .string("No water in autumn") }
/// print(hut.remark.stringValue ?? "no text")
/// ```
///
/// A list or dictionary that is read from a managed object is live: changing it in a write transaction
/// changes the object. Storing a list or dictionary stores a copy of its content.
///
/// Values of different cases are never equal, even where queries and sorting compare them by value: `.int(1)`
/// is not equal to `.double(1)`.
public enum AnyRealmValue: Hashable {
  /// Null.
  case none
  /// An integer.
  case int(Int)
  /// A Boolean.
  case bool(Bool)
  /// A single-precision number.
  case float(Float)
  /// A double-precision number.
  case double(Double)
  /// A string.
  case string(String)
  /// Binary data.
  case data(Data)
  /// A date.
  case date(Date)
  /// A link to an object of any class.
  case object(Object)
  /// An `ObjectId`.
  case objectId(ObjectId)
  /// A decimal number.
  case decimal128(Decimal128)
  /// A UUID.
  case uuid(UUID)
  /// A dictionary: values by key.
  case dictionary(Map<String, AnyRealmValue>)
  /// A list: values in order.
  case list(List<AnyRealmValue>)

  /// Creates null.
  public init() { self = .none }

  /// Creates an unmanaged dictionary with the given entries.
  public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
    let map = Map<String, AnyRealmValue>()
    for (key, value) in dictionary { map[key] = value }
    return .dictionary(map)
  }

  /// Creates an unmanaged list with the given elements.
  public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: array)
    return .list(list)
  }

  /// Returns whether two values have the same case and equal contents. Unmanaged lists and dictionaries are
  /// compared by their elements; live ones are equal if they are the same.
  public static func == (lhs: AnyRealmValue, rhs: AnyRealmValue) -> Bool {
    switch lhs {
    case .list, .dictionary: break
    default: return isSame((lhs, rhs))
    }
    var rest = [(lhs, rhs)]
    while let pair = rest.popLast() {
      switch pair {
      case (.list(let left), .list(let right)):
        if left === right { continue }
        guard left.backing == nil, right.backing == nil else {
          if left == right { continue }
          return false
        }
        if left.unmanaged.count != right.unmanaged.count { return false }
        rest += zip(left.unmanaged, right.unmanaged)
      case (.dictionary(let left), .dictionary(let right)):
        if left === right { continue }
        guard left.backing == nil, right.backing == nil else {
          if left == right { continue }
          return false
        }
        if left.unmanaged.count != right.unmanaged.count { return false }
        for (key, value) in left.unmanaged {
          guard let other = right.unmanaged[key] else { return false }
          rest.append((value, other))
        }
      default: if !isSame(pair) { return false }
      }
    }
    return true
  }

  /// Whether two values are equal that are not both lists or both dictionaries.
  private static func isSame(_ pair: (AnyRealmValue, AnyRealmValue)) -> Bool {
    switch pair {
    case (.none, .none): true
    case (.int(let left), .int(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.float(let left), .float(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.objectId(let left), .objectId(let right)): left == right
    case (.decimal128(let left), .decimal128(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    default: false
    }
  }

  /// Hashes the value; all lists have the same hash, as do all dictionaries and all nulls.
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
