import Foundation
import Storage

/// A `Persisted` of any type, for discovery.
protocol AnyPersisted: PropertyAccess {
  static func makeProperty(
    name: String, columnName: String, offset: Int, in object: ObjectBase
  ) -> ClassProperty
  /// Whether the property can hold objects or collections that are in memory.
  static var mayHoldReferences: Bool { get }
  /// Takes the object or collection out of a property in memory.
  static func takeReference(at storage: UnsafeMutableRawPointer) -> AnyObject?
}

extension Persisted: AnyPersisted where Value: _Persistable {
  static func makeProperty(
    name: String, columnName: String, offset: Int, in object: ObjectBase
  ) -> ClassProperty {
    let storage = (Unmanaged.passUnretained(object).toOpaque() + offset)
      .assumingMemoryBound(to: Persisted<Value>.self)
    let kind = Value._rlmKind
    // Only then: the runtime looks long for a conformance that a type does not have.
    let origin = kind.type == .linkingObjects ? storage.pointee.value as? any LinkingObjectsProtocol : nil
    return ClassProperty(
      name: name, columnName: columnName, kind: kind, attributes: storage.pointee.attributes,
      originProperty: origin?.originProperty, offset: offset, access: Self.self)
  }

  static var mayHoldReferences: Bool {
    let kind = Value._rlmKind
    return kind.type == .object || kind.type == .any
  }

  static func takeReference(at storage: UnsafeMutableRawPointer) -> AnyObject? {
    let storage = storage.assumingMemoryBound(to: Persisted<Value>.self)
    guard let reference = storage.pointee.value?._rlmReference else { return nil }
    storage.pointee.value = nil
    return reference
  }
}

/// Properties declared with `@Persisted`.
extension Persisted: PropertyAccess where Value: _Persistable {
  @inline(__always)
  private static func storage(
    _ property: ClassProperty, _ object: ObjectBase
  ) -> UnsafeMutablePointer<Persisted<Value>> {
    (Unmanaged.passUnretained(object).toOpaque() + property.offset).assumingMemoryBound(
      to: Persisted<Value>.self)
  }

  private static func value(_ property: ClassProperty, _ object: ObjectBase) -> Value {
    let storage = storage(property, object)
    let column = storage.pointee.column
    guard column >= 0 else { return storage.pointee.unmanagedValue(object) }
    if Value._rlmKeepsInstance {
      object._checkCollectionRead(column)
      return object._isShared
        ? storage.pointee.sharedInstance(object) : storage.pointee.managedInstance(object)
    }
    object._checkRead(column)
    return Value._rlmRead(object, Int(column))
  }

  static var valueType: Any.Type? { Value.self }

  static func elementType(_ property: ClassProperty) -> (any RealmCollectionValue.Type)? {
    (Value.self as? any CollectionProperty.Type)?.elementType
  }

  static func acceptsKey(_ key: String) -> Bool {
    (Value.self as? any CollectionProperty.Type)?.acceptsKey(key) ?? false
  }

  static var largestNumber: Int64? {
    (Value.PersistedType.self as? any NumberedKey.Type)?.largestNumber
  }

  static func unconverted(_ property: ClassProperty, _ object: ObjectBase) -> Any? {
    if Value._rlmKeepsInstance { return nil }
    let storage = storage(property, object)
    let column = storage.pointee.column
    guard column >= 0 else {
      return storage.pointee.value == nil ? UnconvertedValue.kept(in: object, column)?.stored : nil
    }
    object._checkRead(column)
    return Value._rlmUnconverted(object, Int(column))
  }

  static func typedValue(_ property: ClassProperty, _ object: ObjectBase) -> Any {
    if let stored = unconverted(property, object) { return UnconvertedValue(stored) }
    return value(property, object)
  }
  static func dynamicValue(_ property: ClassProperty, _ object: ObjectBase) -> Any? {
    if let stored = unconverted(property, object) { return property.kind.isOptional ? nil : stored }
    return value(property, object)._rlmDynamicValue
  }

