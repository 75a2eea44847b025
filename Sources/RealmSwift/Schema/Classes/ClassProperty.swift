import Foundation
import Storage

/// One property of a model class, with access to it in any object of the class.
///
/// Subclasses know the property's Swift type; here it is hidden, so that objects can be added, created and
/// described property by property. A class and no protocol, since tables hold their properties without counting
/// references, which takes an `Unmanaged`.
class ClassProperty {
  let name: String
  let columnName: String
  let kind: _PropertyKind
  let isPrimaryKey: Bool
  private(set) var isIndexed: Bool
  /// Whether the class says that no two objects have the same value, or that they may; nil when it says nothing.
  private(set) var choosesUnique: Bool?
  /// Whether the words of the text are indexed.
  let isFullText: Bool
  /// Whether the class says that the file numbers the property, or that it does not; nil when it says nothing.
  let choosesIncrement: Bool?
  /// What the class says of deletions; nil when it says nothing.
  let deleteRule: LinkRule?
  /// For linking objects, the property of the other class.
  let originProperty: String?
  /// Where the property lies in an object, in bytes from its address.
  let offset: Int

  init(
    name: String, columnName: String, kind: _PropertyKind, attributes: UInt16, originProperty: String?,
    offset: Int
  ) {
    self.name = name
    self.columnName = columnName
    var kind = kind
    kind.isOptional = kind.isNullable
    self.kind = kind
    isPrimaryKey = attributes & PersistedAttributes.primaryKey != 0
    isIndexed = attributes & PersistedAttributes.indexed != 0 || isPrimaryKey
    isFullText = attributes & PersistedAttributes.fullText != 0
    choosesIncrement =
      attributes & PersistedAttributes.choosesIncrement == 0
      ? nil : attributes & PersistedAttributes.autoIncrement != 0
    choosesUnique =
      attributes & PersistedAttributes.choosesUnique == 0
      ? nil : attributes & PersistedAttributes.unique != 0
    deleteRule = PersistedAttributes.deleteRule(attributes)
    self.originProperty = originProperty
    self.offset = offset
    isSingleScalar = kind.collection == .none && kind.type != .object && kind.type != .any
  }

  /// What the class says of the property in its list of indexes. Before the class is known to others.
  func addIndex(isUnique: Bool) {
    if isUnique { choosesUnique = true } else { isIndexed = true }
  }

  /// The Swift type of a collection's elements, or of a map's values.
  var elementType: (any RealmCollectionValue.Type)? { nil }

  /// The largest number that an integer property can have; nil for other types.
  var largestNumber: Int64? { kind.type == .int && kind.collection == .none ? .max : nil }

  /// Whether the property has a column.
  var isStored: Bool { kind.type != .linkingObjects }
  /// Whether it holds one value that is neither a link nor a mixed one.
  let isSingleScalar: Bool

  /// The value for key-value coding, of a managed or unmanaged object.
  func dynamicValue(_ object: ObjectBase) -> Any? { fatalError("overridden") }
  /// The value itself, as its Swift type.
  func typedValue(_ object: ObjectBase) -> Any { fatalError("overridden") }
  /// Sets the property of a managed or unmanaged object from a value of any type. False when it does not fit.
  func assign(_ object: ObjectBase, _ value: Any) -> Bool { fatalError("overridden") }
  /// The same for a managed object whose access has been checked, leaving equal values alone when `skipsEqual`.
  func write(_ object: ObjectBase, _ column: Int, _ value: Any, skipsEqual: Bool) -> Bool {
    fatalError("overridden")
  }
  /// Writes the value of an object in memory to the row that the object has been given, and makes the property
  /// a view of it. `isNew` says that nothing was written to the row before.
  func manage(_ object: ObjectBase, _ column: Int, isNew: Bool, skipsEqual: Bool) { fatalError("overridden") }
  /// The value of an object in memory in its stored form; nil for links and collections.
  func storedScalar(_ object: ObjectBase) -> StoredValue? { fatalError("overridden") }
  /// Converts a value of any type to the stored form; nil when it does not fit or is no scalar.
  func coerceScalar(_ value: Any) -> StoredValue? { fatalError("overridden") }
  /// Makes the property in fresh memory a view of a column, dropping any default.
  func bind(_ base: UnsafeMutableRawPointer, _ column: Int) { fatalError("overridden") }
  /// Drops the collection that a managed object keeps.
  func reset(_ base: UnsafeMutableRawPointer) { fatalError("overridden") }
  /// Whether managed objects keep an instance in memory (collections).
  var keepsInstance: Bool { fatalError("overridden") }
  func hash(_ object: ObjectBase) -> Int { fatalError("overridden") }
}

