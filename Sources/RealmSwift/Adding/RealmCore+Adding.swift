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
    if policy != .error && additions.depth == 0 { copyLiveCollections(in: object) }
    return withClassTable(type(of: object)) { classTable in
      if classTable.isEmbedded && !allowsEmbedded { trap("Embedded objects cannot be created directly") }
      let (existing, isNumbered) = existingRow(object, classTable, policy)
      if let existing { classTable.table.prefetch(existing, columns: .max) }
      let row = existing ?? classTable.table.insertRow()
      classTable.adopt(object, row: row)
      if isNumbered { classTable.keySequence.unsafelyUnwrapped.number(row) }
      let policy = classTable.schema.hasPrimaryKey ? policy : updatePolicy
      if additions.depth == Additions.depthLimit {
        // The key is written at once, so that other objects with it are found to be the same.
        if existing == nil, !isNumbered, let (primaryKey, column) = classTable.primaryKeyProperty {
          primaryKey._withUnsafeGuaranteedRef { $0.manage(object, column, isNew: true, skipsEqual: false) }
        }
        if existing == nil, let key = classTable.compositeKey {
          for (property, column) in key.parts {
            property.manage(object, column, isNew: true, skipsEqual: false)
          }
        }
        additions.waiting.append(
          Additions.Waiting(object: object, classTable: classTable, isNew: existing == nil, policy: policy))
        return row
      }
      manage(
        object, classTable, isNew: existing == nil, hasKey: existing != nil || isNumbered, policy: policy)
      if additions.depth == 0 && !additions.waiting.isEmpty { addWaiting() }
      return row
    }
  }

  /// Writes an embedded object in memory over the one that is there, whose place stays.
  func add(_ object: ObjectBase, overEmbedded row: Int, _ classTable: ClassTable) {
    if self.classTable(of: object).table.number != classTable.table.number {
      failLink(to: object, classTable)
    }
    classTable.adopt(object, row: row)
    if additions.depth == Additions.depthLimit {
      additions.waiting.append(
        Additions.Waiting(object: object, classTable: classTable, isNew: false, policy: updatePolicy))
    } else {
      manage(object, classTable, isNew: false, hasKey: false, policy: updatePolicy)
    }
  }

  /// Writes an object's properties to its row, and makes them views of it.
  @inline(__always)
  private func manage(
    _ object: ObjectBase, _ classTable: ClassTable, isNew: Bool, hasKey: Bool, policy: Realm.UpdatePolicy
  ) {
    let previous = updatePolicy
    updatePolicy = policy
    additions.depth += 1
    let skipsEqual = !isNew && policy == .modified
    let base = Unmanaged.passUnretained(object).toOpaque()
    classTable.forEachStoredProperty { property, column in
      if hasKey && (property.isPrimaryKey || classTable.compositeKey?.contains(property) ?? false) {
        // Already there; only the property has to become a view, if it is none yet.
        property.bind(base, column)
      } else {
        property.manage(object, column, isNew: isNew, skipsEqual: skipsEqual)
      }
    }
    classTable.forEachComputedProperty { $0.bind(base, 0) }
    additions.depth -= 1
    updatePolicy = previous
  }

  /// Writes the objects that were reached too deep, which may make others wait.
  private func addWaiting() {
    var next = 0
    while next < additions.waiting.count {
      let waiting = additions.waiting[next]
      next += 1
      if waiting.object._isAlive {
        manage(
          waiting.object, waiting.classTable, isNew: waiting.isNew, hasKey: true, policy: waiting.policy)
      } else {
        // An embedded one whose place has been taken meanwhile.
        waiting.classTable.bindProperties(waiting.object)
      }
    }
    additions.waiting = []
  }

  /// The row that has the object's primary key already, which the policy must allow to be updated; and whether the object
  /// has no key and is to get one.
  private func existingRow(
    _ object: ObjectBase, _ classTable: ClassTable, _ policy: Realm.UpdatePolicy
  ) -> (row: Int?, isNumbered: Bool) {
    guard let (primaryKey, column) = classTable.primaryKeyProperty else {
      return (existingRow(object, compositeKey: classTable, policy), false)
    }
    return primaryKey._withUnsafeGuaranteedRef { primaryKey in
      let key = primaryKey.storedScalar(object) ?? .null
      if classTable.keySequence != nil && KeySequence.isUnset(key) { return (nil, true) }
      guard
        let row = snapshot.firstRow(table: classTable.table.number, column: column, equalTo: IndexKey(key))
      else {
        classTable.keySequence?.take(key)
        return (nil, false)
      }
      if policy == .error {
        trap(
          .duplicatePrimaryKey(
            classTable.className, key: "\(primaryKey.dynamicValue(object) ?? "(null)")"))
      }
      return (row, false)
    }
  }

  private func existingRow(
    _ object: ObjectBase, compositeKey classTable: ClassTable, _ policy: Realm.UpdatePolicy
  ) -> Int? {
    guard let key = classTable.compositeKey, let row = key.row(of: object, in: snapshot) else { return nil }
    if policy == .error {
      trap(
        .duplicatePrimaryKey(
          classTable.className, key: CompositeKey.text(key.parts.map { $0.property.dynamicValue(object) })))
    }
    return row
  }
}

/// Objects in memory on their way into a realm: an object brings those that it links to, and these theirs.
///
/// Objects are added within each other up to some depth. Deeper ones only get their rows, and wait with their properties
/// until that is done: chains of any length can be added on any stack.
struct Additions {
  static let depthLimit = 32

  struct Waiting {
    let object: ObjectBase
    let classTable: ClassTable
    let isNew: Bool
    let policy: Realm.UpdatePolicy
  }

  /// How many objects are being added within each other.
  var depth = 0
  /// The objects whose properties are still to be written, in the order in which they were reached.
  var waiting: [Waiting] = []
}
