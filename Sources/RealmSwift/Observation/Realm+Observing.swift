/// A block that is called with the notifications of a realm.
public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void

extension Realm {
  /// A notification of a realm.
  @frozen public enum Notification: String, Sendable {
    /// The realm shows another version: it was written on this thread, or was refreshed.
    case didChange = "RLMRealmDidChangeNotification"
    /// Another thread or process has committed, and the realm, whose `autorefresh` is false, does not show
    /// the new version yet.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }

  /// Calls a block when the realm shows another version: immediately after a write on this thread, otherwise
  /// after each refresh.
  ///
  /// ```swift
  /// let token = realm.observe { _, realm in
  ///   print(realm.objects(Hut.self).count)
  /// }
  /// ```
  ///
  /// Stops the program for frozen and read-only realms, and on a thread without a running run loop.
  public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
    stopping { () throws(ProgrammerError) in try core.checkRealmObservation() }
    return core.begin(RealmObserver(core, block))
  }
}

/// Observes a realm as a whole.
private final class RealmObserver: Observer {
  private let realm: RealmCore
  private let block: NotificationBlock

  init(_ realm: RealmCore, _ block: @escaping NotificationBlock) {
    self.realm = realm
    self.block = block
  }

  func realmChanged() { block(.didChange, Realm(realm)) }
  func refreshRequired() { block(.refreshRequired, Realm(realm)) }
  func update(_ context: ChangeContext) -> ObserverCall? { nil }
}
