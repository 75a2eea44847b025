public import Foundation

// What the compiler says of a property whose type cannot be stored.
//
// The compiler chooses an unavailable initialiser only if no available one fits the type. It chooses a deprecated one because
// its constraint is narrower than the one of the initialiser for all types that can be stored: what is deprecated here
// compiles, and the check of the schema refuses it at run time.
//
// Two constraints that fit the same type must not be equally narrow. The initialiser would be ambiguous, and the compiler
// would not print a message. An initialiser that is itself generic is never chosen: the one without a constraint is.

extension Persisted where Value: RawRepresentable {
  /// Not available: an enumeration must conform to `PersistableEnum`.
  @available(
    *, unavailable,
    message:
      "An enumeration can be stored if it conforms to PersistableEnum. Add the conformance to its declaration."
  )
  public init() { fatalError() }

  /// Not available: an enumeration must conform to `PersistableEnum`.
  @available(
    *, unavailable,
    message:
      "An enumeration can be stored if it conforms to PersistableEnum. Add the conformance to its declaration."
  )
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted where Value: OptionalProtocol, Value.Wrapped: RawRepresentable {
  /// Not available: an enumeration must conform to `PersistableEnum`.
  @available(
    *, unavailable,
    message:
      "An enumeration can be stored if it conforms to PersistableEnum. Add the conformance to its declaration."
  )
  public init() { fatalError() }

  /// Not available: an enumeration must conform to `PersistableEnum`.
  @available(
    *, unavailable,
    message:
      "An enumeration can be stored if it conforms to PersistableEnum. Add the conformance to its declaration."
  )
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted where Value: UnsignedInteger {
  /// Not available: unsigned integers cannot be stored.
  @available(
    *, unavailable,
    message: "An unsigned integer cannot be stored. Use Int, or a type that conforms to CustomPersistable."
  )
  public init() { fatalError() }

  /// Not available: unsigned integers cannot be stored.
  @available(
    *, unavailable,
    message: "An unsigned integer cannot be stored. Use Int, or a type that conforms to CustomPersistable."
  )
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted where Value: OptionalProtocol, Value.Wrapped: UnsignedInteger {
  /// Not available: unsigned integers cannot be stored.
  @available(
    *, unavailable,
    message: "An unsigned integer cannot be stored. Use Int, or a type that conforms to CustomPersistable."
  )
  public init() { fatalError() }

  /// Not available: unsigned integers cannot be stored.
  @available(
    *, unavailable,
    message: "An unsigned integer cannot be stored. Use Int, or a type that conforms to CustomPersistable."
  )
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted where Value: MutableCollection & RangeReplaceableCollection {
  /// Not available: arrays cannot be stored.
  @available(*, unavailable, message: "An array cannot be stored. Use a List, which is never optional.")
  public init() { fatalError() }

  /// Not available: arrays cannot be stored.
  @available(*, unavailable, message: "An array cannot be stored. Use a List, which is never optional.")
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted
where Value: OptionalProtocol, Value.Wrapped: MutableCollection & RangeReplaceableCollection {
  /// Not available: arrays cannot be stored.
  @available(*, unavailable, message: "An array cannot be stored. Use a List, which is never optional.")
  public init() { fatalError() }

  /// Not available: arrays cannot be stored.
  @available(*, unavailable, message: "An array cannot be stored. Use a List, which is never optional.")
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted where Value: SetAlgebra & Collection {
  /// Not available: sets of the standard library cannot be stored.
  @available(*, unavailable, message: "A Set cannot be stored. Use a MutableSet, which is never optional.")
  public init() { fatalError() }

  /// Not available: sets of the standard library cannot be stored.
  @available(*, unavailable, message: "A Set cannot be stored. Use a MutableSet, which is never optional.")
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted where Value: OptionalProtocol, Value.Wrapped: SetAlgebra & Collection {
  /// Not available: sets of the standard library cannot be stored.
  @available(*, unavailable, message: "A Set cannot be stored. Use a MutableSet, which is never optional.")
  public init() { fatalError() }

  /// Not available: sets of the standard library cannot be stored.
  @available(*, unavailable, message: "A Set cannot be stored. Use a MutableSet, which is never optional.")
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted where Value: ExpressibleByDictionaryLiteral {
  /// Not available: dictionaries cannot be stored.
  @available(*, unavailable, message: "A dictionary cannot be stored. Use a Map, which is never optional.")
  public init() { fatalError() }

  /// Not available: dictionaries cannot be stored.
  @available(*, unavailable, message: "A dictionary cannot be stored. Use a Map, which is never optional.")
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted where Value: OptionalProtocol, Value.Wrapped: ExpressibleByDictionaryLiteral {
  /// Not available: dictionaries cannot be stored.
  @available(*, unavailable, message: "A dictionary cannot be stored. Use a Map, which is never optional.")
  public init() { fatalError() }

  /// Not available: dictionaries cannot be stored.
  @available(*, unavailable, message: "A dictionary cannot be stored. Use a Map, which is never optional.")
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted where Value == Character {
  /// Not available: characters cannot be stored.
  @available(*, unavailable, message: "A character cannot be stored. Use String.")
  public init() { fatalError() }

  /// Not available: characters cannot be stored.
  @available(*, unavailable, message: "A character cannot be stored. Use String.")
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted where Value == URL {
  /// Not available: a URL cannot be stored.
  @available(
    *, unavailable,
    message: "A URL cannot be stored. Use String, or a type that conforms to FailableCustomPersistable."
  )
  public init() { fatalError() }

  /// Not available: a URL cannot be stored.
  @available(
    *, unavailable,
    message: "A URL cannot be stored. Use String, or a type that conforms to FailableCustomPersistable."
  )
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted where Value == URL? {
  /// Not available: a URL cannot be stored.
  @available(
    *, unavailable,
    message: "A URL cannot be stored. Use String, or a type that conforms to FailableCustomPersistable."
  )
  public init() { fatalError() }

  /// Not available: a URL cannot be stored.
  @available(
    *, unavailable,
    message: "A URL cannot be stored. Use String, or a type that conforms to FailableCustomPersistable."
  )
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted where Value: OptionalProtocol, Value.Wrapped: RealmCollection {
  /// Not available: collections are not optional.
  @available(*, unavailable, message: "A collection is never nil. Remove '?' from the type of the property.")
  public init() { fatalError() }

  /// Not available: collections are not optional.
  @available(*, unavailable, message: "A collection is never nil. Remove '?' from the type of the property.")
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted where Value: OptionalProtocol, Value.Wrapped: RealmKeyedCollection {
  /// Not available: collections are not optional.
  @available(*, unavailable, message: "A collection is never nil. Remove '?' from the type of the property.")
  public init() { fatalError() }

  /// Not available: collections are not optional.
  @available(*, unavailable, message: "A collection is never nil. Remove '?' from the type of the property.")
  public init(wrappedValue: Value) { fatalError() }
}

extension Persisted where Value: ObjectBase & _Persistable {
  /// Deprecated: a link must be optional.
  @available(*, deprecated, message: "A link must be optional. Add '?' to the type of the property.")
  public init() { value = nil }

  /// Deprecated: a link must be optional.
  @available(*, deprecated, message: "A link must be optional. Add '?' to the type of the property.")
  public init(wrappedValue: Value) { value = wrappedValue }

  /// Deprecated: a link must be optional.
  @available(*, deprecated, message: "A link must be optional. Add '?' to the type of the property.")
  public init(onDelete rule: DeleteRule) {
    value = nil
    attributes = rule.attribute
  }
}

extension Persisted where Value: RealmKeyedCollection & _Persistable, Value.Value: ObjectBase {
  /// Deprecated: links in a map must be optional.
  @available(
    *, deprecated,
    message: "The links in a map must be optional. Add '?' to the type of its values."
  )
  public init() { value = nil }

  /// Deprecated: links in a map must be optional.
  @available(
    *, deprecated,
    message: "The links in a map must be optional. Add '?' to the type of its values."
  )
  public init(onDelete rule: DeleteRule) {
    value = nil
    attributes = rule.attribute
  }
}

extension Persisted
where
  Value: RealmCollection & _Persistable, Value.Element: OptionalProtocol, Value.Element.Wrapped: ObjectBase
{
  /// Deprecated: links in a list or set must not be optional.
  @available(
    *, deprecated,
    message: "The links in a list or set are never nil. Remove '?' from the type of its elements."
  )
  public init() { value = nil }

  /// Deprecated: links in a list or set must not be optional.
  @available(
    *, deprecated,
    message: "The links in a list or set are never nil. Remove '?' from the type of its elements."
  )
  public init(onDelete rule: DeleteRule) {
    value = nil
    attributes = rule.attribute
  }
}
