import Foundation
import Storage

extension RealmCore {
  /// A table as dynamic objects. Properties have their Swift names when the program has the class.
  func makeDynamicClassTable(_ number: Int) -> ClassTable {
    let catalogue = snapshot.catalogue
    let description = catalogue.tables[number]
    let known = schemas.first { $0.className == description.name }
    var names: [String: String] = [:]
    for property in known?.properties ?? [] { names[property.columnName] = property.name }
    var properties: [ClassProperty] = []
    // Those without a name are on their way out (see `SchemaUpdate`).
    for (column, stored) in description.columns.enumerated() where !stored.isRemoved && !stored.name.isEmpty {
      properties.append(
        UntypedProperty(
          name: names[stored.name] ?? stored.name, column: column, description: stored,
          targetName: stored.target < 0 ? nil : catalogue.tables[stored.target].name))
    }
    let schema = ClassSchema(
      className: description.name, isEmbedded: description.isEmbedded, properties: properties,
      computedProperties: (known?.computedProperties ?? []).compactMap { property in
        guard let origin = property.kind.objectType.map(ClassSchema.of),
          let table = catalogue.table(named: origin.className),
          let name = property.originProperty, let index = origin.index(of: name),
          let column = catalogue.tables[table].column(named: origin.properties[index].columnName)
        else { return nil }
        return DynamicLinkingObjects(property, table: table, column: column)
      })
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
