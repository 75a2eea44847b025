import Foundation
import Storage

/// An object whose properties are accessed by name, for classes that the program need not declare.
///
/// ```swift
/// let hut = realm.dynamicObjects("Hut").first!
/// let name = hut.name as? String
/// try realm.write { hut["beds"] = 30 }
/// ```
///
/// Such a class is either described at run time (``DescribedClass``) or read from the schema of a file.
///
/// Integers of all widths are `Int`, enums and custom types are their stored values, and links are dynamic
/// objects.
@dynamicMemberLookup
public final class DynamicObject: Object {
  /// The value of a property, nil for null. Stops the program if the class has no such property.
  public subscript(dynamicMember member: String) -> Any? {
    get { value(forKey: member) }
    set { setValue(newValue, forKey: member) }
  }

  /// Returns the value of a property, as `value(forKey:)` does.
  public func value(forUndefinedKey key: String) -> Any? { value(forKey: key) }

  /// Sets the value of a property, as `setValue(_:forKey:)` does.
  public func setValue(_ value: Any?, forUndefinedKey key: String) { setValue(value, forKey: key) }

  /// Returns false: dynamic objects belong to no class that realms include by default.
  public override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// An object in a migration block.
public typealias MigrationObject = DynamicObject

extension ObjectBase {
  /// What is known of the object's class; for a dynamic object that of its table.
  var classSchema: ClassSchema {
    if type(of: self) == DynamicObject.self, let realm = _realm {
      return realm.dynamicClassTable(_table.number).schema
    }
    return ClassSchema.of(type(of: self))
  }
}
