import Foundation
import Storage

/// The base class of models that are stored in a table of their own.
///
/// ```swift
/// class MountainGuide: Object {
///   @Persisted(primaryKey: true) var id: ObjectId
///   @Persisted(indexed: true) var licence: String
///   @Persisted var languages: MutableSet<String>
///   @Persisted var firstSeason = 2026
///   @Persisted var home: Hut?
///   @Persisted(fullText: true) var biography: String
///   @Persisted var hutsByName: Map<String, Hut?>
/// }
/// ```
///
/// An object is unmanaged, a plain instance in memory, until `Realm.add(_:update:)` adds it to a realm. A
/// managed object is a live view of one row: it belongs to the thread, queue or actor of its realm, always
/// shows the current values, and can only be changed in a write transaction.
open class Object: ObjectBase {
  /// Creates an unmanaged object with the default values of the class.
  public override init() {
    super.init()
  }

  /// Creates an unmanaged object from a value: a dictionary of properties, an array of all properties in
  /// order, or another object.
  ///
  /// ```swift
  /// let guide = MountainGuide(value: ["licence": "CH-1042", "languages": ["de", "it"]])
  /// ```
  ///
  /// Stops the program if the value does not fit the class.
  public convenience init(value: Any) {
    self.init()
    ObjectPopulation.populate(self, from: value)
  }

  /// Returns the name of the primary key, for classes that do not declare it with `@Persisted(primaryKey:
  /// true)`.
  ///
  /// Stops the program, when the class is first used, if it has no such stored property or another primary
  /// key.
  open class func primaryKey() -> String? { nil }
  /// Returns the names of properties that are not stored. All properties that are declared without
  /// `@Persisted` are ignored, too.
  ///
  /// Stops the program, when the class is first used, if one of them is declared with `@Persisted`.
  open class func ignoredProperties() -> [String] { [] }
  /// Returns the names of indexed properties, in addition to those that are declared with
  /// `@Persisted(indexed: true)`.
  ///
  /// Stops the program, when the class is first used, if it has no such stored property.
  open class func indexedProperties() -> [String] { [] }

  /// Returns whether both are the same instance, or the same row of the same realm.
  ///
  /// ```swift
  /// let again = realm.object(ofType: Hut.self, forPrimaryKey: hut.id)
  /// print(hut.isSameObject(as: again))  // true
  /// ```
  public func isSameObject(as object: Object?) -> Bool { _isSame(object) }
}

/// The name that ``Object`` has inside the official SDK, for source compatibility. Descriptions and
/// ``ObjectBase/className()`` of the base class use it.
public typealias RealmSwiftObject = Object

/// The base class of models that are stored inside exactly one parent object and are deleted with it.
///
/// ```swift
/// class GuideContact: EmbeddedObject {
///   @Persisted var name: String
///   @Persisted var phone: String?
/// }
/// ```
///
/// A parent declares an optional property, a list or a map of the class. An embedded object has no primary
/// key and is not returned by ``Realm/objects(_:)``.
open class EmbeddedObject: ObjectBase {
  /// Creates an unmanaged object with the default values of the class.
  public override init() {
    super.init()
  }

  /// Creates an unmanaged object from a value, as ``Object/init(value:)`` does.
  public convenience init(value: Any) {
    self.init()
    ObjectPopulation.populate(self, from: value)
  }

  /// Whether the object was deleted or its realm invalidated.
  public final override var isInvalidated: Bool { super.isInvalidated }

  /// Returns true: objects of the class are stored inside a parent object.
  open override class func isEmbedded() -> Bool { true }

  /// Returns the names of properties that are not stored. All properties that are declared without
  /// `@Persisted` are ignored, too.
  ///
  /// Stops the program, when the class is first used, if one of them is declared with `@Persisted`.
  open class func ignoredProperties() -> [String] { [] }

  /// Returns whether both are the same instance, or the same row of the same realm.
  public func isSameObject(as object: EmbeddedObject?) -> Bool { _isSame(object) }
}

/// The name that ``EmbeddedObject`` has inside the official SDK, for source compatibility. Descriptions and
/// ``ObjectBase/className()`` of the base class use it.
public typealias RealmSwiftEmbeddedObject = EmbeddedObject

/// A base class that is present only for source compatibility: such objects belong to App Services, which
/// this library does not support.
open class RealmSwiftAsymmetricObject: ObjectBase {
  /// Returns false: no realm stores such objects.
  open override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A name for source compatibility: there is no synchronisation.
public typealias AsymmetricObject = RealmSwiftAsymmetricObject

extension ObjectBase {
  func _isSame(_ other: ObjectBase?) -> Bool {
    guard let other else { return false }
    if self === other { return true }
    guard let realm = _realm, realm === other._realm else { return false }
    return _state == other._state && _row == other._row && _isAlive
  }
}
