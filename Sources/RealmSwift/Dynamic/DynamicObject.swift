import Foundation
import Storage

/// An object whose properties are reached by their names, for classes that the program may not have.
///
///     let dog = realm.dynamicObjects("Dog").first!
///     let name = dog.name as? String
///     try realm.write { dog["age"] = 4 }
///
/// Such classes may be described while the program runs (``DescribedClass``), or be those of a file.
///
/// Integers of all widths are `Int`s, enums and custom types are what is stored of them, and links are dynamic
/// objects again.
@dynamicMemberLookup
public final class DynamicObject: Object {
  /// The value of a property, nil for null. Stops the program when the class has no such property.
  public subscript(dynamicMember member: String) -> Any? {
    get { value(forKey: member) }
    set { setValue(newValue, forKey: member) }
  }

  /// The same as `value(forKey:)`.
  public func value(forUndefinedKey key: String) -> Any? { value(forKey: key) }

  /// The same as `setValue(_:forKey:)`.
  public func setValue(_ value: Any?, forUndefinedKey key: String) { setValue(value, forKey: key) }

  /// Dynamic objects belong to no class that realms could know by default.
  public override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// An object as a migration block sees it.
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
