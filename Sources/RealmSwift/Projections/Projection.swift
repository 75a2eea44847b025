import Foundation
public import Storage

/// A view of an object that exposes some of its properties, possibly under other names and in other forms.
///
/// ```swift
/// for summary in realm.objects(HutOverview.self).filter("altitude > 2000") {
///   print(summary.title, summary.wardenName ?? "no warden")
/// }
/// ```
///
/// Subclasses declare their properties with ``Projected``. Projections are fetched like objects, and are
/// created for each element that is read. Predicates, sort descriptors and property names refer to the
/// properties of the root object.
open class Projection<Root: ObjectBase & RealmCollectionValue>: RealmCollectionValue {
  /// The stored type of an element: the root object.
  public typealias PersistedType = Root

  /// The object that the projection shows.
  public let rootObject: Root

  /// Creates a projection of an object, managed or not.
  ///
  /// Stops the program if a projected property of the class is not part of the object.
  public required init(projecting object: Root) {
    rootObject = object
    ProjectionSchema.check(self)
  }

  /// Returns whether both show the same object: the same instance, or the same row of the same realm.
  public static func == (lhs: Projection, rhs: Projection) -> Bool { lhs.rootObject._isSame(rhs.rootObject) }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    // Equal projections may have different instances of one row.
    if rootObject._isManaged {
      hasher.combine(rootObject._row)
    } else {
      hasher.combine(ObjectIdentifier(rootObject))
    }
  }

  /// The projected properties, each on a line.
  open var description: String {
    let address = String(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), radix: 16)
    let lines = ProjectionSchema.of(self, Root.self).properties.map { property in
      let stored = rootObject.unconvertedValue(atPaths: property.paths)
      let value = (stored ?? rootObject[keyPath: property.keyPath]).map { "\($0)" } ?? "nil"
      return "\t\(property.label)(\\.\(property.origin)) = \(value);"
    }
    return "\(type(of: self))<\(Root.self)> <0x\(address)> {\n\t\(lines.joined(separator: "\n"))\n}"
  }

  // MARK: Elements

  /// For `_RealmSchemaDiscoverable`: what a property of this type is made of.
  public static var _rlmKind: _PropertyKind { Root._rlmKind }

  /// For `RealmCollectionValue`: the element for what is stored.
  public static func _rlmElement(_ value: StoredValue, _ realm: RealmCore) -> Self {
    self.init(projecting: Root._rlmElement(value, realm))
  }
  /// For `RealmCollectionValue`: the element for what is stored.
  public static func _rlmElement(_ object: ObjectBase) -> Self {
    self.init(projecting: unsafeDowncast(object, to: Root.self))
  }
  /// For `RealmCollectionValue`: what is stored for the element.
  public func _rlmStore(_ realm: RealmCore) -> StoredValue { rootObject._rlmStore(realm) }
  /// For `RealmCollectionValue`: what to look for in order to find the element; nil when it cannot be there.
  public func _rlmSearchValue(_ realm: RealmCore) -> StoredValue? { rootObject._rlmSearchValue(realm) }
  /// For `RealmCollectionValue`: makes an element of a value of another type; nil when it does not fit.
  public static func _rlmCoerceElement(_ value: Any) -> Self? {
    (value as? Self) ?? Root._rlmCoerceElement(value).map { self.init(projecting: $0) }
  }
  /// For `RealmCollectionValue`: the element as key-value coding sees it.
  public var _rlmDynamicElement: Any? { rootObject._rlmDynamicElement }
}

extension Projection: CustomStringConvertible {}

extension Projection: KeypathSortable {}

extension Projection: ThreadConfined {
  /// The realm that manages the root object; nil if the root object is unmanaged.
  public var realm: Realm? { rootObject.realm }
  /// Whether the projection can no longer be used, because the root object was deleted or its realm
  /// invalidated.
  public var isInvalidated: Bool { rootObject._isManaged && !rootObject._isAlive }
  /// Whether the root object belongs to a frozen realm and never changes.
  public var isFrozen: Bool { rootObject._realm?.isFrozen ?? false }
}

extension Projection: RealmFetchable where Root: RealmFetchable {
  /// Returns the name of the class of the root object.
  public static func className() -> String { Root.className() }
}

/// The common protocol of projections of all root classes.
public protocol ProjectionObservable: AnyObject, ThreadConfined {
  /// The class of the root object.
  associatedtype Root: ObjectBase & RealmCollectionValue
  /// The object that the projection shows.
  var rootObject: Root { get }
  /// Creates a projection of an object.
  init(projecting object: Root)
}

extension Projection: ProjectionObservable {}

extension ProjectionObservable {
  /// The dotted names of the root object's properties that a key path reads.
  static func originName(of keyPath: PartialKeyPath<Self>) -> String {
    KeyPathRecorder.name(of: keyPath) {
      Self(projecting: unsafeDowncast(KeyPathRecorder.recorder(of: Root.self), to: Root.self))
    }
  }
}

/// The dotted names of the root object's properties that a key path of a projection reads.
public func _name<O: ObjectBase, T: Projection<O>>(for keyPath: PartialKeyPath<T>) -> String {
  T.originName(of: keyPath)
}
