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
    let source = ObjectSource.required(value, for: classTable.schema)
    return withCreation(policy) { $0.object(classTable, fromWhole: source) }
  }

  /// Runs a body that makes or updates objects.
  ///
  /// - Parameter reportsTakenKeys: Whether keys that the policy does not allow end up in the creation's `takenKey`. Objects that
  ///   have them are left as they are.
  func withCreation<Result>(
    _ policy: Realm.UpdatePolicy, reportsTakenKeys: Bool = false, _ body: (inout ObjectCreation) -> Result
  ) -> Result {
    var creation = ObjectCreation(realm: self, policy: policy, reportsTakenKeys: reportsTakenKeys)
    let previous = updatePolicy
    updatePolicy = policy
    defer { updatePolicy = previous }
    if policy == .error { return body(&creation) }
    // What the present content owns goes when the object has the new one.
    return writer.deletingTogether { body(&creation) }
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
