import Foundation
import Storage

/// Turns values whose type is known only at run time, such as those of JSON, into stored ones.
enum Coercion {
  /// The value itself, out of any optionals that it is in; nil when it is nil or `NSNull`.
  static func unwrap(_ value: Any) -> Any? {
    let type = Swift.type(of: value)
    // Most values are of these types, and asking whether a type is an optional takes longer.
    if type == String.self || type == Int.self || type == Double.self || type == Bool.self
      || isDictionary(value)
    {
      return value
    }
    if let optional = value as? any OptionalValue { return optional.wrappedValue.flatMap(unwrap) }
    return type == NSNull.self ? nil : value
  }

  private static let dictionaryType = ObjectIdentifier([String: Any].self)

  /// Whether the value is a dictionary of just the type that most values of objects have.
  @inline(__always)
  static func isDictionary(_ value: Any) -> Bool { ObjectIdentifier(type(of: value)) == dictionaryType }

  /// Whether the value is `NSNull`, without a cast.
  @inline(__always)
  static func isNull(_ value: Any) -> Bool { type(of: value) == NSNull.self }

  /// The value, when it is of just that type. A cast would look both types up.
  @inline(__always)
  static func exact<T>(_ value: Any, _: T.Type) -> T? {
    func opened<Value>(_ value: Value) -> T? {
      if Value.self != T.self { return nil }
      return withUnsafePointer(to: value) { UnsafeRawPointer($0).assumingMemoryBound(to: T.self).pointee }
    }
    return _openExistential(value, do: opened)
  }

  /// The value as an object; nil when it is none.
  ///
  /// A cast of any value to a class would first turn dictionaries, strings and numbers into objects of Foundation.
  static func object(_ value: Any) -> ObjectBase? { instance(value, of: ObjectBase.self) }

  /// Returns the value as an instance of a class, or nil if it is none.
  static func instance<T: AnyObject>(_ value: Any, of _: T.Type) -> T? {
    type(of: value) is T.Type ? (value as! T) : nil
  }

