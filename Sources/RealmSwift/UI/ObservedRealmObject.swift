#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// A property wrapper that observes an object, list or projection of another owner and displays frozen copies
/// of it.
///
/// ```swift
/// struct HutForm: View {
///   @ObservedRealmObject var hut: Hut
///
///   var body: some View {
///     VStack {
///       TextField("Name", text: $hut.name)
///       Button("Delete") { $hut.delete() }
///     }
///   }
/// }
/// ```
@MainActor @propertyWrapper
public struct ObservedRealmObject<ObjectType: RealmSubscribable & ThreadConfined & Equatable>:
  DynamicProperty
{
  @ObservedObject private var storage: ViewValue<ObjectType>

  private init(_ value: ObjectType, placeholder: @escaping @MainActor () -> ObjectType) {
    _storage = ObservedObject(wrappedValue: ViewValue(value, placeholder: placeholder))
  }

  /// Creates the property wrapper with an object.
  public init(wrappedValue: ObjectType) where ObjectType: ObjectBase & Identifiable {
    self.init(wrappedValue) { ObjectType() }
  }
  /// Creates the property wrapper with a list.
  public init<Value>(wrappedValue: ObjectType) where ObjectType == List<Value> {
    self.init(wrappedValue) { ObjectType() }
  }
  /// Creates the property wrapper with a projection.
  public init(wrappedValue: ObjectType) where ObjectType: ProjectionObservable {
    self.init(wrappedValue) { ObjectType(projecting: ObjectType.Root()) }
  }

  /// The displayed value: frozen if it is managed, a new object if it was deleted.
  public var wrappedValue: ObjectType {
    get { storage.shown }
    set { storage.value = ViewValue.live(newValue) }
  }

  /// The bindings to the properties and, for lists, the methods of `BoundCollection`.
  public var projectedValue: Wrapper {
    storage.observe()
    return Wrapper(storage: storage)
  }

  /// Bindings to the properties of the observed value.
  @MainActor @dynamicMemberLookup
  public struct Wrapper {
    fileprivate let storage: ViewValue<ObjectType>

    /// The displayed value.
    public var wrappedValue: ObjectType { storage.shown }

    /// A binding to a property. It returns frozen objects and collections, and sets values in a write
    /// transaction.
    ///
    /// Setting an equal value, or a property of a deleted object, has no effect.
    public subscript<Subject>(
      dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
    ) -> Binding<Subject> {
      PropertyBinding.make(storage.value, keyPath) { [storage] _ in storage.changed() }
    }
  }
}

extension ObservedRealmObject.Wrapper where ObjectType: ObjectBase {
  /// Deletes the object from its realm.
  public func delete() { QuickWrite.delete(storage.value) }
}

extension ObservedRealmObject.Wrapper
where ObjectType: ProjectionObservable, ObjectType.Root: ThreadConfined {
  /// Deletes the root object of the projection from its realm.
  public func delete() { QuickWrite.delete(storage.value.rootObject) }
}

extension ObservedRealmObject.Wrapper: BoundCollection where ObjectType: RealmCollection {
  /// The type of the elements.
  public typealias Element = ObjectType.Element
  /// The type of the value.
  public typealias Value = ObjectType
  /// For the bound collection: a collection in memory was changed.
  public func _rlmChanged(_ value: ObjectType) { storage.changed() }
}