/// A property declared with `@Persisted`.
final class PersistedProperty<Value: _Persistable>: ClassProperty {
  @inline(__always)
  private func storage(_ object: ObjectBase) -> UnsafeMutablePointer<Persisted<Value>> {
    (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: Persisted<Value>.self)
  }

  private func value(_ object: ObjectBase) -> Value {
    let storage = storage(object)
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

  override var elementType: (any RealmCollectionValue.Type)? {
    (Value.self as? any CollectionProperty.Type)?.elementType
  }

  override var largestNumber: Int64? {
    (Value.PersistedType.self as? any NumberedKey.Type)?.largestNumber
  }

  override func typedValue(_ object: ObjectBase) -> Any { value(object) }
  override func dynamicValue(_ object: ObjectBase) -> Any? { value(object)._rlmDynamicValue }

  override func assign(_ object: ObjectBase, _ value: Any) -> Bool {
    let storage = storage(object)
    if storage.pointee.column >= 0 {
      object._checkWrite()
      if isPrimaryKey {
        trap("Primary key can't be changed to '\(value)' after an object is inserted.")
      }
      return write(object, Int(storage.pointee.column), value, skipsEqual: false)
    }
    guard let converted = Value._rlmCoerce(value) else { return false }
    if Value._rlmKeepsInstance {
      Value._rlmAssign(converted, to: storage.pointee.unmanagedValue(object))
    } else {
      storage.pointee.value = converted
    }
    return true
  }

  override func write(_ object: ObjectBase, _ column: Int, _ value: Any, skipsEqual: Bool) -> Bool {
    Value._rlmWriteAny(object, column, value, skipsEqual: skipsEqual)
  }

  override func manage(_ object: ObjectBase, _ column: Int, isNew: Bool, skipsEqual: Bool) {
    let storage = Unmanaged.passUnretained(object).toOpaque() + offset
    Value._rlmManage(storage, object, column, isNew: isNew, skipsEqual: skipsEqual)
  }

  override func storedScalar(_ object: ObjectBase) -> StoredValue? {
    Value._rlmStoredScalar(at: Unmanaged.passUnretained(object).toOpaque() + offset, object)
  }

  override func coerceScalar(_ value: Any) -> StoredValue? {
    Value._rlmCoerce(value)?._rlmStoredScalar
  }

  override func bind(_ base: UnsafeMutableRawPointer, _ column: Int) {
    let storage = (base + offset).assumingMemoryBound(to: Persisted<Value>.self)
    storage.pointee.column = Int32(column)
    // Linking objects keep the name of the property that they come from.
    if isStored { storage.pointee.value = nil }
  }

  override func reset(_ base: UnsafeMutableRawPointer) {
    (base + offset).assumingMemoryBound(to: Persisted<Value>.self).pointee.value = nil
  }

  override var keepsInstance: Bool { Value._rlmKeepsInstance }

  override func hash(_ object: ObjectBase) -> Int {
    (value(object)._rlmStoredScalar ?? .null).hashValue
  }
}

/// A `Persisted` of any type, for discovery.
protocol AnyPersisted {
  static func makeProperty(
    name: String, columnName: String, offset: Int, in object: ObjectBase
  ) -> ClassProperty
  /// Whether the property can hold objects or collections that are in memory.
  static var mayHoldReferences: Bool { get }
  /// Takes the object or collection out of a property in memory.
  static func takeReference(at storage: UnsafeMutableRawPointer) -> AnyObject?
}

extension Persisted: AnyPersisted {
  static func makeProperty(
    name: String, columnName: String, offset: Int, in object: ObjectBase
  ) -> ClassProperty {
    let storage = (Unmanaged.passUnretained(object).toOpaque() + offset)
      .assumingMemoryBound(to: Persisted<Value>.self)
    return PersistedProperty<Value>(
      name: name, columnName: columnName, kind: Value._rlmKind, attributes: storage.pointee.attributes,
      originProperty: (storage.pointee.value as? any LinkingObjectsProtocol)?.originProperty, offset: offset)
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
