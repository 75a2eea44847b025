import Foundation
import Storage

// Reading and writing properties by their names, as Foundation's key-value coding does on other platforms.
extension ObjectBase: _KeyValueCoded {
  /// The value of a property, nil for null. Enums and custom types are their stored values.
  ///
  /// ```swift
  /// try realm.write { hut["beds"] = 30 }
  /// print(hut["beds"] as? Int ?? 0)
  /// ```
  ///
  /// Stops the program if the class has no such property, or if the new value does not fit.
  public subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// Returns the value of a property, nil for null. Stops the program if the class has no such property.
  public func value(forKey key: String) -> Any? {
    checkNamedAccess()
    let schema = classSchema
    guard let property = schema.property(named: key) else { trap(ValueError.unknownProperty(key, schema)) }
    return property.dynamicValue(self)
  }

  /// Sets a property from a value of any type that fits, as described for `init(value:)`. Nil sets null, or
  /// empties a collection.
  ///
  /// Stops the program if the class has no such property or the value does not fit.
  public func setValue(_ value: Any?, forKey key: String) {
    checkNamedAccess()
    let schema = classSchema
    guard let property = schema.property(named: key) else { trap(ValueError.unknownProperty(key, schema)) }
    if !property.isStored { trap("LinkingObjects properties are read-only") }
    ObjectPopulation.assign(self, property, value ?? Any?.none as Any, schema)
  }

  /// Returns the value at the end of a path of properties such as `warden.name`, or nil if a link on the path
  /// is nil.
  ///
  /// The part of the path after a collection follows the key-value coding of the collection.
  public func value(forKeyPath keyPath: String) -> Any? {
    var object = self
    var rest = keyPath[...]
    while let dot = rest.firstIndex(of: ".") {
      let found = object.value(forKey: String(rest[..<dot]))
      rest = rest[rest.index(after: dot)...]
      switch found {
      case let linked as ObjectBase: object = linked
      case let coded as any _KeyValueCoded: return coded.value(forKeyPath: String(rest))
      case nil: return nil
      default: trap(ValueError.unknownProperty(String(rest), object.classSchema))
      }
    }
    return object.value(forKey: String(rest))
  }

  /// Sets the property at the end of a path of links such as `warden.name`. Has no effect if a link on the
  /// path is nil.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    guard let dot = keyPath.lastIndex(of: ".") else { return setValue(value, forKey: keyPath) }
    let last = String(keyPath[keyPath.index(after: dot)...])
    switch self.value(forKeyPath: String(keyPath[..<dot])) {
    case let object as ObjectBase: object.setValue(value, forKey: last)
    case let coded as any _KeyValueCoded: coded.setValue(value, forKey: last)
    case nil: break
    default: trap(ValueError.unknownProperty(last, classSchema))
    }
  }

  /// Returns a list of objects of any class. Stops the program if the property is not a list.
  ///
  /// For a list of values, whose elements cannot be read this way, at least the count is available;
  /// `object[propertyName]` returns such a list with the type of its elements.
  public func dynamicList(_ propertyName: String) -> List<DynamicObject> {
    List<DynamicObject>._rlmRead(self, collectionColumn(propertyName, .list))
  }

  private func checkNamedAccess() {
    if _isManaged { _checkAccess() }
  }

  fileprivate func collectionColumn(_ name: String, _ collection: CollectionType) -> Int {
    guard let realm = _realm else { trap("\(classSchema.className) is not managed by a realm.") }
    _checkAccess()
    let schema = classSchema
    guard let property = schema.property(named: name) else { trap(ValueError.unknownProperty(name, schema)) }
    let description = realm.snapshot.catalogue.tables[_table.number]
    guard property.kind.collection == collection,
      let column = description.column(named: property.columnName)
    else { trap("Property '\(schema.className).\(name)' is no \(collection.name).") }
    return column
  }
}

extension Object {
  /// Returns a set of objects of any class, as `dynamicList(_:)` returns a list.
  public func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
    MutableSet<DynamicObject>._rlmRead(self, collectionColumn(propertyName, .set))
  }

  /// Returns a map to objects of any class, as `dynamicList(_:)` returns a list.
  public func dynamicMap<Key: _MapKey>(_ propertyName: String) -> Map<Key, DynamicObject?> {
    Map<Key, DynamicObject?>._rlmRead(self, collectionColumn(propertyName, .map))
  }
}

extension CollectionType {
  fileprivate var name: String {
    switch self {
    case .none: "value"
    case .list: "list"
    case .set: "set"
    case .map: "map"
    }
  }
}
