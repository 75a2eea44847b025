import Foundation

/// Fills objects in memory from values, as `init(value:)` does.
enum ObjectPopulation {
  /// Sets the properties of an unmanaged object that the value has something to say about.
  ///
  /// Objects that the value holds are linked as they are, managed ones too. Stops the program when a value does not
  /// fit.
  static func populate(_ object: ObjectBase, from value: Any) {
    let schema = object.classSchema
    let source = ObjectSource.required(value, for: schema)
    for index in schema.properties.indices {
      guard let value = source.value(index, of: schema) else { continue }
      assign(object, schema.properties[index], value, schema)
    }
  }

  /// An object for a link: one of exactly that class as it is, a new unmanaged one for a dictionary or an array, or
  /// for an object of another class that has all the properties. Nil for all other values.
  static func object<T: ObjectBase>(_ type: T.Type, from value: Any) -> T? {
    guard let value = Coercion.unwrap(value) else { return nil }
    if let object = Coercion.object(value) {
      if Swift.type(of: object) == type { return unsafeDowncast(object, to: type) }
      let (wanted, given) = (ClassSchema.of(type), object.classSchema)
      guard wanted.properties.allSatisfy({ given.property(named: $0.name) != nil }) else { return nil }
    } else if ObjectSource(value) == nil {
      return nil
    }
    let object = type.init()
    populate(object, from: value)
    return object
  }

  /// Sets one property of a managed or unmanaged object. Stops the program when the value does not fit.
  static func assign(_ object: ObjectBase, _ property: ClassProperty, _ value: Any, _ schema: ClassSchema) {
    if property.kind.collection != .none {
      let place = "'\(schema.className).\(property.name)'"
      if let mismatch = ValueError.collectionMismatch(value, property.kind, place) { trap(mismatch) }
      // Null empties a collection.
      if Coercion.unwrap(value) == nil {
        let nothing: Any = property.kind.collection == .map ? [String: Any]() : [Any]()
        _ = property.assign(object, nothing)
        return
      }
    }
    if !property.assign(object, value) { trap(ValueError.invalid(value, property, schema)) }
  }
}
