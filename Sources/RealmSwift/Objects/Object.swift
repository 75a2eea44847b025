import Foundation
import Storage

/// The base class of models that are stored in a table of their own.
///
///     class Cat: Object {
///       @Persisted(primaryKey: true) var id: ObjectId
///       @Persisted var name = ""
///     }
open class Object: ObjectBase {
  /// An object in memory, with default values.
  public override init() {
    super.init()
  }

  /// Creates an unmanaged object from a value: a dictionary of properties, an array of all of them in order, or
  /// another object.
  ///
  /// Stops the program when the value does not fit the class.
  public convenience init(value: Any) {
    self.init()
    ObjectPopulation.populate(self, from: value)
  }

  /// The name of the primary key, for classes that do not declare it with `@Persisted(primaryKey: true)`.
  ///
  /// The program stops when the class is first used and has no such stored property, or another primary key.
  open class func primaryKey() -> String? { nil }
  /// Properties that are not stored, which is so for all that are declared without `@Persisted`.
  ///
  /// The program stops when the class is first used and one of them is declared with it.
  open class func ignoredProperties() -> [String] { [] }
  /// Names of properties that are indexed, in addition to those that are declared with `@Persisted(indexed: true)`.
  ///
  /// The program stops when the class is first used and has no such stored property.
  open class func indexedProperties() -> [String] { [] }

  /// Whether both are the same instance, or the same row of the same realm.
  ///
  ///     let again = realm.object(ofType: Dog.self, forPrimaryKey: dog.id)
  ///     print(dog.isSameObject(as: again))  // true
  public func isSameObject(as object: Object?) -> Bool { _isSame(object) }
}

/// The official SDK's internal name of ``Object``, for source compatibility.
public typealias RealmSwiftObject = Object

/// The base class of models that live inside exactly one parent object, and are deleted with it.
///
///     class Address: EmbeddedObject {
///       @Persisted var street: String
///       @Persisted var city: String?
///     }
open class EmbeddedObject: ObjectBase {
  /// An object in memory, with default values.
  public override init() {
    super.init()
  }

  /// Creates an unmanaged object from a value, as `Object.init(value:)` does.
  public convenience init(value: Any) {
    self.init()
    ObjectPopulation.populate(self, from: value)
  }

  /// Whether it was deleted, or its realm invalidated.
  public final override var isInvalidated: Bool { super.isInvalidated }

  /// Always true.
  open override class func isEmbedded() -> Bool { true }

  /// Properties that are not stored, which is so for all that are declared without `@Persisted`.
  ///
  /// The program stops when the class is first used and one of them is declared with it.
  open class func ignoredProperties() -> [String] { [] }

  /// Whether both are the same instance, or the same row of the same realm.
  public func isSameObject(as object: EmbeddedObject?) -> Bool { _isSame(object) }
}

/// The official SDK's internal name of ``EmbeddedObject``, for source compatibility.
public typealias RealmSwiftEmbeddedObject = EmbeddedObject

/// Exists for source compatibility: such objects are only for App Services.
open class RealmSwiftAsymmetricObject: ObjectBase {
  /// Always false: nothing takes such objects.
  open override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Only for source compatibility: there is no synchronisation.
public typealias AsymmetricObject = RealmSwiftAsymmetricObject

extension ObjectBase {
  func _isSame(_ other: ObjectBase?) -> Bool {
    guard let other else { return false }
    if self === other { return true }
    guard let realm = _realm, realm === other._realm else { return false }
    return _state == other._state && _row == other._row && _isAlive
  }
}
