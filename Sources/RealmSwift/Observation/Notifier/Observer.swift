/// An observer that follows something in a realm, from version to version: what was observed remembers what it looked like, and
/// the program's block is called when it has changed.
///
/// Used where the realm is used.
protocol Observer: AnyObject {
  /// Whether there is a call with what there is, before any change.
  var hasInitialCall: Bool { get }

  /// Reads the present state, and returns the initial call.
  func start() -> ObserverCall?

  /// Moves to the state after some changes. Returns the call to be made, or nil when nothing concerns the observer.
  func update(_ context: ChangeContext) -> ObserverCall?

  /// Is called when the realm has moved to another version, before observers of collections and objects are notified.
  func realmChanged()

  /// There is a newer version, which the realm does not move to by itself.
  func refreshRequired()
}

extension Observer {
  var hasInitialCall: Bool { false }
  func start() -> ObserverCall? { nil }
  func realmChanged() {}
  func refreshRequired() {}
}

/// A call of the program's block.
struct ObserverCall {
  /// Whether the observation ends with it.
  let isLast: Bool
  let body: () -> Void

  init(isLast: Bool = false, _ body: @escaping () -> Void) {
    self.isLast = isLast
    self.body = body
  }
}
