import Foundation
import Storage

extension RealmCore {
  /// Makes an object from a value, or updates the one with the same primary key as far as the policy allows.
  ///
  /// Objects in the value are copied, but those of this realm are linked.
  func create(_ classTable: ClassTable, value: Any, policy: Realm.UpdatePolicy) -> ObjectBase {
    checkWrite()
    if classTable.isEmbedded { trap("Embedded objects cannot be created directly") }
    if policy != .error && !classTable.schema.hasPrimaryKey {
      trap(.noPrimaryKeyForUpdate(classTable.className))
    }
    if policy != .error, let object = Coercion.object(value), object._realm === self,
      object._state == classTable.table.state
    {
      if !object._isAlive { trap(.addingInvalidated) }
      return type(of: object) == classTable.schema.type ? object : classTable.accessor(object._row)
    }
    var creation = ObjectCreation(realm: self, policy: policy)
    return run(&creation, classTable, ObjectSource.required(value, for: classTable.schema))
  }

  /// The same for values that are known to fit. Returns what is wrong where a primary key is there already that the policy
  /// does not allow. Objects that have such a key are left as they are.
  func createReportingTakenKey(
    _ classTable: ClassTable, _ values: [String: Any], policy: Realm.UpdatePolicy
  ) -> ProgrammerError? {
    var creation = ObjectCreation(realm: self, policy: policy, reportsTakenKeys: true)
    _ = run(&creation, classTable, .dictionary(values))
    return creation.takenKey
  }

  private func run(
    _ creation: inout ObjectCreation, _ classTable: ClassTable, _ source: ObjectSource
  ) -> ObjectBase {
    let previous = updatePolicy
    updatePolicy = creation.policy
    defer { updatePolicy = previous }
    if creation.policy == .error { return creation.object(classTable, source) }
    // What the present content owns goes when the object has the new one.
    return snapshot.deletingTogether { creation.object(classTable, source) }
  }

  /// The row with a primary key, or nil. Stops the program when the key is of a wrong type.
  func row(_ classTable: ClassTable, forPrimaryKey key: Any) -> Int? {
    checkThread()
    if let composite = classTable.compositeKey {
      return composite.row(forKey: key, classTable.schema, in: snapshot)
    }
    guard let property = classTable.schema.primaryKey, let column = classTable.primaryKeyColumn else {
      trap(.noPrimaryKey(classTable.className))
    }
    guard let stored = property.coerceScalar(key) else {
      if Coercion.unwrap(key) == nil {
        trap("Invalid null value for non-nullable primary key '\(classTable.className).\(property.name)'.")
      }
      trap(ValueError.invalid(key, property, classTable.schema))
    }
    return snapshot.firstRow(table: classTable.table.number, column: column, equalTo: IndexKey(stored))
  }
}
