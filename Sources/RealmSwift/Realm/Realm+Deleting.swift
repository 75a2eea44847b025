import Storage

// Deleting objects. All of this stops the program outside a write transaction, and for objects of another realm.
//
// Links to a deleted object become nil or leave their collections; embedded objects are deleted with it, and what it owns by
// the delete rules of its properties.
extension Realm {
  /// Deletes an object.
  ///
  /// ```swift
  /// try realm.write { realm.delete(hut) }
  /// print(hut.isInvalidated)  // true
  /// ```
  public func delete(_ object: ObjectBase) { delete(object, cascading: false) }

  /// Deletes an object and, with `cascading`, all objects that it links to, directly and indirectly, as if
  /// their properties had the rule ``DeleteRule/cascade``. An addition to the official SDK.
  ///
  /// ```swift
  /// try realm.write { realm.delete(trail, cascading: true) }
  /// ```
  ///
  /// Properties with the rule ``DeleteRule/cascadeUnlessShared`` keep it.
  public func delete(_ object: ObjectBase, cascading: Bool) {
    core.checkWrite()
    guard object._isManaged, object._realm === core, object._row >= 0 else { trap(.deletingForeignObject) }
    // Deleted through another instance already.
    guard object._isAlive else { return object._invalidate() }
    if cascading {
      core.writer.deletingTogether(followsAllLinks: true) { object._table.deleteRow(object._row) }
    } else {
      object._table.deleteRow(object._row)
    }
    object._invalidate()
  }

  /// Deletes each object of a sequence.
  public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
    delete(objects, cascading: false)
  }

  /// Deletes each object of a sequence and, with `cascading`, all objects that they link to, directly and
  /// indirectly, as if their properties had the rule ``DeleteRule/cascade``. An addition to the official SDK.
  public func delete<S: Sequence>(_ objects: S, cascading: Bool) where S.Element: ObjectBase {
    // Deleting an object may change the collection that it comes from.
    let all = Array(objects)
    if all.isEmpty { return }
    core.checkWrite()
    core.writer.deletingTogether(followsAllLinks: cascading) {
      for object in all { delete(object) }
    }
  }

  /// Deletes the objects of a list, which is empty afterwards.
  public func delete<Element: ObjectBase>(_ objects: List<Element>) where Element: RealmCollectionValue {
    core.checkWrite()
    guard let realm = objects.realm, realm == self else { trap(.deletingForeignObjects) }
    let all = Array(objects)
    core.writer.deletingTogether {
      for object in all where object._isAlive { delete(object) }
    }
  }

  /// Deletes the objects of a map, which is empty afterwards.
  public func delete<Key: _MapKey, Value: ObjectBase>(_ map: Map<Key, Value?>)
  where Value: _RealmCollectionValueInsideOptional {
    core.checkWrite()
    guard let realm = map.realm, realm == self else { trap(.deletingForeignObjects) }
    let all = map.map(\.value)
    core.writer.deletingTogether {
      for object in all {
        if let object, object._isAlive { delete(object) }
      }
    }
    if !map.isInvalidated { map.removeAll() }
  }

  /// Deletes all objects of a result without instantiating them, in about a microsecond each.
  ///
  /// ```swift
  /// try realm.write {
  ///   realm.delete(realm.objects(Hut.self).where { $0.beds < 10 })
  /// }
  /// ```
  public func delete<Element: ObjectBase>(_ objects: Results<Element>) where Element: RealmCollectionValue {
    core.checkWrite()
    guard objects.core.realm === core else { trap(.deletingForeignObjects) }
    let table = objects.core.classTable.table
    let rows = objects.core.allRows
    core.writer.deletingTogether {
      for row in rows where table.isAlive(row) { table.deleteRow(row) }
    }
  }

  /// Deletes all objects of all classes of the file, including classes that the realm was not opened with.
  ///
  /// ```swift
  /// try realm.write { realm.deleteAll() }
  /// ```
  public func deleteAll() {
    core.checkWrite()
    core.writer.deletingTogether {
      for (number, table) in core.snapshot.catalogue.tables.enumerated() where !table.isRemoved {
        core.snapshot.table(number).deleteAllRows()
      }
    }
  }
}
