import Storage

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
