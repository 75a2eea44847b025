import Foundation

/// The messages for values that do not fit a class.
enum ValueError {
  static func missingKey(_ key: String, in value: Any, _ schema: ClassSchema) -> String {
    // The official wording. language: allowed
    "Invalid value '\(text(value))' to initialize object of type '\(schema.className)': missing key '\(key)'"
  }

  static func unknownProperty(_ name: String, _ schema: ClassSchema) -> String {
    "Invalid property name '\(name)' for class '\(schema.className)'."
  }

  static func missingValue(_ property: ClassProperty, _ schema: ClassSchema) -> String {
    "Missing value for property '\(schema.className).\(property.name)'."
  }

  /// For a value that a property does not take: of a collection, the first element that is at fault.
  static func invalid(_ value: Any, _ property: ClassProperty, _ schema: ClassSchema) -> String {
    let kind = property.kind
    let place = "'\(schema.className).\(property.name)'"
    if kind.collection == .none { return invalidValue(value, kind, place) }
    if let mismatch = collectionMismatch(value, kind, place) { return mismatch }
    let elements: [Any]
    if kind.collection == .map {
      guard let entries = Enumeration.entries(value) else { return notEnumerable(value, kind, place) }
      elements = entries.map(\.value)
    } else {
      guard let all = Enumeration.elements(value) else { return notEnumerable(value, kind, place) }
      elements = all
    }
    let wrong = property.elementType.flatMap { type in elements.first { !type.accepts($0) } }
    return invalidValue(wrong ?? value, kind, place)
  }

  static func invalidValue(_ value: Any, _ kind: _PropertyKind, _ place: String) -> String {
    let collection =
      switch kind.collection {
      case .none: ""
      case .list: " array"
      case .set: " set"
      case .map: " dictionary"
      }
    return "Invalid value '\(text(value))' of type '\(typeName(value))' for "
      + "'\(kind.typeName)'\(collection) property \(place)."
  }

  static func notEnumerable(_ value: Any, _ kind: _PropertyKind, _ place: String) -> String {
    "Invalid value (\(text(value))) for '\(kind.elementTypeName)' \(kind.collection == .list ? "array" : "set") "
      + "property \(place): value is not enumerable."
  }

  /// The message for a collection of this library whose elements are of another type than the property's; nil for
  /// any other value.
  static func collectionMismatch(_ value: Any, _ kind: _PropertyKind, _ place: String) -> String? {
    // Asking what these conform to takes longer than most collections take to be written.
    if Swift.type(of: value) == [Any].self || Coercion.isDictionary(value) { return nil }
    guard let value = Coercion.unwrap(value) as? any _RealmSchemaDiscoverable else { return nil }
    let other = type(of: value)._rlmKind
    guard other.collection != .none else { return nil }
    let isSameClass = other.objectType == DynamicObject.self || other.elementTypeName == kind.elementTypeName
    // The values of a map that are never null fit where they may be.
    let isSameOptionality =
      other.isNullable == kind.isNullable || (other.collection == .map && kind.isNullable)
    if other.type == kind.type && isSameOptionality && isSameClass { return nil }
    let name =
      switch other.collection {
      case .set: "RLMSet"
      case .map: "RLMDictionary"
      default: "RLMArray"
      }
    return "\(name)<\(other.typeName)> does not match expected type '\(kind.typeName)' for property \(place)."
  }

  private static func text(_ value: Any) -> String {
    if let value = Coercion.unwrap(value) { return "\(value)" }
    return value is NSNull ? "<null>" : "(null)"
  }

  private static func typeName(_ value: Any) -> String {
    guard let value = Coercion.unwrap(value) else { return value is NSNull ? "NSNull" : "(null)" }
    if let object = Coercion.object(value) { return object.classSchema.className }
    return "\(type(of: value))"
  }
}

extension _PropertyKind {
  /// The type of the value or the elements, as messages name it.
  var elementTypeName: String {
    targetName ?? type.name
  }

  /// The name of the type, with a question mark if null is allowed.
  var typeName: String { elementTypeName + (isOptional ? "?" : "") }
}

extension RealmCollectionValue {
  /// Whether an element can be made from a value.
  static func accepts(_ value: Any) -> Bool { _rlmCoerceElement(value) != nil }
}
