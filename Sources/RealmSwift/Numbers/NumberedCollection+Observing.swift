extension NumberedCollection {
  /// Calls a closure with the collection soon, and then after each transaction that changes it.
  ///
  /// - Parameter keyPaths: The properties of the elements that count; none for all. Insertions and deletions always count.
  package func observe(
    keyPaths: [String], _ changed: @escaping (NumberedChanges) -> Void
  ) throws(Refusal) -> NotificationToken {
    try check()
    try realm.checkObservation()
    if origin != nil {
      throw Refusal(.frozen, "Snapshots do not change and do not have change notifications.")
    }
    let tracker = try tracker(keyPaths)
    let observer = NumberedCollectionObserver(
      realm, tracker, isMap: kind == .map, isPresent: { self.isPresent }, changed)
    return realm.core.begin(observer)
  }

  private func tracker(_ keyPaths: [String]) throws(Refusal) -> any CollectionTracker {
    let paths = try realm.observedKeyPaths(keyPaths, classNumber: isOfObjects ? classNumber : nil)
    guard case .backing(let backing) = content else {
      return _CollectionOrigin(kind: .query(query)).tracker(paths)
    }
    if case .nested(let nested) = backing.origin.kind, kind == .map { return NestedDictionaryTracker(nested) }
    return backing.origin.tracker(paths)
  }
}
