#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// Shows frozen copies of an object, list or projection that comes from elsewhere, and follows its changes.
///
///     struct DogEditor: View {
///       @ObservedRealmObject var dog: Dog
///
///       var body: some View {
///         VStack {
///           TextField("Name", text: $dog.name)
///           Button("Delete") { $dog.delete() }
///         }
///       }
///     }
@MainActor @propertyWrapper
public struct ObservedRealmObject<ObjectType: RealmSubscribable & ThreadConfined & Equatable>:
  DynamicProperty
{
  @ObservedObject private var storage: ViewValue<ObjectType>

  private init(_ value: ObjectType, placeholder: @escaping @MainActor () -> ObjectType) {
    _storage = ObservedObject(wrappedValue: ViewValue(value, placeholder: placeholder))
  }

  /// Shows this value.
  public init(wrappedValue: ObjectType) where ObjectType: ObjectBase & Identifiable {
    self.init(wrappedValue) { ObjectType() }
  }
  /// Shows this value.
  public init<Value>(wrappedValue: ObjectType) where ObjectType == List<Value> {
    self.init(wrappedValue) { ObjectType() }
  }
  /// Shows this value.
  public init(wrappedValue: ObjectType) where ObjectType: ProjectionObservable {
    self.init(wrappedValue) { ObjectType(projecting: ObjectType.Root()) }
  }

  /// What is shown: frozen when it is managed, a new one when it was deleted.
  public var wrappedValue: ObjectType {
    get { storage.shown }
    set { storage.value = ViewValue.live(newValue) }
  }

  /// Bindings to the properties, and for lists the changes of `BoundCollection`.
  public var projectedValue: Wrapper {
    storage.observe()
    return Wrapper(storage: storage)
  }

  /// Gives bindings to the properties of the observed value.
  @MainActor @dynamicMemberLookup
  public struct Wrapper {
    fileprivate let storage: ViewValue<ObjectType>

    /// What is shown.
    public var wrappedValue: ObjectType { storage.shown }

    /// A binding to a property: it gives frozen objects and collections, and sets within a write transaction.
    ///
    /// Nothing is written when the value is what is there already, or the object was deleted.
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
  /// Deletes the object that the projection shows from its realm.
  public func delete() { QuickWrite.delete(storage.value.rootObject) }
}

extension ObservedRealmObject.Wrapper: BoundCollection where ObjectType: RealmCollection {
  /// What the collection has.
  public typealias Element = ObjectType.Element
  /// What is bound.
  public typealias Value = ObjectType
  /// For the bound collection: a collection in memory was changed.
  public func _rlmChanged(_ value: ObjectType) { storage.changed() }
}
