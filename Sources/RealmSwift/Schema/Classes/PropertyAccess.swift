import Storage

/// How the values of properties are read and written, in the objects of Swift classes and in dynamic ones.
///
/// All functions belong to the type, which is passed around as such: no references to it are counted, whatever is done
/// for each property of each object.
protocol PropertyAccess {
  /// The Swift type of the property; nil for dynamic objects.
  static var valueType: Any.Type? { get }
  /// The Swift type of a collection's elements, or of a map's values.
  static func elementType(_ property: ClassProperty) -> (any RealmCollectionValue.Type)?
  /// Whether a map can have a key.
  static func acceptsKey(_ key: String) -> Bool
  /// The largest number that an integer property can have.
  static var largestNumber: Int64? { get }
  /// The value for key-value coding, of a managed or unmanaged object.
  static func dynamicValue(_ property: ClassProperty, _ object: ObjectBase) -> Any?
  /// The value for key-value coding when the Swift type has none for what is stored; otherwise nil.
  static func unconverted(_ property: ClassProperty, _ object: ObjectBase) -> Any?
  /// The value itself, as its Swift type, or an `UnconvertedValue`.
  static func typedValue(_ property: ClassProperty, _ object: ObjectBase) -> Any
  /// Sets the property of a managed or unmanaged object from a value of any type. False when it does not fit.
  static func assign(_ property: ClassProperty, _ object: ObjectBase, _ value: Any) -> Bool
  /// Writes a property of a managed object whose access has been checked, except for an equal value if `skipsEqual`.
  static func write(
    _ property: ClassProperty, _ object: ObjectBase, _ column: Int, _ value: Any, skipsEqual: Bool
  ) -> Bool
  /// Writes the value of an object in memory to the row that the object has been given, and makes the property
  /// a view of it. `isNew` says that nothing was written to the row before.
  static func manage(
    _ property: ClassProperty, _ object: ObjectBase, _ column: Int, isNew: Bool, skipsEqual: Bool)
  /// The value of an object in memory in its stored form; nil for links and collections.
  static func storedScalar(_ property: ClassProperty, _ object: ObjectBase) -> StoredValue?
  /// Converts a value of any type to the stored form; nil when it does not fit or is no scalar.
  static func coerceScalar(_ property: ClassProperty, _ value: Any) -> StoredValue?
  /// Makes the property in fresh memory a view of a column, dropping any default.
  static func bind(_ property: ClassProperty, _ base: UnsafeMutableRawPointer, _ column: Int)
  /// Drops the collection that a managed object keeps.
  static func reset(_ property: ClassProperty, _ base: UnsafeMutableRawPointer)
  /// Whether managed objects keep an instance in memory (collections).
  static var keepsInstance: Bool { get }
  static func hash(_ property: ClassProperty, _ object: ObjectBase) -> Int
}

extension ClassProperty {
  var elementType: (any RealmCollectionValue.Type)? { access.elementType(self) }
  func acceptsKey(_ key: String) -> Bool { access.acceptsKey(key) }
  /// The largest number that an integer property can have; nil for other types.
  var largestNumber: Int64? {
    kind.type == .int && kind.collection == .none ? access.largestNumber : nil
  }
  var keepsInstance: Bool { access.keepsInstance }

  func dynamicValue(_ object: ObjectBase) -> Any? { access.dynamicValue(self, object) }
  func unconverted(_ object: ObjectBase) -> Any? { access.unconverted(self, object) }
  func typedValue(_ object: ObjectBase) -> Any { access.typedValue(self, object) }
  func hash(_ object: ObjectBase) -> Int { access.hash(self, object) }
  func storedScalar(_ object: ObjectBase) -> StoredValue? { access.storedScalar(self, object) }
  func coerceScalar(_ value: Any) -> StoredValue? { access.coerceScalar(self, value) }

  func assign(_ object: ObjectBase, _ value: Any) -> Bool { access.assign(self, object, value) }
  func write(_ object: ObjectBase, _ column: Int, _ value: Any, skipsEqual: Bool) -> Bool {
    access.write(self, object, column, value, skipsEqual: skipsEqual)
  }
  func manage(_ object: ObjectBase, _ column: Int, isNew: Bool, skipsEqual: Bool) {
    access.manage(self, object, column, isNew: isNew, skipsEqual: skipsEqual)
  }

  func bind(_ base: UnsafeMutableRawPointer, _ column: Int) { access.bind(self, base, column) }
  func reset(_ base: UnsafeMutableRawPointer) { access.reset(self, base) }
}
