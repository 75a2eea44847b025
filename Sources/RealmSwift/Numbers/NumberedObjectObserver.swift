import Storage

/// Observes one object.
final class NumberedObjectObserver: Observer {
  private let realm: NumberedRealm
  private let object: NumberedObject
  private let keyPaths: ObservedKeyPaths
  private let changed: (NumberedObjectChange?) -> Void
  /// The values of single-valued properties by column, for changes that other threads make.
  private var values: [Int: StoredValue] = [:]

  init(
    _ realm: NumberedRealm, _ object: NumberedObject, _ keyPaths: ObservedKeyPaths,
    _ changed: @escaping (NumberedObjectChange?) -> Void
  ) {
    self.realm = realm
    self.object = object
    self.keyPaths = keyPaths
    self.changed = changed
    for column in observedColumns { values[column] = value(of: column) }
  }

  private var table: Table { realm.core.snapshot.table(object.classNumber) }

  private var columns: [Column] {
    realm.core.snapshot.catalogue.tables[object.classNumber].columns
  }

  private var observedColumns: [Int] {
    switch keyPaths {
    case .everything: columns.indices.filter { !columns[$0].isRemoved }
    case .paths(let paths): paths.compactMap(\.firstColumn)
    }
  }

  /// The present value; null for collections, also for one that is the value of a mixed property.
  private func value(of column: Int) -> StoredValue {
    if columns[column].collection != .none { return .null }
    switch table.value(column, object.row) {
    case .list, .dictionary: return .null
    case let value: return value
    }
  }

  func update(_ context: ChangeContext) -> ObserverCall? {
    if !table.isAlive(object.row) {
      return ObserverCall(isLast: true) { [realm, changed] in
        if realm.calls { changed(nil) }
      }
    }
    guard var change = change(context) else { return nil }
    let old = change.properties.map { column in
      let new = value(of: column)
      return values.updateValue(new, forKey: column) ?? .null
    }
    if !context.isLocal { change.oldValues = old }
    return ObserverCall { [realm, changed, change] in
      if realm.calls { changed(change) }
    }
  }

  /// The properties that were written, or behind which something on a key path has changed; nil when none has.
  private func change(_ context: ChangeContext) -> NumberedObjectChange? {
    let number = object.classNumber
    var change = NumberedObjectChange()
    switch keyPaths {
    case .everything:
      if let changes = context.changes.tables[number] {
        change.properties = observedColumns.filter {
          changes.modified[$0]?.contains(object.row) == true
        }
      }
      for property in realm.core.dynamicClassTable(number).schema.computedProperties {
        guard let origin = realm.core.linkOrigin(of: property) else { continue }
        let rows = context.relinkedRows(table: number, origin: origin.table, column: origin.column)
        if rows.contains(object.row) { change.backlinks.append(property.name) }
      }
    case .paths(let paths):
      let found = paths.filter { context.rowsModified(along: $0, table: number).contains(object.row) }
      change.properties = Set(found.compactMap(\.firstColumn)).sorted()
      change.backlinks = Set(found.filter { $0.firstColumn == nil }.map(\.property)).sorted()
    }
    return change.properties.isEmpty && change.backlinks.isEmpty ? nil : change
  }
}

extension ObservedPath {
  /// The property that the path begins with; nil for backlinks.
  fileprivate var firstColumn: Int? {
    if case .column(let column, _) = steps.first { column } else { nil }
  }
}
