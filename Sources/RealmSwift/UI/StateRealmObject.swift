#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// A property wrapper that holds an object, collection or projection that a view owns and displays frozen
/// copies of it.
///
/// ```swift
/// struct NewHut: View {
///   @StateRealmObject var hut = Hut()
///
///   var body: some View {
///     TextField("Name", text: $hut.name)
///   }
/// }
/// ```
@MainActor @propertyWrapper
public struct StateRealmObject<T: RealmSubscribable & ThreadConfined & Equatable>: DynamicProperty {
  @StateObject private var storage: ViewValue<T>

  private init(_ value: T, placeholder: @escaping @MainActor () -> T) {
    _storage = StateObject(wrappedValue: ViewValue(value, placeholder: placeholder))
  }

  /// Creates the property wrapper with an initial value.
  public init(wrappedValue: T) where T: ObjectBase & Identifiable {
    self.init(wrappedValue) { T() }
  }
  /// Creates the property wrapper with an initial value.
  public init<Value>(wrappedValue: T) where T == List<Value> {
    self.init(wrappedValue) { T() }
  }
  /// Creates the property wrapper with an initial value.
  public init<Value>(wrappedValue: T) where T == MutableSet<Value> {
    self.init(wrappedValue) { T() }
  }
  /// Creates the property wrapper with an initial value.
  public init<Key, Value>(wrappedValue: T) where T == Map<Key, Value> {
    self.init(wrappedValue) { T() }
  }
  /// Creates the property wrapper with an initial value.
  public init(wrappedValue: T) where T: ProjectionObservable {
    self.init(wrappedValue) { T(projecting: T.Root()) }
  }

  /// The displayed value: frozen if it is managed, a new object if it was deleted.
  public var wrappedValue: T {
    get { storage.shown }
    nonmutating set { storage.value = ViewValue.live(newValue) }
  }

  /// A binding to the value, and through it to its properties.
  public var projectedValue: Binding<T> {
    let storage = storage
    storage.observe()
    return Binding(
      get: { @MainActor in storage.shown }, set: { @MainActor in storage.value = ViewValue.live($0) })
  }
}
