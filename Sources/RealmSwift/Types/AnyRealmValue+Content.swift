public import Foundation
import Storage

// What a value holds. Nothing is converted: a number of another type is nil, too.
extension AnyRealmValue {
  /// The integer; nil when the value is something else.
  public var intValue: Int? {
    guard case .int(let value) = self else { return nil }
    return value
  }

  /// The truth value; nil when the value is something else.
  public var boolValue: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The number of single precision; nil when the value is something else.
  public var floatValue: Float? {
    guard case .float(let value) = self else { return nil }
    return value
  }

  /// The number of double precision; nil when the value is something else.
  public var doubleValue: Double? {
    guard case .double(let value) = self else { return nil }
    return value
  }

  /// The text; nil when the value is something else.
  public var stringValue: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The bytes; nil when the value is something else.
  public var dataValue: Data? {
    guard case .data(let value) = self else { return nil }
    return value
  }

  /// The moment; nil when the value is something else.
  public var dateValue: Date? {
    guard case .date(let value) = self else { return nil }
    return value
  }

  /// The object id; nil when the value is something else.
  public var objectIdValue: ObjectId? {
    guard case .objectId(let value) = self else { return nil }
    return value
  }

  /// The decimal number; nil when the value is something else.
  public var decimal128Value: Decimal128? {
    guard case .decimal128(let value) = self else { return nil }
    return value
  }

  /// The UUID; nil when the value is something else.
  public var uuidValue: UUID? {
    guard case .uuid(let value) = self else { return nil }
    return value
  }

  /// The dictionary, live when the value was read from a managed object; nil when the value is something else.
  public var dictionaryValue: Map<String, AnyRealmValue>? {
    guard case .dictionary(let value) = self else { return nil }
    return value
  }

  /// The list, live when the value was read from a managed object; nil when the value is something else.
  public var listValue: List<AnyRealmValue>? {
    guard case .list(let value) = self else { return nil }
    return value
  }

  /// The object, when it is one of this class; otherwise nil.
  public func object<T: Object>(_ type: T.Type) -> T? {
    guard case .object(let object) = self else { return nil }
    if type == DynamicObject.self { return dynamicObject as? T }
    return object as? T
  }

  /// A managed object with access to its properties by their names, for classes that the program does not have; nil
  /// when the value is something else.
  public var dynamicObject: DynamicObject? {
    guard case .object(let object) = self else { return nil }
    if let dynamic = object as? DynamicObject { return dynamic }
    guard let realm = object._realm else { return nil }
    object._checkAccess()
    return realm.dynamicClassTable(object._table.number).dynamicAccessor(object._row)
  }
}
