import Storage

// Deleting objects. All of this stops the program outside a write transaction, and for objects of another realm.
//
// Links to a deleted object become nil or leave their collections; embedded objects are deleted with it.
extension Realm {
  /// Deletes an object.
  ///
  ///     try realm.write { realm.delete(dog) }
  ///     print(dog.isInvalidated)  // true
  public func delete(_ object: ObjectBase) {
    core.checkWrite()
    guard object._isManaged, object._realm === core, object._row >= 0 else { trap(.deletingForeignObject) }
    // Deleted through another instance already.
    guard object._isAlive else { return object._invalidate() }
    object._table.deleteRow(object._row)
    object._invalidate()
  }

  /// Deletes each of the objects.
  public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
    // Deleting an object may change the collection that it comes from.
    for object in Array(objects) { delete(object) }
  }

  /// Deletes the objects of a list, which is empty afterwards.
  public func delete<Element: ObjectBase>(_ objects: List<Element>) where Element: RealmCollectionValue {
    core.checkWrite()
    guard let realm = objects.realm, realm == self else { trap(.deletingForeignObjects) }
    for object in Array(objects) where object._isAlive { delete(object) }
  }

  /// Deletes the objects of a map, which is empty afterwards.
  public func delete<Key: _MapKey, Value: ObjectBase>(_ map: Map<Key, Value?>)
  where Value: _RealmCollectionValueInsideOptional {
    core.checkWrite()
    guard let realm = map.realm, realm == self else { trap(.deletingForeignObjects) }
    for object in map.map(\.value) {
      if let object, object._isAlive { delete(object) }
    }
    if !map.isInvalidated { map.removeAll() }
  }

  /// Deletes all objects of a result, without making them. About a microsecond each.
  ///
  ///     try realm.write {
  ///       realm.delete(realm.objects(Dog.self).where { $0.age > 20 })
  ///     }
  public func delete<Element: ObjectBase>(_ objects: Results<Element>) where Element: RealmCollectionValue {
    core.checkWrite()
    guard objects.core.realm === core else { trap(.deletingForeignObjects) }
    let table = objects.core.classTable.table
    for row in objects.core.allRows where table.isAlive(row) { table.deleteRow(row) }
  }

  /// Deletes all objects of all classes of the file, also of those that the realm was not opened with.
  public func deleteAll() {
    core.checkWrite()
    for (number, table) in core.snapshot.catalogue.tables.enumerated() where !table.isRemoved {
      core.snapshot.table(number).deleteAllRows()
    }
  }
}
