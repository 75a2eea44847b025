import Storage

/// Observes one object. What it costs depends on what a transaction changed, not on how many objects there are.
final class ObjectObserver: Observer, @unchecked Sendable {
  private let object: ObjectBase
  private let keyPaths: ObservedKeyPaths
  private let block: ([PropertyChange]?) -> Void
  private let table: Table
  private let row: Int
  private let classTable: ClassTable
  /// The values of single-valued properties, for changes that others make.
  private var values: [Int: Any] = [:]
  /// The rows that linking-objects properties show.
  private var backlinks: [[Int]] = []

  /// - Parameter block: Called with what has changed; nil when the object was deleted.
  init(
    _ object: ObjectBase, _ realm: RealmCore, _ keyPaths: ObservedKeyPaths,
    _ block: @escaping ([PropertyChange]?) -> Void
  ) {
    self.object = object
    self.keyPaths = keyPaths
    self.block = block
    table = object._table
    row = object._row
    classTable =
      object is DynamicObject ? realm.dynamicClassTable(table.number) : realm.classTable(number: table.number)
    super.init(realm)
    version = realm.snapshot.version
    values = currentValues()
    backlinks = classTable.schema.computedProperties.map(currentBacklinks)
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

  private func currentBacklinks(_ property: ClassProperty) -> [Int] {
    guard let origin = realm.linkOrigin(of: property), isObserved(property.name) else { return [] }
    return realm.snapshot.backlinks(to: row, of: table.number, from: origin.table, column: origin.column)
  }

  override func update(_ context: ChangeContext) -> (() -> Void)? {
    guard table.isAlive(row), !realm.isRetired(table) else {
      let block = block
      return { [self] in
        end()
        block(nil)
      }
    }
    let written = changedProperties(context)
    let links = changedBacklinks(context)
    if written.isEmpty && links.isEmpty { return nil }
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
    where links.contains(property.name) || written.contains(property.name) {
      changes.append(PropertyChange(name: property.name, oldValue: nil, newValue: nil))
    }
    let block = block
    return { block(changes) }
  }

  /// The names of the properties that were written, or that something on a key path was written behind.
  private func changedProperties(_ context: ChangeContext) -> Set<String> {
    var names: Set<String> = []
    switch keyPaths {
    case .everything:
      guard let changes = context.changes.tables[table.number] else { return names }
      for (property, column) in zip(classTable.schema.properties, classTable.columns)
      where changes.modified[column]?.contains(row) == true {
        names.insert(property.name)
      }
    case .paths(let paths):
      for path in paths where context.rowsModified(along: path, table: table.number).contains(row) {
        names.insert(path.property)
      }
    }
    return names
  }

  private func changedBacklinks(_ context: ChangeContext) -> Set<String> {
    var names: Set<String> = []
    for (index, property) in classTable.schema.computedProperties.enumerated() where isObserved(property.name)
    {
      guard let origin = realm.linkOrigin(of: property), context.changes.tables[origin.table] != nil else {
        continue
      }
      let rows = currentBacklinks(property)
      if rows != backlinks[index] { names.insert(property.name) }
      backlinks[index] = rows
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
