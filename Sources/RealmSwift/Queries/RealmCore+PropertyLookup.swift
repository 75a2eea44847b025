import QueryEngine
import Storage

extension RealmCore {
  /// Finds properties by their Swift names, linking objects included.
  var propertyLookup: PropertyLookup {
    { [unowned self] number, name in
      let catalogue = snapshot.catalogue
      guard let classTable = knownClassTable(number: number) else {
        return catalogue.tables[number].column(named: name).map(PropertyReference.column)
      }
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
    guard let type = property.kind.objectType, let originTable = knownClassTable(type),
      let name = property.originProperty, let index = originTable.schema.index(of: name)
    else { return nil }
    return (originTable.table.number, originTable.columns[index])
  }
}
