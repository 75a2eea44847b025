import Foundation
import Storage

/// A property wrapper that declares a stored property of a model class.
///
/// ```swift
/// @Persisted(primaryKey: true) var id: ObjectId
/// @Persisted(indexed: true) var licence: String
/// @Persisted var languages: MutableSet<String>
/// @Persisted var firstSeason = 2026
/// @Persisted var home: Hut?
/// @Persisted(fullText: true) var biography: String
/// ```
///
/// A property without a default value in the declaration has the default of its type: nil, 0, false, an empty
/// string or collection, the current date, a new `ObjectId` or `UUID`.
@propertyWrapper
public struct Persisted<Value> {
  /// The number of the column once the object is managed.
  @usableFromInline var column: Int32 = -1
  @usableFromInline var attributes: UInt16 = 0
  /// The value of an unmanaged object; nil until it is first asked for. Managed objects keep only collections.
  @usableFromInline var value: Value?

  /// Not available: the type cannot be stored. `UnsupportedTypes.swift` has messages for common types.
  @available(
    *, unavailable,
    message:
      "This type cannot be stored. Use a class derived from EmbeddedObject, a type that conforms to CustomPersistable, or an enumeration with raw values that conforms to PersistableEnum."
  )
  public init() { fatalError() }

  /// Not available: the type cannot be stored.
  @available(
    *, unavailable,
    message:
      "This type cannot be stored. Use a class derived from EmbeddedObject, a type that conforms to CustomPersistable, or an enumeration with raw values that conforms to PersistableEnum."
  )
  public init(wrappedValue: Value) { fatalError() }

  /// Not to be used: properties are read and written through their object.
  @available(*, unavailable, message: "@Persisted can only be used as a property on a Realm object")
  public var wrappedValue: Value {
    get { fatalError() }
    set { fatalError() }
  }

  /// For the compiler: reads and writes the property in the object's row, or in memory.
  @inlinable @inline(__always)
  public static subscript<EnclosingSelf: ObjectBase>(
    _enclosingInstance object: EnclosingSelf,
    wrapped _: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storage: ReferenceWritableKeyPath<EnclosingSelf, Persisted<Value>>
  ) -> Value where Value: _Persistable {
    get {
      let column = object[keyPath: storage].column
      if column >= 0 {
        if Value._rlmKeepsInstance {
          object._checkCollectionRead(column)
          if object._isShared { return object[keyPath: storage].sharedInstance(object) }
          // If the instance exists already, reading it without a mutating call needs no check of exclusive access.
          if let value = object[keyPath: storage].value {
            guard let view = value._rlmManaged(by: object) else { return value }
            object[keyPath: storage].value = view
            return view
          }
          return object[keyPath: storage].managedInstance(object)
        }
        object._checkRead(column)
        return Value._rlmRead(object, Int(column))
      }
      // Each access to the property ends before anything else is called, so that the compiler can leave out the check of
      // exclusive access, which took a sixth of the time of a read.
      if let value = object[keyPath: storage].value { return value }
      let made: Value = _madeValue(object, column)
      if column == -1 { object[keyPath: storage].value = made }
      return made
    }
    set {
      let column = object[keyPath: storage].column
      if column >= 0 {
        object._checkWrite()
        if object[keyPath: storage].attributes & PersistedAttributes.primaryKey != 0 {
          _primaryKeyChanged(object)
        }
        Value._rlmWrite(object, Int(column), newValue)
      } else if Value._rlmKeepsInstance {
        // Collections stay the same instance; their content is replaced.
        Value._rlmAssign(newValue, to: object[keyPath: storage].unmanagedValue(object))
      } else {
        object[keyPath: storage].value = newValue
      }
    }
  }
}

// The type itself has no constraint, so that the compiler reports a property of another type with the message of an
// unavailable initialiser.
extension Persisted where Value: _Persistable {
  /// Declares a property with the default value of its type.
  @inlinable public init() { value = nil }

  /// Declares a property with a default value.
  @inlinable public init(wrappedValue: Value) { value = wrappedValue }

