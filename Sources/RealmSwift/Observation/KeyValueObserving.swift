// Key-value observing needs the runtime of Objective-C. The compiler says what there is instead.
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
