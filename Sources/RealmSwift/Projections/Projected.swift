/// A property of a projection: a part of its root object, found by a key path.
///
///     class PersonProjection: Projection<Person> {
///       @Projected(\Person.firstName) var firstName
///       @Projected(\Person.address?.city) var homeCity
///       @Projected(\Person.friends.projectTo.firstName) var friendsNames
///     }
///
/// It is read from the root object whenever it is asked for. When the key path is writable, setting it changes the
/// root object, which for a managed one takes a write transaction.
@propertyWrapper
public struct Projected<T: ObjectBase & RealmCollectionValue, Value> {
  let keyPath: KeyPath<T, Value>

  /// The part of the root object that a key path leads to, which must begin with a persisted property.
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
