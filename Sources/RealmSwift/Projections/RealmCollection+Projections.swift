public import Dispatch

// Grouping projections: sort descriptors have the root object's names.
extension RealmCollection {
  /// Returns the projections in sections by the value of a projected property, sorted by the property of the
  /// root object that it shows.
  public func sectioned<Key: _Persistable, Root: ObjectBase>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> where Element: Projection<Root> {
    let name = _name(for: keyPath)
    return sectioned(by: keyPath, named: name, [SortDescriptor(keyPath: name, ascending: ascending)])
  }

  /// Returns the projections in sections by the value of a projected property, in an order whose first key
  /// must be the property of the root object that it shows.
  public func sectioned<Key: _Persistable, Root: ObjectBase>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> where Element: Projection<Root> {
    sectioned(by: keyPath, named: _name(for: keyPath), sortDescriptors)
  }
}

extension RealmCollection {
  /// Calls a block with the collection soon, and then after each transaction that changes it. The names of
  /// properties are those of the root objects that the key paths read.
  public func observe<Root: ObjectBase>(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken where Element: Projection<Root> {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Returns the changes of the collection, beginning with the collection as it is; of its projections only the changes
  /// of some properties. The names of properties are those of the root objects that the key paths read.
  public func changes<Root: ObjectBase>(
    keyPaths: [PartialKeyPath<Element>]
  ) -> ChangeSequence<RealmCollectionChange<Self>> where Element: Projection<Root> {
    changes(keyPaths: keyPaths.map { _name(for: $0) })
  }

  /// Returns a Sendable sequence of the program's own values, which a closure makes from the projections: first from the
  /// collection as it is, then after each change of some projected properties, each insertion and each deletion.
  ///
  /// - Parameters:
  ///   - keyPaths: The projected properties whose changes count; none for all.
  ///   - transform: Makes a value from the collection. It reads what the feed needs and writes nothing.
  public func changes<Root: ObjectBase, Value: Sendable>(
    keyPaths: [PartialKeyPath<Element>], map transform: @escaping @Sendable (Self) -> Value
  ) -> ChangeSequence<Value> where Element: Projection<Root> {
    changes(keyPaths: keyPaths.map { _name(for: $0) }, map: transform)
  }
}
