import Storage

/// Observes a collection.
final class CollectionObserver: Observer {
  private let tracker: any CollectionTracker
  /// Called with nil first, then with each change.
  private let block: (CollectionChangeSet?) -> Void

  init(_ tracker: any CollectionTracker, _ block: @escaping (CollectionChangeSet?) -> Void) {
    self.tracker = tracker
    self.block = block
  }

  var hasInitialCall: Bool { true }

  func start() -> ObserverCall? {
    tracker.start()
    return ObserverCall { [block] in block(nil) }
  }

  func update(_ context: ChangeContext) -> ObserverCall? {
    let changes = tracker.update(context)
    return changes.isEmpty ? nil : ObserverCall { [block] in block(changes) }
  }
}

/// Observes a map.
final class MapObserver: Observer {
  struct Changes {
    let deletions: [String]
    let insertions: [String]
    let modifications: [String]
  }

  private let tracker: any MapTracker
  private let block: (Changes?) -> Void

  init(_ tracker: any MapTracker, _ block: @escaping (Changes?) -> Void) {
    self.tracker = tracker
    self.block = block
  }

  var hasInitialCall: Bool { true }

  func start() -> ObserverCall? {
    tracker.start()
    return ObserverCall { [block] in block(nil) }
  }

  func update(_ context: ChangeContext) -> ObserverCall? {
    let old = tracker.keys
    let changes = tracker.update(context)
    if changes.isEmpty { return nil }
    let new = tracker.keys
    let named = Changes(
      deletions: changes.deletions.members.map { old[$0] },
      insertions: changes.insertions.members.map { new[$0] },
      modifications: changes.modifications.members.map { old[$0] })
    return ObserverCall { [block] in block(named) }
  }
}
