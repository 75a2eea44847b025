import QueryEngine
import Storage

extension RealmCore {
  /// Finds properties by their Swift names, linking objects included. For use at once: it keeps the realm.
  var propertyLookup: PropertyLookup {
    { [self] number, name in
      let classTable = classTable(number: number)
      if let index = classTable.schema.index(of: name) {
        let column = classTable.columns[index]
        return column < 0 ? nil : .column(column)
      }
      guard let property = classTable.schema.computedProperties.first(where: { $0.name == name }),
        let origin = linkOrigin(of: property)
      else { return nil }
      return .backlinks(table: origin.table, column: origin.column)
    }
  }

  /// The table and column whose links a linking-objects property shows.
  func linkOrigin(of property: ClassProperty) -> (table: Int, column: Int)? {
    guard let className = property.kind.targetName, let name = property.originProperty,
      let table = snapshot.catalogue.table(named: className),
      let link = schemas.first(where: { $0.className == className })?.property(named: name), link.isStored,
      let column = snapshot.catalogue.tables[table].column(named: link.columnName)
    else { return nil }
    return (table, column)
  }
}
