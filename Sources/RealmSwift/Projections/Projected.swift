/// A property of a projection: a part of its root object, given by a key path.
///
/// ```swift
/// class HutOverview: Projection<Hut> {
///   @Projected(\Hut.name) var title
///   @Projected(\Hut.warden?.name) var wardenName
///   @Projected(\Hut.visits.projectTo.guest) var guests
/// }
/// ```
///
/// It is read from the root object at each access. If the key path is writable, setting the property changes
/// the root object, which requires a write transaction if it is managed.
@propertyWrapper
public struct Projected<T: ObjectBase & RealmCollectionValue, Value> {
  let keyPath: KeyPath<T, Value>

  /// Creates a property from a key path of the root object, which must begin with a persisted property.
  public init(_ projectedKeyPath: KeyPath<T, Value>) { keyPath = projectedKeyPath }

  /// Not to be used: properties are read and written through their projection.
  @available(*, unavailable, message: "@Projected can only be used as a property on a Projection")
  public var wrappedValue: Value {
    get { fatalError() }
    set { fatalError() }
  }

  /// For the compiler: reads and writes the property through the root object.
  public static subscript<EnclosingSelf: Projection<T>>(
    _enclosingInstance projection: EnclosingSelf,
    wrapped _: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storage: ReferenceWritableKeyPath<EnclosingSelf, Projected<T, Value>>
  ) -> Value {
    get { projection.rootObject[keyPath: projection[keyPath: storage].keyPath] }
    set {
      guard let writable = projection[keyPath: storage].keyPath as? WritableKeyPath<T, Value> else {
        preconditionFailure("KeyPath is not writable")
      }
      var root = projection.rootObject
      root[keyPath: writable] = newValue
    }
  }
}

/// A `Projected` of any type, to be found in a projection.
protocol AnyProjected {
  var anyKeyPath: AnyKeyPath { get }
}

extension Projected: AnyProjected {
  var anyKeyPath: AnyKeyPath { keyPath }
}
