import Foundation

/// A value that an object is made from, in one of the shapes that are accepted.
enum ObjectSource {
  /// Values by property name.
  case dictionary([String: Any])
  /// The values of all properties in order, or of the first ones.
  case array([Any])
  case object(ObjectBase)

  /// Nil for a value of any other shape.
  init?(_ value: Any) {
    if let dictionary = Coercion.exact(value, [String: Any].self) {
      self = .dictionary(dictionary)
    } else if let object = Coercion.object(value) {
      self = .object(object)
    } else if let dictionary = value as? [String: Any] {
      self = .dictionary(dictionary)
    } else if let array = value as? [Any] {
      self = .array(array)
    } else {
      return nil
    }
  }

  /// The source of an object of a class. Stops the program when the value cannot be one.
  static func required(_ value: Any, for schema: ClassSchema) -> ObjectSource {
    if let dictionary = Coercion.exact(value, [String: Any].self) { return .dictionary(dictionary) }
    guard let value = Coercion.unwrap(value) else { trap("Must provide a non-nil value.") }
    guard let source = ObjectSource(value) else {
      trap(ValueError.missingKey(schema.properties.first?.name ?? "", in: value, schema))
    }
    source.checkCount(schema)
    return source
  }

  /// Stops the program when an array has more values than the class has properties.
  func checkCount(_ schema: ClassSchema) {
    if case .array(let values) = self, values.count > schema.properties.count {
      trap(
        "Invalid array input: more values (\(values.count)) than properties (\(schema.properties.count)).")
    }
  }

  /// The value of the stored property at an index of a class, or nil when the source says nothing about it; null
  /// is a value.
  ///
  /// Stops the program when the source is an object without the property.
  func value(_ index: Int, of schema: ClassSchema) -> Any? {
    let property = schema.properties[index]
    switch self {
    case .dictionary(let values):
      return values[property.name]
    case .array(let values):
      return index < values.count ? values[index] : nil
    case .object(let object):
      let sourceSchema = object.classSchema
      if sourceSchema === schema { return property.typedValue(object) }
      guard let same = sourceSchema.property(named: property.name) else {
        trap(ValueError.missingKey(property.name, in: object, schema))
      }
      let value = same.unconverted(object) ?? same.dynamicValue(object)
      // What is stored fits whatever it is made of.
      if object._isManaged, let value {
        if same.isSingleScalar { return UnconvertedValue(value) }
        if property.elementType?._rlmMayBeUnconverted ?? false { return UnconvertedValue.elements(of: value) }
      }
      return value as Any
    }
  }
}
