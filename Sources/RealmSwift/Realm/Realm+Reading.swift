import Foundation
import Storage

/// A type whose objects can be fetched from a realm: a class with a table of its own.
public protocol RealmFetchable: RealmCollectionValue {
  /// Returns the name of the class.
  static func className() -> String
}

extension Object: RealmFetchable {}

extension Realm {
  /// Returns all objects of a class as live results. Costs nothing until the results are read.
  ///
  /// ```swift
  /// let small = realm.objects(Hut.self).where { $0.beds < 20 }
  /// ```
  ///
  /// Stops the program if the realm does not have the class.
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    core.checkThread()
    // Of projections, the class of their root objects.
    guard let objectType = (type as? ObjectBase.Type) ?? Element._rlmKind.objectType else {
      trap(.classNotManaged(type.className()))
    }
    return Results(realm: core, classTable: core.classTable(objectType))
  }

  /// Returns all objects of a class given by name.
  ///
  /// ```swift
  /// for hut in realm.dynamicObjects("Hut") { print(hut.name as? String ?? "") }
  /// ```
  ///
  /// Stops the program if the file has no such class.
  public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
    core.checkThread()
    return Results(realm: core, dynamicTable: core.dynamicClassTable(named: typeName).table.number)
  }

  /// Returns the object with a primary key, or nil. Looks up the key in its index.
  ///
  /// ```swift
  /// let hut = realm.object(ofType: Hut.self, forPrimaryKey: id)
  /// ```
  ///
  /// Stops the program if the class has no primary key, or a primary key of another type.
  public func object<Element: Object, KeyType>(
    ofType type: Element.Type, forPrimaryKey key: KeyType
  ) -> Element? {
    core.checkThread()
    core.pause()
    let classTable = core.classTable(type)
    let found: Int?
    if let column = classTable.primaryKeyColumn, let exact = exactKey(key, classTable) {
      found = core.snapshot.firstRow(table: classTable.table.number, column: column, equalTo: exact)
    } else {
      found = core.row(classTable, forPrimaryKey: key)
    }
    guard let found else { return nil }
    return unsafeDowncast(classTable.accessor(found), to: Element.self)
  }

  /// The key in the index, for the most common types of keys and without boxing them.
  @inline(__always)
  private func exactKey<KeyType>(_ key: KeyType, _ classTable: ClassTable) -> IndexKey? {
    let type = classTable.schema.primaryKey?.kind.type
    if KeyType.self == Int.self, type == .int {
      return IndexKey(Int64(withUnsafePointer(to: key) { UnsafeRawPointer($0).load(as: Int.self) }))
    }
    if KeyType.self == String.self, type == .string {
      return withUnsafePointer(to: key) { pointer in
        pointer.withMemoryRebound(to: String.self, capacity: 1) { IndexKey($0.pointee) }
      }
    }
    return nil
  }

  /// Returns the object with a primary key of a class given by name, or nil.
  ///
  /// Stops the program if the class has no primary key, or a primary key of another type.
  public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
    core.dynamicObject(typeName, forPrimaryKey: key)
  }
}

extension ObjectBase {
  /// The realm that manages the object; nil for an unmanaged object, and after the object was deleted. An
  /// embedded object that was deleted with its parent, or was replaced, keeps it.
  public final var realm: Realm? {
    guard _isManaged, _row >= 0, _isAlive || self is EmbeddedObject else { return nil }
    return _realm.map { Realm($0) }
  }

  /// The schema of the object's class.
  public final var objectSchema: ObjectSchema { ObjectSchema(classSchema) }
}
