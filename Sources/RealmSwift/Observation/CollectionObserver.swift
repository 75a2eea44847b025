import Storage

/// Observes a collection.
final class CollectionObserver: Observer, @unchecked Sendable {
  private let tracker: CollectionTracker
  /// Called with nil first, then with each change.
  private let block: (CollectionChangeSet?) -> Void

  init(
    _ realm: RealmCore, _ tracker: CollectionTracker, _ block: @escaping (CollectionChangeSet?) -> Void
  ) {
    self.tracker = tracker
    self.block = block
    super.init(realm)
  }

  override func start() -> (() -> Void)? {
    tracker.start()
    return { [block] in block(nil) }
  }

  override func update(_ context: ChangeContext) -> (() -> Void)? {
    let changes = tracker.update(context)
    return changes.isEmpty ? nil : { [block] in block(changes) }
  }
}

/// Observes a map.
final class MapObserver: Observer, @unchecked Sendable {
  struct Changes {
    let deletions: [String]
    let insertions: [String]
    let modifications: [String]
  }

  private let tracker: any MapTracker
  private let block: (Changes?) -> Void

  init(_ realm: RealmCore, _ tracker: any MapTracker, _ block: @escaping (Changes?) -> Void) {
    self.tracker = tracker
    self.block = block
    super.init(realm)
  }

  override func start() -> (() -> Void)? {
    tracker.start()
    return { [block] in block(nil) }
  }

  override func update(_ context: ChangeContext) -> (() -> Void)? {
    let old = tracker.keys
    let changes = tracker.update(context)
    if changes.isEmpty { return nil }
    let new = tracker.keys
    let named = Changes(
      deletions: changes.deletions.members.map { old[$0] },
      insertions: changes.insertions.members.map { new[$0] },
      modifications: changes.modifications.members.map { old[$0] })
    return { [block] in block(named) }
  }
}
