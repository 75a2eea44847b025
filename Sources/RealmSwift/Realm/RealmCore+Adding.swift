import Foundation
import Storage

// Making objects in memory managed.
extension RealmCore {
  /// Makes an object, and every object in memory that it reaches, managed. Returns its row.
  @discardableResult
  func add(_ object: ObjectBase, policy: Realm.UpdatePolicy, allowsEmbedded: Bool = false) -> Int {
    if object._isManaged {
      guard object._isAlive else { trap(.addingInvalidated) }
      guard object._realm === self else { trap(.managedByAnotherRealm) }
      return object._row
    }
    if object._row < 0 { trap(.addingInvalidated) }
    return withClassTable(type(of: object)) { classTable in
      if classTable.isEmbedded && !allowsEmbedded { trap("Embedded objects cannot be created directly") }
      let previous = updatePolicy
      updatePolicy = classTable.schema.primaryKey == nil ? previous : policy
      defer { updatePolicy = previous }
      let existing = existingRow(object, classTable, policy)
      let row = existing ?? classTable.table.insertRow()
      classTable.adopt(object, row: row)
      let skipsEqual = existing != nil && policy == .modified
      let base = Unmanaged.passUnretained(object).toOpaque()
      classTable.forEachStoredProperty { property, column in
        if existing != nil && property.isPrimaryKey {
          // Already there; only the property has to become a view.
          property.bind(base, column)
        } else {
          property.manage(object, column, isNew: existing == nil, skipsEqual: skipsEqual)
        }
      }
      classTable.forEachComputedProperty { $0.bind(base, 0) }
      return row
    }
  }

  /// The row that has the object's primary key already, which the policy must allow to be updated.
  private func existingRow(
    _ object: ObjectBase, _ classTable: ClassTable, _ policy: Realm.UpdatePolicy
  ) -> Int? {
    guard let (primaryKey, column) = classTable.primaryKeyProperty else { return nil }
    return primaryKey._withUnsafeGuaranteedRef { primaryKey in
      let key = primaryKey.storedScalar(object) ?? .null
      guard
        let row = snapshot.firstRow(table: classTable.table.number, column: column, equalTo: IndexKey(key))
      else { return nil }
      if policy == .error {
        trap(.duplicatePrimaryKey(classTable.className, primaryKey.dynamicValue(object) ?? "(null)"))
      }
      return row
    }
  }
}
