// What was declared like this before `@Persisted` cannot be: it needs the runtime of Objective-C, or would be the only
// thing of its kind that does not. The compiler says how to write it.

/// A former type of properties, which is not available: declare the property with `@Persisted`.
@available(
  *, unavailable,
  message:
    "Declare an optional property with '@Persisted var age: Int?' instead of 'let age = RealmOptional<Int>()'."
)
public final class RealmOptional<Value> {
  /// Stands for the former initialiser, which is not available.
  public init(_ value: Value? = nil) { self.value = value }
  /// A value that is not available.
  public var value: Value?
}

/// A former type of properties, which is not available: declare the property with `@Persisted`.
@available(
  *, unavailable,
  message:
    "Declare the property with '@Persisted var value: AnyRealmValue', or '@Persisted var age: Int?', instead of 'let value = RealmProperty<AnyRealmValue>()'."
)
public final class RealmProperty<Value> {
  /// Stands for the former initialiser, which is not available.
  public init() { fatalError() }
  /// A value that is not available.
  public var value: Value { fatalError() }
}
