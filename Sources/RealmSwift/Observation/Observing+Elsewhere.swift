import Dispatch
import Foundation

extension ThreadConfined {
  /// Begins an observation on a queue, with what is observed as the queue's realm has it. Nothing is observed when it
  /// is gone by the time the queue gets to it.
  ///
  /// - Parameter observer: Makes the observer, on the queue.
  func _observe(
    on queue: DispatchQueue, _ realm: RealmCore, observer: @escaping (Self, RealmCore) -> any Observer
  ) -> NotificationToken {
    let token = NotificationToken()
    nonisolated(unsafe) let make = observerMaker(observer)
    let (configuration, openedAt) = (realm.configuration, realm.openedAt)
    // Keeps the file open, and the version that is seen here.
    nonisolated(unsafe) let source: RealmCore? = realm.frozen()
    queue.async { [weak token] in
      defer { withExtendedLifetime(source) {} }
      guard let token, token.isValid else { return }
      guard let core = try? Opening.open(configuration, at: .queue(queue), from: openedAt) else { return }
      if let source { core.advance(atLeastTo: source.snapshot.version) }
      if let observer = make(core) { core.begin(observer, for: token) }
    }
    return token
  }

  /// Begins an observation on an actor, with what is observed as the actor's realm has it. The returned token is invalid if the
  /// task was cancelled, or what is to be observed was deleted, in between.
  func _observe<A: Actor>(
    on actor: A, _ realm: RealmCore, _isolation: isolated (any Actor)? = #isolation,
    observer: @escaping (Self, RealmCore) -> any Observer
  ) async -> NotificationToken {
    let token = NotificationToken()
    nonisolated(unsafe) let make = observerMaker(observer)
    nonisolated(unsafe) let source = realm.frozen()
    let (configuration, openedAt) = (realm.configuration, realm.openedAt)
    await begin(on: actor) {
      guard !Task.isCancelled,
        let core = try? Opening.open(configuration, at: .actor(actor), from: openedAt)
      else { return }
      core.advance(atLeastTo: source.snapshot.version)
      if let observer = make(core) { core.begin(observer, for: token) }
    }
    if token.registration == nil { token.invalidate() }
    return token
  }

  /// Makes the observer of what this is in another realm; nil when it is not there.
  private func observerMaker(
    _ make: @escaping (Self, RealmCore) -> any Observer
  ) -> (RealmCore) -> (any Observer)? {
    let place = _rlmRelocation
    return { core in (place.find(core) as? Self).map { make($0, core) } }
  }
}

/// Runs a body where an actor is.
private func begin<A: Actor>(on actor: isolated A, _ body: @Sendable () -> Void) {
  body()
}

extension Actor {
  /// Calls a block that belongs to the actor, which is where this runs.
  nonisolated func _call<Change>(_ block: (isolated Self, Change) -> Void, _ change: Change) {
    nonisolated(unsafe) let change = change
    nonisolated(unsafe) let block = block
    assumeIsolated { block($0, change) }
  }
}
