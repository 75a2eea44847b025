public import Foundation
import Storage

// What a value holds. Nothing is converted: a number of another type is nil, too.
extension AnyRealmValue {
  /// The integer; nil for values of other types.
  public var intValue: Int? {
    guard case .int(let value) = self else { return nil }
    return value
  }

  /// The Boolean; nil for values of other types.
  public var boolValue: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The single-precision number; nil for values of other types.
  public var floatValue: Float? {
    guard case .float(let value) = self else { return nil }
    return value
  }

  /// The double-precision number; nil for values of other types.
  public var doubleValue: Double? {
    guard case .double(let value) = self else { return nil }
    return value
  }

  /// The string; nil for values of other types.
  public var stringValue: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The data; nil for values of other types.
  public var dataValue: Data? {
    guard case .data(let value) = self else { return nil }
    return value
  }

  /// The date; nil for values of other types.
  public var dateValue: Date? {
    guard case .date(let value) = self else { return nil }
    return value
  }

  /// The `ObjectId`; nil for values of other types.
  public var objectIdValue: ObjectId? {
    guard case .objectId(let value) = self else { return nil }
    return value
  }

  /// The decimal number; nil for values of other types.
  public var decimal128Value: Decimal128? {
    guard case .decimal128(let value) = self else { return nil }
    return value
  }

  /// The UUID; nil for values of other types.
  public var uuidValue: UUID? {
    guard case .uuid(let value) = self else { return nil }
    return value
  }

  /// The dictionary, live if the value was read from a managed object; nil for values of other types.
  public var dictionaryValue: Map<String, AnyRealmValue>? {
    guard case .dictionary(let value) = self else { return nil }
    return value
  }

  /// The list, live if the value was read from a managed object; nil for values of other types.
  public var listValue: List<AnyRealmValue>? {
    guard case .list(let value) = self else { return nil }
    return value
  }

  /// Returns the object if it is of the given class, otherwise nil.
  public func object<T: Object>(_ type: T.Type) -> T? {
    guard case .object(let object) = self else { return nil }
    if type == DynamicObject.self { return dynamicObject as? T }
    return object as? T
  }

  /// A managed object with access to its properties by name, for classes that the program does not declare;
  /// nil for values of other types.
  public var dynamicObject: DynamicObject? {
    guard case .object(let object) = self else { return nil }
    if let dynamic = object as? DynamicObject { return dynamic }
    guard let realm = object._realm else { return nil }
    object._checkAccess()
    return realm.dynamicClassTable(object._table.number).dynamicAccessor(object._row)
  }
}
