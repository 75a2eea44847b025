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
