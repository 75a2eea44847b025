#if !canImport(SwiftUI)
  import Dispatch

  // The names that the property wrappers need, with SwiftUI's meanings, where there is no SwiftUI.

  /// A value that can be read and written without owning it.
  @MainActor @propertyWrapper @dynamicMemberLookup
  public struct Binding<Value> {
    private let get: @MainActor () -> Value
    private let set: @MainActor (Value) -> Void

    /// Creates a binding that reads and writes by calling closures.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
      self.get = get
      self.set = set
    }

    /// Creates a binding to a value that never changes.
    public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

    /// The value, read from and written to its source.
    public var wrappedValue: Value {
      get { get() }
      nonmutating set { set(newValue) }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }

    /// A binding to a part of the value.
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
      Binding<Subject>(
        get: { wrappedValue[keyPath: keyPath] }, set: { wrappedValue[keyPath: keyPath] = $0 })
    }
  }

  /// A property that the body of a view depends on.
  @MainActor public protocol DynamicProperty {
    /// Updates the property before the body is computed.
    mutating func update()
  }

  extension DynamicProperty {
    /// Updates the property before the body is computed.
    public mutating func update() {}
  }

  /// A key of `EnvironmentValues`.
  public protocol EnvironmentKey {
    /// The type of the key's value.
    associatedtype Value
    /// The value if none was set.
    static var defaultValue: Value { get }
  }

  /// The values that views inherit from their parent views.
  public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    /// Creates default values.
    public init() {}

    /// The value of a key; the default if none was set.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
      get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
      set { values[ObjectIdentifier(key)] = newValue }
    }
  }

  /// A notifier of when the body of a view must be computed again, which SwiftUI does by itself.
  ///
  /// ```swift
  /// let updates = ViewUpdates(of: view) { print(view.body) }
  /// ```
  ///
  /// The view is any value with stored dynamic properties. Their content is observed while this instance
  /// exists.
  @MainActor public final class ViewUpdates {
    private let block: @MainActor () -> Void
    private var isScheduled = false
    private var subscriptions: [ObservableObjectPublisher.Subscription] = []

    /// Begins to observe a view.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - environment: The environment of the view's properties.
    ///   - block: A block that is called on the main queue some time after one or several changes.
    public init(
      of view: Any, environment: EnvironmentValues = EnvironmentValues(),
      _ block: @escaping @MainActor () -> Void
    ) {
      self.block = block
      connect(view, environment)
    }

    private func connect(_ value: Any, _ environment: EnvironmentValues) {
      for child in Mirror(reflecting: value).children {
        if let reading = child.value as? any EnvironmentReading {
          reading.install(environment)
        } else if let source = child.value as? any UpdateSource {
          subscriptions.append(source.publisher.subscribe { [weak self] in self?.schedule() })
        } else if child.value is any DynamicProperty {
          connect(child.value, environment)
        }
      }
    }

    private func schedule() {
      if isScheduled { return }
      isScheduled = true
      DispatchQueue.main.async { [weak self] in
        guard let self else { return }
        isScheduled = false
        block()
      }
    }
  }

  // MARK: Not for programs

  @MainActor private protocol EnvironmentReading {
    func install(_ values: EnvironmentValues)
  }

  @MainActor private protocol UpdateSource {
    var publisher: ObservableObjectPublisher { get }
  }

  @MainActor protocol ObservableObject: AnyObject {
    var objectWillChange: ObservableObjectPublisher { get }
  }

  final class ObservableObjectPublisher {
    @MainActor final class Subscription {
      fileprivate let call: @MainActor () -> Void
      fileprivate init(_ call: @escaping @MainActor () -> Void) { self.call = call }
    }

    private struct Subscriber { weak var subscription: Subscription? }
    private var subscribers: [Subscriber] = []

    @MainActor func subscribe(_ call: @escaping @MainActor () -> Void) -> Subscription {
      let subscription = Subscription(call)
      subscribers.append(Subscriber(subscription: subscription))
      return subscription
    }

    @MainActor func send() {
      subscribers.removeAll { $0.subscription == nil }
      for subscriber in subscribers { subscriber.subscription?.call() }
    }
  }

  @MainActor @propertyWrapper struct ObservedObject<Source: ObservableObject>: DynamicProperty, UpdateSource {
    let wrappedValue: Source

    init(wrappedValue: Source) { self.wrappedValue = wrappedValue }

    fileprivate var publisher: ObservableObjectPublisher { wrappedValue.objectWillChange }
  }

  @MainActor @propertyWrapper struct StateObject<Source: ObservableObject>: DynamicProperty, UpdateSource {
    private final class Box {
      lazy var object = make()
      let make: () -> Source
      init(_ make: @escaping () -> Source) { self.make = make }
    }

    private let box: Box

    init(wrappedValue: @autoclosure @escaping () -> Source) { box = Box(wrappedValue) }

    var wrappedValue: Source { box.object }
    fileprivate var publisher: ObservableObjectPublisher { box.object.objectWillChange }
  }

  @MainActor @propertyWrapper struct Environment<Value>: DynamicProperty, EnvironmentReading {
    private final class Box { var values = EnvironmentValues() }

    private let box = Box()
    private let keyPath: KeyPath<EnvironmentValues, Value>

    init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

    var wrappedValue: Value { box.values[keyPath: keyPath] }
    fileprivate func install(_ values: EnvironmentValues) { box.values = values }
  }
#endif
