// What was declared like this before `@Persisted` can not be: it needs the runtime of Objective-C, or would be the only
// thing of its kind that does not. The compiler says how to write it.

/// Not available: declare the property with `@Persisted`.
@available(
  *, unavailable,
  message:
    "Declare an optional property with '@Persisted var age: Int?' instead of 'let age = RealmOptional<Int>()'."
)
public final class RealmOptional<Value> {
  /// Not available.
  public init(_ value: Value? = nil) { self.value = value }
  /// Not available.
  public var value: Value?
}

/// Not available: declare the property with `@Persisted`.
@available(
  *, unavailable,
  message:
    "Declare the property with '@Persisted var value: AnyRealmValue', or '@Persisted var age: Int?', instead of 'let value = RealmProperty<AnyRealmValue>()'."
)
public final class RealmProperty<Value> {
  /// Not available.
  public init() { fatalError() }
  /// Not available.
  public var value: Value { fatalError() }
}

#if !canImport(ObjectiveC)
  /// What `observe(_:options:changeHandler:)` is given where there is key-value observing.
  public struct _KeyValueObservingOptions: OptionSet, Sendable {
    /// The options in one number.
    public let rawValue: UInt
    /// Options from a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Ask for the new value.
    public static var new: Self { [] }
    /// Ask for the old value.
    public static var old: Self { [] }
    /// Ask for a call at once.
    public static var initial: Self { [] }
    /// Ask for a call before each change.
    public static var prior: Self { [] }
  }

  /// What key-value observing tells of a change where there is such a thing.
  public struct _KeyValueObservedChange<Value> {
    /// The value before.
    public var oldValue: Value? { nil }
    /// The value after.
    public var newValue: Value? { nil }
  }

  extension ThreadConfined where Self: ObjectBase {
    /// Not available: observe the object.
    @available(
      *, unavailable,
      message:
        "There is no key-value observing on Linux. Use 'observe(keyPaths: [\\.name]) { change in … }', which tells of changes of managed objects."
    )
    public func observe<Value>(
      _ keyPath: KeyPath<Self, Value>, options: _KeyValueObservingOptions = [],
      changeHandler: @escaping (Self, _KeyValueObservedChange<Value>) -> Void
    ) -> NotificationToken { fatalError() }

    /// Not available: observe the object.
    @available(
      *, unavailable,
      message:
        "There is no key-value observing on Linux. Use 'observe(keyPaths: [\"name\"]) { change in … }', which tells of changes of managed objects."
    )
    public func addObserver(
      _ observer: AnyObject, forKeyPath keyPath: String, options: _KeyValueObservingOptions = [],
      context: UnsafeMutableRawPointer?
    ) { fatalError() }

    /// Not available: observe the object.
    @available(
      *, unavailable,
      message: "There is no key-value observing on Linux. Invalidate the token that 'observe' returned."
    )
    public func removeObserver(_ observer: AnyObject, forKeyPath keyPath: String) { fatalError() }
  }
#endif