  static func assign(_ property: ClassProperty, _ object: ObjectBase, _ value: Any) -> Bool {
    let storage = storage(property, object)
    if storage.pointee.column >= 0 {
      object._checkWrite()
      if property.isPrimaryKey {
        trap("Primary key can't be changed to '\(value)' after an object is inserted.")
      }
      return write(property, object, Int(storage.pointee.column), value, skipsEqual: false)
    }
    if let unconverted = UnconvertedValue.exact(value) {
      return assign(unconverted, property, object, storage)
    }
    guard let converted = Value._rlmCoerce(value) else { return false }
    if Value._rlmKeepsInstance {
      Value._rlmAssign(converted, to: storage.pointee.unmanagedValue(object))
    } else {
      storage.pointee.value = converted
    }
    return true
  }

  /// Gives a property of an object in memory a value that another one has stored.
  private static func assign(
    _ unconverted: UnconvertedValue, _ property: ClassProperty, _ object: ObjectBase,
    _ storage: UnsafeMutablePointer<Persisted<Value>>
  ) -> Bool {
    // An optional takes what fits as nil.
    let converted = Value._rlmCoerce(unconverted)
    if let converted, converted._rlmDynamicValue != nil {
      storage.pointee.value = converted
      return true
    }
    if converted == nil && !Value._rlmFitsStorage(unconverted.stored) { return false }
    var kept = unconverted
    if let embedded = Coercion.object(unconverted.stored) {
      let copy = type(of: embedded).init()
      ObjectPopulation.populate(copy, from: embedded)
      kept = UnconvertedValue(copy)
    }
    storage.pointee.column = kept.keep(in: object, offset: property.offset)
    storage.pointee.value = nil
    return true
  }

  static func write(
    _ property: ClassProperty, _ object: ObjectBase, _ column: Int, _ value: Any, skipsEqual: Bool
  ) -> Bool {
    Value._rlmWriteAny(object, column, value, skipsEqual: skipsEqual)
  }

  static func manage(
    _ property: ClassProperty, _ object: ObjectBase, _ column: Int, isNew: Bool, skipsEqual: Bool
  ) {
    let storage = Unmanaged.passUnretained(object).toOpaque() + property.offset
    if property.isPrimaryKey { markPrimaryKey(storage) }
    Value._rlmManage(storage, object, column, isNew: isNew, skipsEqual: skipsEqual)
  }

  static func storedScalar(_ property: ClassProperty, _ object: ObjectBase) -> StoredValue? {
    Value._rlmStoredScalar(at: Unmanaged.passUnretained(object).toOpaque() + property.offset, object)
  }

  static func coerceScalar(_ property: ClassProperty, _ value: Any) -> StoredValue? {
    if let unconverted = UnconvertedValue.exact(value) { return unconverted.scalar(property.kind) }
    return Value._rlmCoerce(value)?._rlmStoredScalar
  }

  static func bind(_ property: ClassProperty, _ base: UnsafeMutableRawPointer, _ column: Int) {
    // Linking objects keep the name of the property that they come from.
    Value._rlmMakeView(base + property.offset, column, keepsValue: !property.isStored)
    if property.isPrimaryKey { markPrimaryKey(base + property.offset) }
  }

  /// Lets the property of a managed object refuse changes, also where `primaryKey()` declares it.
  private static func markPrimaryKey(_ storage: UnsafeMutableRawPointer) {
    storage.assumingMemoryBound(to: Persisted<Value>.self).pointee.attributes |=
      PersistedAttributes.primaryKey
  }

  static func reset(_ property: ClassProperty, _ base: UnsafeMutableRawPointer) {
    (base + property.offset).assumingMemoryBound(to: Persisted<Value>.self).pointee.value = nil
  }

  static var keepsInstance: Bool { Value._rlmKeepsInstance }

  static func hash(_ property: ClassProperty, _ object: ObjectBase) -> Int {
    if let stored = unconverted(property, object) {
      return UnconvertedValue(stored).scalar(property.kind).hashValue
    }
    return (value(property, object)._rlmStoredScalar ?? .null).hashValue
  }
}
