import Foundation
import Storage

/// A property that is known only by its column.
final class UntypedProperty: ClassProperty {
  private let column: Int
  private let type: ValueType

  init(name: String, column: Int, description: Column, kind: _PropertyKind) {
    self.column = column
    type = description.type
    var attributes = DeleteRule(description.linkRule).attribute | PersistedAttributes.choosesIncrement
    if description.isIndexed { attributes |= PersistedAttributes.indexed }
    if description.isPrimaryKey { attributes |= PersistedAttributes.primaryKey }
    if description.isFullText { attributes |= PersistedAttributes.fullText }
    if description.isSequence { attributes |= PersistedAttributes.autoIncrement }
    attributes |= PersistedAttributes.choosesUnique
    if description.isUnique { attributes |= PersistedAttributes.unique }
    super.init(
      name: name, columnName: description.name, kind: kind, attributes: attributes, originProperty: nil,
      offset: 0)
  }

  override var elementType: (any RealmCollectionValue.Type)? {
    let isOptional = kind.isOptional
    return switch type {
    case .int: isOptional ? Int?.self : Int.self
    case .bool: isOptional ? Bool?.self : Bool.self
    case .string: isOptional ? String?.self : String.self
    case .data: isOptional ? Data?.self : Data.self
    case .date: isOptional ? Date?.self : Date.self
    case .float: isOptional ? Float?.self : Float.self
    case .double: isOptional ? Double?.self : Double.self
    case .link: isOptional ? DynamicObject?.self : DynamicObject.self
    case .mixed: AnyRealmValue.self
    case .objectId: isOptional ? ObjectId?.self : ObjectId.self
    case .decimal128: isOptional ? Decimal128?.self : Decimal128.self
    case .uuid: isOptional ? UUID?.self : UUID.self
    }
  }

  // MARK: Reading

  override func dynamicValue(_ object: ObjectBase) -> Any? {
    object._checkRead(Int32(column))
    let realm = object._realm.unsafelyUnwrapped
    let table = object._table
    if kind.collection != .none { return elementType.map { collection($0, object) } }
    switch type {
    case .link:
      let target = realm.snapshot.catalogue.tables[table.number].columns[column].target
      return table.link(column, object._row).map { row in
        // An object of the program's class, where there is one and it fits the file.
        (realm.migration == nil ? realm.classTable(number: target) : realm.dynamicClassTable(target))
          .accessor(row)
      }
    case .mixed: return AnyRealmValue._rlmRead(object, column)._rlmDynamicValue
    default: return table.value(column, object._row).scalarValue
    }
  }

  private func collection<Element: RealmCollectionValue>(_: Element.Type, _ object: ObjectBase) -> Any {
    switch kind.collection {
    case .set: MutableSet<Element>._rlmRead(object, column)
    case .map: Map<String, Element>._rlmRead(object, column)
    default: List<Element>._rlmRead(object, column)
    }
  }

  override func typedValue(_ object: ObjectBase) -> Any { dynamicValue(object) as Any }

  // MARK: Writing

  override func assign(_ object: ObjectBase, _ value: Any) -> Bool {
    object._checkWrite()
    let realm = object._realm.unsafelyUnwrapped
    if isPrimaryKey {
      guard let migration = realm.migration else {
        trap("Primary key can't be changed to '\(value)' after an object is inserted.")
      }
      migration.tablesWithChangedKeys.insert(object._table.number)
    }
    if type == .link, kind.collection == .none, let value = Coercion.unwrap(value),
      let linked = Coercion.object(value)
    {
      object.writeLink(column, linked)
    } else {
      var creation = ObjectCreation(realm: realm, policy: .error)
      creation.write(
        object, realm.dynamicClassTable(object._table.number), self, column, value, isNew: false)
    }
    return true
  }

  override func write(_ object: ObjectBase, _ column: Int, _ value: Any, skipsEqual: Bool) -> Bool {
    guard let stored = coerceScalar(value) else { return false }
    if !skipsEqual || !stored.isExactly(object._table.value(column, object._row)) {
      object._table.setValue(column, object._row, stored)
    }
    return true
  }

  /// Writes what a new row has where no value is given: null, or what a declaration without a value has.
  override func manage(_ object: ObjectBase, _ column: Int, isNew: Bool, skipsEqual: Bool) {
    if kind.collection != .none || type == .link || type == .mixed { return }
    guard let value = defaultValue else { trap(ValueError.missingValue(self, object.classSchema)) }
    object._table.setValue(column, object._row, value)
  }

  /// Keys that would all be the same are no good.
  private var defaultValue: StoredValue? {
    if kind.isOptional { return .null }
    if isPrimaryKey && type != .objectId && type != .uuid { return nil }
    return (elementType as? any _Persistable.Type)?.storedDefault
  }

  override func coerceScalar(_ value: Any) -> StoredValue? {
    guard let value = Coercion.unwrap(value) else { return kind.isOptional ? .null : nil }
    return Coercion.scalar(value, kind.type)
  }

  override func storedScalar(_ object: ObjectBase) -> StoredValue? { defaultValue }

  // MARK: Dynamic objects keep nothing in memory

  override func bind(_ base: UnsafeMutableRawPointer, _ column: Int) {}
  override func reset(_ base: UnsafeMutableRawPointer) {}
  override var keepsInstance: Bool { false }
  override func hash(_ object: ObjectBase) -> Int { object._table.value(column, object._row).hashValue }
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
  var scalarValue: Any? {
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
