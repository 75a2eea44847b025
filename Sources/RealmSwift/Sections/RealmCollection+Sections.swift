// Grouping, for every kind of collection.
extension RealmCollection {
  /// The elements, sorted, in sections by the keys that a block computes for them.
  ///
  /// The block is called once per element whenever the sections are computed anew, and must give the same key as long
  /// as the element is the same. Stops the program for a collection in memory.
  public func sectioned<Key: _Persistable>(
    sortDescriptors: [SortDescriptor], _ keyBlock: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    SectionedResults(sorted(by: sortDescriptors), by: keyBlock)
  }

  /// The elements, sorted, in sections by the keys that a block computes for them.
  ///
  /// Sort by what the keys are computed from to have the sections in the order of their keys. Stops the program when
  /// there is no sort descriptor, or the collection is in memory.
  public func sectioned<Key: _Persistable>(
    by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    if sortDescriptors.isEmpty {
      trap("There must be at least one SortDescriptor when using SectionedResults.")
    }
    return sectioned(sortDescriptors: sortDescriptors, block)
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The objects in sections by the value of a property, sorted by it.
  ///
  /// The property may also be one that the class computes from a stored one, by which the objects are sorted then.
  public func sectioned<Key: _Persistable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    sectioned(
      by: keyPath, sortDescriptors: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)])
  }

  /// The objects in sections by the value of a property, in an order whose first key must be that property.
  public func sectioned<Key: _Persistable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sectioned(by: keyPath, named: _name(for: keyPath), sortDescriptors)
  }
}

extension RealmCollection {
  /// The values, in order, in sections by the keys that a block computes for them.
  ///
  /// Stops the program for objects, which have no order of their own: give sort descriptors for them.
  public func sectioned<Key: _Persistable>(
    by block: @escaping (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    sectioned(sortDescriptors: [SortDescriptor(keyPath: "self", ascending: ascending)], block)
  }
}

extension RealmCollection {
  /// The elements in sections by what a key path reads, which is called `name` in sort descriptors.
  func sectioned<Key: _Persistable>(
    by keyPath: KeyPath<Element, Key>, named name: String, _ sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    guard let first = sortDescriptors.first else {
      trap("Can not section Results with empty sortDescriptor parameter.")
    }
    if first.keyPath != name { trap("The section key path must match the primary sort descriptor.") }
    return sectioned(sortDescriptors: sortDescriptors) { $0[keyPath: keyPath] }
  }
}
