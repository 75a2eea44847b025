import Storage

/// What an observer remembers of a collection, to tell what has changed in it.
protocol CollectionTracker: AnyObject {
  /// What of the elements counts.
  var keyPaths: ObservedKeyPaths { get }

  /// Reads the collection as it is now.
  func start()

  /// Moves to the present version.
  func update(_ context: ChangeContext) -> CollectionChangeSet
}

extension _CollectionOrigin {
  /// Looks up what an observer wants to know of the elements. Stops the program when the collection is in memory only, or a
  /// property does not exist.
  @discardableResult
  func observedKeyPaths(_ keyPaths: [String]?) -> ObservedKeyPaths {
    switch kind {
    case .unmanaged: UnmanagedCollection.notObserved()
    case .stored(let collection):
      let table = collection.source.type == .link ? collection.source.target : nil
      return collection.realm.observedKeyPaths(keyPaths, table: table)
    case .nested: return .everything
    case .query(let core):
      if core.isOfValues { return .everything }
      return core.realm.observedKeyPaths(keyPaths, table: core.classTable.table.number)
    }
  }

  /// The tracker of the collection. Stops the program when it is in memory only, or a property does not exist.
  func tracker(keyPaths: [String]?) -> any CollectionTracker { tracker(observedKeyPaths(keyPaths)) }

  /// The tracker of the collection. Stops the program when it is in memory only.
  func tracker(_ keyPaths: ObservedKeyPaths) -> any CollectionTracker {
    switch kind {
    case .unmanaged: UnmanagedCollection.notObserved()
    case .stored(let collection): return StoredCollectionTracker(collection, keyPaths)
    case .nested(let collection):
      return ValuesTracker(keepsOrder: true) { collection.isValid ? collection.values : [] }
    case .query(let core):
      if core.isOfValues { return ValuesTracker(keepsOrder: false) { core.values } }
      switch (core.source, core.steps.isEmpty) {
      case (.table, true): return TableTracker(core.realm, table: core.classTable.table.number, keyPaths)
      default: return QueryTracker(core, keyPaths)
      }
    }
  }
}
