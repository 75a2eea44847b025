import Foundation
import Storage

extension RealmCore {
  /// A table as dynamic objects. Properties have the names of the realm's class, when it has the class.
  func makeDynamicClassTable(_ number: Int) -> ClassTable {
    let catalogue = snapshot.catalogue
    let description = catalogue.tables[number]
    let known = schemas.first { $0.className == description.name }
    var names: [String: String] = [:]
    for property in known?.properties ?? [] { names[property.columnName] = property.name }
    // Those without a name are on their way out (see `SchemaUpdate`).
    var columns = description.columns.indices.filter {
      !description.columns[$0].isRemoved && !description.columns[$0].name.isEmpty
    }
    if let known, known.isDescribed { columns = columns.ordered(as: known, in: description) }
    let properties = columns.map { column in
      let stored = description.columns[column]
      return ClassProperty(
        name: names[stored.name] ?? stored.name, column: column, description: stored,
        kind: _PropertyKind(stored, in: catalogue))
    }
    let schema = ClassSchema(
      className: description.name, isEmbedded: description.isEmbedded, properties: properties,
      computedProperties: (known?.computedProperties ?? []).filter { linkOrigin(of: $0) != nil }
        .map { ClassProperty(linkingObjects: $0) },
      indexes: description.describedIndexes.map { Index($0.kind, $0.properties.map { names[$0] ?? $0 }) })
    return ClassTable(realm: self, schema: schema, table: snapshot.table(number), description: description)
  }

  /// The table of a class, known to the program or not, as dynamic objects. Stops the program when the file has no
  /// such class.
  func dynamicClassTable(named name: String) -> ClassTable {
    guard let number = snapshot.catalogue.table(named: name) else { trap(.classNotManaged(name)) }
    return dynamicClassTable(number)
  }

  /// Makes or updates an object as `create` does, of a class that is given by its name.
  func dynamicCreate(_ className: String, value: Any, policy: Realm.UpdatePolicy) -> DynamicObject {
    checkThread()
    guard let known = classTable(named: className) else { trap(.classNotManaged(className)) }
    let object = create(known, value: value, policy: policy)
    return dynamicClassTable(known.table.number).dynamicAccessor(object._row)
  }

  /// The object with a primary key of a class that is given by its name, or nil.
  func dynamicObject(_ className: String, forPrimaryKey key: Any) -> DynamicObject? {
    checkThread()
    pause()
    guard let known = classTable(named: className) else { trap(.classNotManaged(className)) }
    return row(known, forPrimaryKey: key).map {
      dynamicClassTable(known.table.number).dynamicAccessor($0)
    }
  }
}

extension ClassTable {
  /// The number of the table when its objects are dynamic ones; otherwise nil.
  var dynamicNumber: Int? { schema.type == DynamicObject.self ? table.number : nil }

  /// A dynamic object for a row. The table must be a dynamic one.
  func dynamicAccessor(_ row: Int) -> DynamicObject {
    unsafeDowncast(accessor(row), to: DynamicObject.self)
  }
}

extension [Int] {
  /// Columns in the order of a class, those that it lacks last.
  fileprivate func ordered(as schema: ClassSchema, in table: TableDescription) -> [Int] {
    let first = schema.properties.compactMap { property in
      self.first { table.columns[$0].name == property.columnName }
    }
    let others = Set(self).subtracting(first)
    return first + filter(others.contains)
  }
}
