#if canImport(SwiftUI)
  public import SwiftUI
#endif

@MainActor enum PropertyBinding {
  /// A binding to a property. It holds the live object.
  ///
  /// - Parameter changed: Called after the property of an object in memory was set; managed ones tell by themselves.
  static func make<Root: ThreadConfined, Value>(
    _ root: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>,
    changed: @escaping @MainActor (Root) -> Void = { _ in }
  ) -> Binding<Value> {
    let root = root.isFrozen ? root.thaw() ?? root : root
    let last = LastValue(root.isInvalidated ? nil : root[keyPath: keyPath])
    return Binding(
      get: { @MainActor in root.isInvalidated ? last.value : last.note(root[keyPath: keyPath]) },
      set: { @MainActor new in
        if root.isInvalidated { return }
        guard let new = QuickWrite.stored(new) else { return }
        if !QuickWrite.isStored(new, instead: root[keyPath: keyPath]) {
          QuickWrite.write(root) { $0[keyPath: keyPath] = new }
        } else if !(new is any ThreadConfined) {
          return
        }
        // The content of a collection in memory may be another one.
        if root.realm == nil { changed(root) }
      })
  }

  /// What a binding gives once its object was deleted.
  @MainActor private final class LastValue<Value> {
    private var known: Value?

    init(_ value: Value?) {
      if let value { _ = note(value) }
    }

    /// Gives a value to a view. Links and collections are not remembered: they would keep the version that they show.
    func note(_ value: Value) -> Value {
      let shown = QuickWrite.shown(value)
      known = shown is any ThreadConfined ? nil : shown
      return shown
    }

    var value: Value {
      if let known { return known }
      if let type = Value.self as? any _Persistable.Type, let value = type._rlmDefaultValue() as? Value {
        return value
      }
      trap(.objectInvalidated)
    }
  }
}

extension Binding where Value: ObjectBase & ThreadConfined {
  /// A binding to a property. It returns frozen objects and collections, and sets values in a write
  /// transaction.
  ///
  /// Setting an equal value, or a property of a deleted object, has no effect.
  @MainActor
  public subscript<Subject>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    PropertyBinding.make(wrappedValue, keyPath) { wrappedValue = $0 }
  }
}

extension Binding where Value: ProjectionObservable {
  /// A binding to a projected property, with the rules of bindings to properties of objects.
  @MainActor
  public subscript<Subject>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    PropertyBinding.make(wrappedValue, keyPath) { wrappedValue = $0 }
  }
}

extension Binding where Value: Object {
  /// Deletes the object from its realm.
  @MainActor public func delete() {
    QuickWrite.delete(wrappedValue)
  }
}

extension Binding where Value: ProjectionObservable, Value.Root: ThreadConfined {
  /// Deletes the root object of the projection from its realm.
  @MainActor public func delete() {
    QuickWrite.delete(wrappedValue.rootObject)
  }
}

extension ThreadConfined where Self: ObjectBase {
  /// Returns a binding to a property of the object.
  @MainActor public func bind<Value>(_ keyPath: ReferenceWritableKeyPath<Self, Value>) -> Binding<Value> {
    PropertyBinding.make(self, keyPath)
  }
}

extension ProjectionObservable {
  /// Returns a binding to a projected property.
  @MainActor public func bind<Value>(_ keyPath: ReferenceWritableKeyPath<Self, Value>) -> Binding<Value> {
    PropertyBinding.make(self, keyPath)
  }
}