  /// The stored form of a value in a column of a type; nil when the value does not fit.
  ///
  /// Null, links and mixed values are not for this function.
  static func scalar(_ value: Any, _ type: PropertyType) -> StoredValue? {
    guard let value = unwrap(value) else { return nil }
    return switch type {
    case .int: integer(value).map(StoredValue.int)
    case .bool: bool(value).map(StoredValue.bool)
    case .float: float(value).map(StoredValue.float)
    case .double: double(value).map(StoredValue.double)
    case .string: (value as? String).map(StoredValue.string)
    case .data: (value as? Data).map { .data(Array($0)) }
    case .date: (value as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
    case .objectId: (value as? ObjectId).map(\._rlmStored)
    case .decimal128: decimal(value).map(\._rlmStored)
    case .UUID: uuid(value).map(\._rlmStored)
    case .any, .object, .linkingObjects: nil
    }
  }

  /// The stored form that a value has by its own type; nil when it is none of a property's types.
  static func natural(_ value: Any) -> StoredValue? {
    guard let value = unwrap(value) else { return .null }
    switch number(value) {
    case .int(let number): return .int(number)
    case .bool(let flag): return .bool(flag)
    case .float(let number): return .float(number)
    case .double(let number): return .double(number)
    case .decimal(let decimal): return decimal._rlmStored
    case .tooLarge: return nil
    case nil: break
    }
    // Casts to classes come last: they would first turn arrays and dictionaries into objects of Foundation.
    switch value {
    case let value as String: return .string(value)
    case let value as Date: return value._rlmStored
    case let value as Data: return value._rlmStored
    case let value as UUID: return value._rlmStored
    default: break
    }
    let type = Swift.type(of: value)
    if type == ObjectId.self { return (value as! ObjectId)._rlmStored }
    return type == Decimal128.self ? (value as! Decimal128)._rlmStored : nil
  }

  /// Returns the stored form of a value of an enum or of a custom type; nil for values of all other types.
  ///
  /// The raw value of an enum is stored, also when the enum does not conform to `PersistableEnum`. Other types with a raw
  /// value, such as option sets, are not taken for enums. For places that do not know the Swift type of a property. Call it
  /// last: the casts and the mirror are slow.
  static func persisted(_ value: Any) -> Any? {
    if let value = value as? any _CustomPersistable { return value.persistableValue }
    guard let value = value as? any RawRepresentable,
      value is any RealmEnum || Mirror(reflecting: value).displayStyle == .enum
    else { return nil }
    return value.rawValue
  }

  // MARK: Numbers

  /// A number by the type that it was boxed as.
  private enum Number {
    case int(Int64)
    case bool(Bool)
    case float(Float)
    case double(Double)
    case decimal(Decimal128)
    /// An integer beyond 64 bits with a sign.
    case tooLarge
  }

  // Foundation has one object for each of the two. Their Objective-C type is also that of an `Int8`.
  private static let falseNumber = NSNumber(value: false)
  private static let trueNumber = NSNumber(value: true)

  private static func number(_ value: Any) -> Number? {
    let type = Swift.type(of: value)
    if type == Int.self { return .int(Int64(value as! Int)) }
    if type == Double.self { return .double(value as! Double) }
    if type == Bool.self { return .bool(value as! Bool) }
    if type == String.self { return nil }
    if type == Float.self { return .float(value as! Float) }
    if let integer = value as? any FixedWidthInteger {
      return Int64(exactly: integer).map(Number.int) ?? .tooLarge
    }
    guard type is NSNumber.Type, let number = value as? NSNumber else {
      return (value as? Decimal).map { .decimal(Decimal128(value: $0)) }
    }
    if let decimal = number as? NSDecimalNumber { return .decimal(Decimal128(number: decimal)) }
    if number === falseNumber || number === trueNumber { return .bool(number.boolValue) }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "f"): return .float(number.floatValue)
    case UInt8(ascii: "d"): return .double(number.doubleValue)
    case UInt8(ascii: "Q"): return Int64(exactly: number.uint64Value).map(Number.int) ?? .tooLarge
    default: return .int(number.int64Value)
    }
  }

  private static func integer(_ value: Any) -> Int64? {
    switch number(value) {
    case .int(let number): number
    case .bool(let flag): flag ? 1 : 0
    // JSON's smallest integers come as decimals.
    case .decimal(let decimal): Swift.type(of: value) is NSNumber.Type ? Int64(decimal.stringValue) : nil
    default: nil
    }
  }

  private static func bool(_ value: Any) -> Bool? {
    switch number(value) {
    case .bool(let flag): flag
    case .int(0): false
    case .int(1): true
    default: nil
    }
  }

  private static func float(_ value: Any) -> Float? {
    switch number(value) {
    case .int(let number): Float(number)
    case .float(let number): number
    case .double(let number):
      number.isNaN || number.magnitude <= Double(Float.greatestFiniteMagnitude) ? Float(number) : nil
    case .decimal(let decimal): float(decimal.doubleValue)
    default: nil
    }
  }

  private static func double(_ value: Any) -> Double? {
    switch number(value) {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    case .decimal(let decimal): decimal.doubleValue
    case .tooLarge: (value as? NSNumber)?.doubleValue ?? (value as? UInt64).map(Double.init)
    default: nil
    }
  }

  private static func decimal(_ value: Any) -> Decimal128? {
    if let decimal = value as? Decimal128 { return decimal }
    if let text = value as? String {
      let decimal = Decimal128(stringLiteral: text)
      return decimal.isNaN ? nil : decimal
    }
    return number(value) == nil ? nil : Decimal128(value: value)
  }

  private static func uuid(_ value: Any) -> UUID? {
    if let text = value as? String { return UUID(uuidString: text) }
    return value as? UUID
  }
}

/// Any `Optional`, to look into it without knowing its type.
private protocol OptionalValue {
  var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrappedValue: Any? { self }
}

// What takes any value takes what is stored.
extension UnconvertedValue: OptionalValue {
  fileprivate var wrappedValue: Any? { stored }
}
