import Foundation
import Storage

extension ClassProperty {
  /// A property that is known only by its column.
  convenience init(name: String, column: Int, description: Column, kind: _PropertyKind) {
    var attributes = DeleteRule(description.linkRule).attribute | PersistedAttributes.choosesIncrement
    if description.isIndexed { attributes |= PersistedAttributes.indexed }
    if description.isPrimaryKey { attributes |= PersistedAttributes.primaryKey }
    if description.isFullText { attributes |= PersistedAttributes.fullText }
    if description.isSequence { attributes |= PersistedAttributes.autoIncrement }
    attributes |= PersistedAttributes.choosesUnique
    if description.isUnique { attributes |= PersistedAttributes.unique }
    self.init(
      name: name, columnName: description.name, kind: kind, attributes: attributes, originProperty: nil,
      column: column, access: DynamicPropertyAccess.self)
  }

  /// A property of the program's class with the objects that link to its own, as dynamic objects.
  convenience init(linkingObjects property: ClassProperty) {
    self.init(
      name: property.name, columnName: property.columnName, kind: property.kind, attributes: 0,
      originProperty: property.originProperty, access: DynamicPropertyAccess.self)
  }
}

/// Properties of dynamic objects: those of a table, which are known by their columns; linking objects; and those of described
/// classes, which no object has before they are in a table.
enum DynamicPropertyAccess: PropertyAccess {
  static var valueType: Any.Type? { nil }
  static func acceptsKey(_ key: String) -> Bool { true }
  static var largestNumber: Int64? { .max }

  static func elementType(_ property: ClassProperty) -> (any RealmCollectionValue.Type)? {
    let isOptional = property.kind.isOptional
    return switch property.kind.type {
    case .int: isOptional ? Int?.self : Int.self
    case .bool: isOptional ? Bool?.self : Bool.self
    case .string: isOptional ? String?.self : String.self
    case .data: isOptional ? Data?.self : Data.self
    case .date: isOptional ? Date?.self : Date.self
    case .float: isOptional ? Float?.self : Float.self
    case .double: isOptional ? Double?.self : Double.self
    case .object: isOptional ? DynamicObject?.self : DynamicObject.self
    case .any: AnyRealmValue.self
    case .objectId: isOptional ? ObjectId?.self : ObjectId.self
    case .decimal128: isOptional ? Decimal128?.self : Decimal128.self
    case .UUID: isOptional ? UUID?.self : UUID.self
    case .linkingObjects: nil
    }
  }

  // MARK: Reading

  static func dynamicValue(_ property: ClassProperty, _ object: ObjectBase) -> Any? {
    guard let column = property.column else {
      precondition(!property.isStored, "It is in no table.")
      return linkingObjects(property, object)
    }
    object._checkRead(Int32(column))
    let realm = object._realm.unsafelyUnwrapped
    let table = object._table
    if property.kind.collection != .none {
      return elementType(property).map { collection($0, property.kind.collection, object, column) }
    }
    switch property.kind.type {
    case .object:
      let target = realm.snapshot.catalogue.tables[table.number].columns[column].target
      return table.link(column, object._row).map { row in
        // An object of the program's class, where there is one and it fits the file.
        (realm.migration == nil ? realm.classTable(number: target) : realm.dynamicClassTable(target))
          .accessor(row)
      }
    case .any:
      let value = AnyRealmValue._rlmRead(object, column)
      return value.dynamicObject ?? value._rlmDynamicValue
    default: return table.value(column, object._row).scalarValue
    }
  }

  private static func collection<Element: RealmCollectionValue>(
    _: Element.Type, _ type: CollectionType, _ object: ObjectBase, _ column: Int
  ) -> Any {
    switch type {
    case .set: MutableSet<Element>._rlmRead(object, column)
    case .map: Map<String, Element>._rlmRead(object, column)
    default: List<Element>._rlmRead(object, column)
    }
  }

  private static func linkingObjects(_ property: ClassProperty, _ object: ObjectBase) -> Any? {
    object._checkAccess()
    let realm = object._realm.unsafelyUnwrapped
    return realm.linkOrigin(of: property).map { origin in
      LinkingObjects<DynamicObject>(
        LinkTarget(object, origin: realm.dynamicClassTable(origin.table), column: origin.column),
        originProperty: property.originProperty ?? "")
    }
  }

