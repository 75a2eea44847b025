// Grouping, for every kind of collection.
extension RealmCollection {
  /// Returns the elements, sorted, in sections by keys that a block computes.
  ///
  /// The block is called once per element whenever the sections are computed, and must return the same key
  /// while the element is unchanged. Stops the program if the collection is unmanaged.
  public func sectioned<Key: _Persistable>(
    sortDescriptors: [SortDescriptor], _ keyBlock: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    SectionedResults(sorted(by: sortDescriptors), by: keyBlock)
  }

  /// Returns the elements, sorted, in sections by keys that a block computes.
  ///
  /// To have the sections in the order of their keys, sort by the properties from which the keys are
  /// computed. Stops the program if there is no sort descriptor, or if the collection is unmanaged.
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
  /// Returns the objects in sections by the value of a property, sorted by that property.
  ///
  /// ```swift
  /// let sections = realm.objects(Trail.self).sectioned(by: \.difficulty)
  /// ```
  ///
  /// The property can also be one that the class computes from a stored property, by which the objects are
  /// sorted in this case.
  public func sectioned<Key: _Persistable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    sectioned(
      by: keyPath, sortDescriptors: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)])
  }

  /// Returns the objects in sections by the value of a property, in an order whose first key must be that
  /// property.
  public func sectioned<Key: _Persistable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sectioned(by: keyPath, named: _name(for: keyPath), sortDescriptors)
  }
}

extension RealmCollection {
  /// Returns the values, in order, in sections by keys that a block computes.
  ///
  /// Stops the program for objects, which have no order of their own: use the method with sort descriptors
  /// for them.
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
      // The official wording. language: allowed
      trap("Can not section Results with empty sortDescriptor parameter.")
    }
    if first.keyPath != name { trap("The section key path must match the primary sort descriptor.") }
    return sectioned(sortDescriptors: sortDescriptors) { $0[keyPath: keyPath] }
  }
}
