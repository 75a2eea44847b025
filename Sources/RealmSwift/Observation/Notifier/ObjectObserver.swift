import Storage

/// Observes one object. What it costs depends on what a transaction changed, not on how many objects there are.
final class ObjectObserver: Observer {
  private let realm: RealmCore
  private let object: ObjectBase
  private let keyPaths: ObservedKeyPaths
  private let block: ([PropertyChange]?) -> Void
  private let table: Table
  private let row: Int
  private let classTable: ClassTable
  /// The values of single-valued properties, for changes that others make.
  private var values: [Int: Any] = [:]

  /// - Parameter block: Called with what has changed; nil when the object was deleted.
  init(
    _ object: ObjectBase, _ realm: RealmCore, _ keyPaths: ObservedKeyPaths,
    _ block: @escaping ([PropertyChange]?) -> Void
  ) {
    self.realm = realm
    self.object = object
    self.keyPaths = keyPaths
    self.block = block
    table = object._table
    row = object._row
    classTable =
      object is DynamicObject ? realm.dynamicClassTable(table.number) : realm.classTable(number: table.number)
    values = currentValues()
  }

  private func isObserved(_ name: String) -> Bool {
    switch keyPaths {
    case .everything: true
    case .paths(let paths): paths.contains { $0.property == name }
    }
  }

  private func currentValues() -> [Int: Any] {
    var values: [Int: Any] = [:]
    for (property, column) in zip(classTable.schema.properties, classTable.columns)
    where column >= 0 && property.kind.collection == .none && isObserved(property.name) {
      values[column] = property.dynamicValue(object)
    }
    return values
  }

  func update(_ context: ChangeContext) -> ObserverCall? {
    guard table.isAlive(row), !realm.isRetired(table) else {
      return ObserverCall(isLast: true) { [block] in block(nil) }
    }
    let written = changedProperties(context)
    if written.isEmpty { return nil }
    var changes: [PropertyChange] = []
    for (index, property) in classTable.schema.properties.enumerated() where written.contains(property.name) {
      let column = classTable.columns[index]
      if property.kind.collection != .none {
        changes.append(PropertyChange(name: property.name, oldValue: nil, newValue: nil))
        continue
      }
      let new = property.dynamicValue(object)
      let old = values.updateOrRemove(new, forKey: column)
      changes.append(
        PropertyChange(name: property.name, oldValue: context.isLocal ? nil : old, newValue: new))
    }
    for property in classTable.schema.computedProperties
    where written.contains(property.name) {
      changes.append(PropertyChange(name: property.name, oldValue: nil, newValue: nil))
    }
    return ObserverCall { [block] in block(changes) }
  }

  /// The names of the properties that were written or show other linking objects, or behind which something on
  /// a key path has changed.
  private func changedProperties(_ context: ChangeContext) -> Set<String> {
    var names: Set<String> = []
    switch keyPaths {
    case .everything:
      if let changes = context.changes.tables[table.number] {
        for (property, column) in zip(classTable.schema.properties, classTable.columns)
        where changes.modified[column]?.contains(row) == true {
          names.insert(property.name)
        }
      }
      for property in classTable.schema.computedProperties {
        guard let origin = realm.linkOrigin(of: property) else { continue }
        let rows = context.relinkedRows(table: table.number, origin: origin.table, column: origin.column)
        if rows.contains(row) { names.insert(property.name) }
      }
    case .paths(let paths):
      for path in paths where context.rowsModified(along: path, table: table.number).contains(row) {
        names.insert(path.property)
      }
    }
    return names
  }
}

extension Dictionary {
  /// Sets a value, or removes it when it is nil. Returns the old one.
  fileprivate mutating func updateOrRemove(_ value: Value?, forKey key: Key) -> Value? {
    if let value { return updateValue(value, forKey: key) }
    return removeValue(forKey: key)
  }
}