  static func unconverted(_ property: ClassProperty, _ object: ObjectBase) -> Any? { nil }

  static func typedValue(_ property: ClassProperty, _ object: ObjectBase) -> Any {
    dynamicValue(property, object) as Any
  }

  // MARK: Writing

  static func assign(_ property: ClassProperty, _ object: ObjectBase, _ value: Any) -> Bool {
    guard let column = property.column else { return false }
    object._checkWrite()
    let realm = object._realm.unsafelyUnwrapped
    if property.isPrimaryKey {
      guard let migration = realm.migration else {
        trap("Primary key can't be changed to '\(value)' after an object is inserted.")
      }
      migration.tablesWithChangedKeys.insert(object._table.number)
    }
    if property.kind.type == .object, property.kind.collection == .none, let value = Coercion.unwrap(value),
      let linked = Coercion.object(value)
    {
      object.writeLink(column, linked)
    } else {
      var creation = ObjectCreation(realm: realm, policy: .error)
      creation.write(
        object, realm.dynamicClassTable(object._table.number), property, column, value, isNew: false)
    }
    return true
  }

  static func write(
    _ property: ClassProperty, _ object: ObjectBase, _ column: Int, _ value: Any, skipsEqual: Bool
  ) -> Bool {
    guard let stored = coerceScalar(property, value) else { return false }
    if !skipsEqual || !stored.isExactly(object._table.value(column, object._row)) {
      object._table.setValue(column, object._row, stored)
    }
    return true
  }

  /// Writes what a new row has where no value is given: null, or what a declaration without a value has.
  static func manage(
    _ property: ClassProperty, _ object: ObjectBase, _ column: Int, isNew: Bool, skipsEqual: Bool
  ) {
    if !property.isSingleScalar { return }
    guard let value = storedScalar(property, object) else {
      trap(ValueError.missingValue(property, object.classSchema))
    }
    object._table.setValue(column, object._row, value)
  }

  /// What a new row has. Keys that would all be the same are no good.
  static func storedScalar(_ property: ClassProperty, _ object: ObjectBase) -> StoredValue? {
    if property.kind.isOptional { return .null }
    let type = property.kind.type
    if property.isPrimaryKey && type != .objectId && type != .UUID { return nil }
    return (elementType(property) as? any _Persistable.Type)?.storedDefault
  }

  static func coerceScalar(_ property: ClassProperty, _ value: Any) -> StoredValue? {
    guard let value = Coercion.unwrap(value) else { return property.kind.isOptional ? .null : nil }
    return Coercion.scalar(value, property.kind.type)
      ?? Coercion.persisted(value).flatMap { coerceScalar(property, $0) }
  }

  // MARK: Dynamic objects keep nothing in memory

  static func bind(_ property: ClassProperty, _ base: UnsafeMutableRawPointer, _ column: Int) {}
  static func reset(_ property: ClassProperty, _ base: UnsafeMutableRawPointer) {}
  static var keepsInstance: Bool { false }
  static func hash(_ property: ClassProperty, _ object: ObjectBase) -> Int {
    property.column.map { object._table.value($0, object._row).hashValue } ?? 0
  }
}

extension ObjectBase {
  /// Points a link of a managed object to another object, which is added when it is in memory.
  fileprivate func writeLink(_ column: Int, _ value: ObjectBase) {
    let realm = _realm.unsafelyUnwrapped
    let target = realm.linkTarget(_table, column)
    if target.isEmbedded && value._isManaged {
      if value._realm === realm && value._row == _table.link(column, _row) { return }
      trap("Can't set link to existing managed embedded object")
    }
    _table.setLink(column, _row, realm.rowForLink(to: value, target))
  }
}

extension _Persistable {
  fileprivate static var storedDefault: StoredValue? { _rlmDefaultValue()._rlmStoredScalar }
}

extension StoredValue {
  /// The value as a property of its type has it; nil for null, links and nested collections.
  package var scalarValue: (any Sendable)? {
    switch self {
    case .null, .link, .list, .dictionary: nil
    case .int(let number): Int(number)
    case .bool(let flag): flag
    case .float(let number): number
    case .double(let number): number
    case .string(let text): text
    case .data(let bytes): Data(bytes)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .objectId(let id): ObjectId(id)
    case .uuid(let fixed): UUID(fixed)
    case .decimal128(let fixed): Decimal128(fixed)
    }
  }
}
