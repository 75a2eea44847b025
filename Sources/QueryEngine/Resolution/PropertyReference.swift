import Storage

/// What a property name of a class stands for.
package enum PropertyReference: Sendable, Hashable {
  case column(Int)
  /// The rows of another table whose column links to the object.
  case backlinks(table: Int, column: Int)
}

/// Finds a property by the name that the class gives it; nil when the table has none of that name.
package typealias PropertyLookup = (_ table: Int, _ name: String) -> PropertyReference?

extension Catalogue {
  /// The lookup by column names, for classes that do not rename properties and have no back links.
  package var columnLookup: PropertyLookup {
    { table, name in self.tables[table].column(named: name).map(PropertyReference.column) }
  }
}