  /// The value in memory, made when it is first asked for.
  @inlinable
  mutating func unmanagedValue(_ object: ObjectBase) -> Value {
    if let value { return value }
    let made: Value = _madeValue(object, column)
    if column == -1 { value = made }
    return made
  }

  /// The collection of a frozen object, which keeps nothing because several threads may read it at once.
  @inlinable
  func sharedInstance(_ object: ObjectBase) -> Value {
    value?._rlmManaged(by: object) ?? Value._rlmRead(object, Int(column))
  }

  /// The collection of a managed object, always the same instance.
  @inlinable
  mutating func managedInstance(_ object: ObjectBase) -> Value {
    if let value {
      guard let view = value._rlmManaged(by: object) else { return value }
      self.value = view
      return view
    }
    let made = Value._rlmRead(object, Int(column))
    value = made
    return made
  }
}

extension Persisted where Value: _Persistable, Value.PersistedType: _Indexable {
  /// Declares an indexed property, which speeds up queries for its values.
  @inlinable public init(indexed: Bool) {
    value = nil
    if indexed { attributes = PersistedAttributes.indexed }
  }

  /// Declares a property with a default value, indexed or not.
  @inlinable public init(wrappedValue: Value, indexed: Bool) {
    value = wrappedValue
    if indexed { attributes = PersistedAttributes.indexed }
  }
}

extension Persisted where Value: _Persistable, Value.PersistedType: _PrimaryKey {
  /// Declares the primary key, whose value identifies an object of the class.
  @inlinable public init(primaryKey: Bool) {
    value = nil
    if primaryKey { attributes = PersistedAttributes.primaryKey }
  }

  /// Declares a primary key with a default value.
  @inlinable public init(wrappedValue: Value, primaryKey: Bool) {
    value = wrappedValue
    if primaryKey { attributes = PersistedAttributes.primaryKey }
  }
}

extension Persisted where Value: _Persistable, Value.PersistedType: _FullTextSearchable {
  /// Declares a string with a full-text index: `$0.biography.fullTextSearch("wolf*")`.
  ///
  /// The file keeps an index of the words, which is updated with each change of the string. Adding or
  /// removing the attribute needs no new schema version.
  @inlinable public init(fullText: Bool) {
    value = nil
    if fullText { attributes = PersistedAttributes.fullText }
  }

  /// Declares a property with a default value, with a full-text index or without.
  @inlinable public init(wrappedValue: Value, fullText: Bool) {
    value = wrappedValue
    if fullText { attributes = PersistedAttributes.fullText }
  }

  /// Declares a string that has an index of its whole value, a full-text index, or both.
  @inlinable public init(indexed: Bool, fullText: Bool) {
    self.init(fullText: fullText)
    if indexed { attributes |= PersistedAttributes.indexed }
  }

  /// Declares a property with a default value and the requested indexes.
  @inlinable public init(wrappedValue: Value, indexed: Bool, fullText: Bool) {
    self.init(wrappedValue: wrappedValue, fullText: fullText)
    if indexed { attributes |= PersistedAttributes.indexed }
  }
}

extension Persisted where Value: LinkingObjectsProtocol {
  /// Declares the objects that link to this object through one of their properties.
  public init(originProperty: String) {
    value = Value(fromType: Value.Element.self, property: originProperty)
  }
}

@usableFromInline @inline(never)
func _primaryKeyChanged(_ object: ObjectBase) {
  trap(.primaryKeyChanged)
}

/// The first value of a property of an unmanaged object, to be kept; for a recorder, which keeps none, what stands for it.
///
/// No method of `Persisted`: for that a program would need the type's metadata, and the runtime would look through the
/// conformances of all libraries when a key path is first recorded.
@usableFromInline @inline(never)
func _madeValue<Value: _Persistable>(_ object: ObjectBase, _ column: Int32) -> Value {
  if column < -1 {
    if let unconverted = UnconvertedValue.kept(in: object, column) { return Value.converted(unconverted) }
    KeyPathRecorder.note(object, column: column)
    return Value._rlmRecorder()
  }
  return Value._rlmDefaultValue()
}
