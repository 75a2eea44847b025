import QueryEngine
import Storage

// Changing all objects of a result at once, without making them.
extension ResultsCore {
  var isOfValues: Bool {
    if case .values = source { return true }
    return false
  }

  /// Sets one property of all objects.
  func setValue(_ value: Any?, forKey key: String) {
    realm.checkThread()
    guard realm.isInWrite else { trap(.modifyingCollectionOutsideWrite("Results")) }
    let classTable = classTable
    guard let index = classTable.schema.index(of: key), classTable.columns[index] >= 0 else {
      trap("Invalid property name '\(key)' for class '\(classTable.className)'.")
    }
    let property = classTable.schema.properties[index]
    if property.isPrimaryKey {
      trap("Primary key can't be changed to '\(value ?? "(null)")' after an object is inserted.")
    }
    let column = classTable.columns[index]
    let rows = allRows
    let table = classTable.table
    if property.isSingleScalar, let stored = property.coerceScalar(value as Any) {
      table.setValue(column, rows: rows, stored)
      return
    }
    // A row may be deleted by what is written to those before it.
    for row in rows where table.isAlive(row) {
      ObjectPopulation.assign(
        classTable.accessor(row), property, value ?? Any?.none as Any, classTable.schema)
    }
  }
}
