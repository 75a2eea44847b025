import Foundation
import Storage

/// A type whose objects can be fetched from a realm: a class with a table of its own.
public protocol RealmFetchable: RealmCollectionValue {
  /// The name of the class.
  static func className() -> String
}

extension Object: RealmFetchable {}

extension Realm {
  /// All objects of a class, always as they are now. Costs nothing until it is asked for something.
  ///
  ///     let puppies = realm.objects(Dog.self).where { $0.age < 2 }
  ///
  /// Stops the program when the realm does not have the class.
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    core.checkThread()
    // Of projections, the class of their root objects.
    guard let objectType = (type as? ObjectBase.Type) ?? Element._rlmKind.objectType else {
      trap(.classNotManaged(type.className()))
    }
    return Results(realm: core, classTable: core.classTable(objectType))
  }

  /// All objects of the class with a name.
  ///
  /// Stops the program when the file has no such class.
  public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
    core.checkThread()
    return Results(realm: core, dynamicTable: core.dynamicClassTable(named: typeName).table.number)
  }

  /// The object with a primary key, or nil. A look-up in the index of the key.
  ///
  ///     let dog = realm.object(ofType: Dog.self, forPrimaryKey: id)
  ///
  /// Stops the program when the class has no primary key, or one of another type.
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

  /// The object of the class with a name that has a primary key, or nil.
  ///
  /// Stops the program when the class has no primary key, or one of another type.
  public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
    core.dynamicObject(typeName, forPrimaryKey: key)
  }
}

extension ObjectBase {
  /// The realm that the object is in; nil for an object in memory, and after it was deleted. An embedded object that went
  /// with its parent, or was replaced, keeps it.
  public final var realm: Realm? {
    guard _isManaged, _row >= 0, _isAlive || self is EmbeddedObject else { return nil }
    return _realm.map { Realm($0) }
  }

  /// The class of the object.
  public final var objectSchema: ObjectSchema { ObjectSchema(classSchema) }
}
