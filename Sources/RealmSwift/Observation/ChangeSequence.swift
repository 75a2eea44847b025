import Dispatch
import Foundation
import Storage

/// The changes of an object, a collection or a realm, for `for await` in any task.
///
///     for await change in realm.objects(Dog.self).changes {
///       if case .update(let dogs, _, let insertions, _) = change { print(dogs.count, insertions) }
///     }
///
/// What it gives is frozen, so that tasks may keep it and read it wherever they run. No run loop is needed. While a
/// task is busy with one change, those that follow become one: nothing is queued, and only the version that was given
/// last is kept in the file. Each iteration begins anew with what there is.
///
/// The sequence ends when the task is cancelled, or the object is deleted.
public struct ChangeSequence<Element>: AsyncSequence, @unchecked Sendable {
  public typealias Failure = Never

  let configuration: Realm.Configuration
  /// Where the program opened the realm that the sequence was made with.
  let openedAt: CodeLocation?
  /// Begins the observation in the realm of the feed's queue; nil when there is nothing to observe.
  let observe: (RealmCore, @escaping (Element, _ isLast: Bool) -> Void) -> NotificationToken?

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(feed: ChangeFeed(configuration, openedAt, observe))
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let feed: ChangeFeed<Element>

    /// Waits for the next change; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await feed.next(isolation: actor)
    }

    public mutating func next() async -> Element? { await feed.next(isolation: nil) }
  }
}

/// One iteration over changes: a realm on a queue of its own, which looks for changes only when asked for one.
final class ChangeFeed<Element>: @unchecked Sendable {
  /// Everything below is used on this queue.
  private let queue = DispatchQueue(label: "changes")
  private let configuration: Realm.Configuration
  private let openedAt: CodeLocation?
  private let observe: (RealmCore, @escaping (Element, Bool) -> Void) -> NotificationToken?
  private var core: RealmCore?
  private var tokens: [NotificationToken] = []
  private var ready: Element?
  private var waiter: CheckedContinuation<Given, Never>?
  private var hasBegun = false
  private var isFinished = false

  /// What is given is frozen, so that any thread may have it.
  private struct Given: @unchecked Sendable {
    let element: Element?
  }

  init(
    _ configuration: Realm.Configuration, _ openedAt: CodeLocation?,
    _ observe: @escaping (RealmCore, @escaping (Element, Bool) -> Void) -> NotificationToken?
  ) {
    self.configuration = configuration
    self.openedAt = openedAt
    self.observe = observe
  }

  deinit {
    // The realm must be let go of where it belongs.
    nonisolated(unsafe) let core = core
    let tokens = tokens
    self.core = nil
    self.tokens = []
    queue.async { withExtendedLifetime((core, tokens)) {} }
  }

  func next(isolation: isolated (any Actor)?) async -> Element? {
    let given = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { self.ask(continuation) }
      }
    } onCancel: {
      queue.async { self.finish() }
    }
    return given.element
  }

  private func ask(_ continuation: CheckedContinuation<Given, Never>) {
    waiter = continuation
    if !hasBegun { begin() }
    look()
  }

  private func begin() {
    hasBegun = true
    guard let core = try? Opening.open(configuration, at: .queue(queue), from: openedAt) else {
      return finish()
    }
    core.autorefresh = false
    self.core = core
    let news = Realm(core).observe { [unowned self] notification, _ in
      if notification == .refreshRequired { hear() }
    }
    let token = observe(core) { [unowned self] element, isLast in
      ready = element
      if isLast { isFinished = true }
    }
    guard let token else { return finish() }
    tokens = [news, token]
  }

  /// There is a newer version.
  private func hear() {
    if waiter != nil {
      look()
    } else {
      // The old version need not be kept for a task that is busy.
      core?.followQuietly()
    }
  }

  /// Gives the task what there is.
  private func look() {
    guard let waiter else { return }
    if ready == nil, !isFinished { _ = core?.refresh() }
    if ready == nil, !isFinished { return }
    self.waiter = nil
    let element = ready
    ready = nil
    waiter.resume(returning: Given(element: element))
    if element == nil { finish() }
  }

  private func finish() {
    isFinished = true
    hasBegun = true
    ready = nil
    tokens = []
    core = nil
    look()
  }
}

// MARK: What can be followed

extension RealmCollection {
  /// The changes of the collection, beginning with the collection as it is.
  public var changes: ChangeSequence<RealmCollectionChange<Self>> { changes(keyPaths: nil) }

  /// The changes of the collection, of its elements only those of some properties.
  ///
  /// Stops the program for collections in memory or of a frozen or read-only realm, and when a property does not
  /// exist.
  public func changes(keyPaths: [String]?) -> ChangeSequence<RealmCollectionChange<Self>> {
    guard let realm = realm?.core else { UnmanagedCollection.notObserved() }
    realm.checkFollowable()
    _ = CollectionTracker.make(_rlmOrigin, keyPaths: keyPaths)
    let place = _rlmRelocation
    return ChangeSequence(configuration: realm.configuration, openedAt: realm.openedAt) { core, give in
      guard let found = place.find(core) as? Self else { return nil }
      let tracker = CollectionTracker.make(found._rlmOrigin, keyPaths: keyPaths)
      return core.begin(
        CollectionObserver(core, tracker) { changes in
          guard !found.isInvalidated else { return }
          give(RealmCollectionChange(found.freeze(), changes), false)
        })
    }
  }
}

extension Map {
  /// The changes of the map, beginning with the map as it is.
  public var changes: ChangeSequence<RealmMapChange<Map>> {
    guard let realm = realm?.core else { UnmanagedCollection.notObserved() }
    realm.checkFollowable()
    let place = _rlmRelocation
    return ChangeSequence(configuration: realm.configuration, openedAt: realm.openedAt) { core, give in
      guard let found = place.find(core) as? Map else { return nil }
      return core.begin(
        MapObserver(core, found.makeTracker(nil)) { changes in
          guard !found.isInvalidated else { return }
          give(RealmMapChange(found.freeze(), changes), false)
        })
    }
  }
}

extension ThreadConfined where Self: ObjectBase {
  /// The changes of the object's properties, until it is deleted.
  public var changes: ChangeSequence<ObjectChange<Self>> { changes(keyPaths: nil) }

  /// The changes of some of the object's properties, until it is deleted.
  ///
  /// Stops the program for objects in memory or of a frozen or read-only realm, and when a property does not exist.
  public func changes(keyPaths: [String]?) -> ChangeSequence<ObjectChange<Self>> {
    guard _isManaged, let realm = _realm else {
      trap("Only objects which are managed by a Realm support change notifications")
    }
    realm.checkFollowable()
    if !_isAlive { trap(.objectInvalidated) }
    _ = realm.observedKeyPaths(keyPaths, table: _table.number)
    let place = _rlmRelocation
    return ChangeSequence(configuration: realm.configuration, openedAt: realm.openedAt) { core, give in
      guard let found = place.find(core) as? Self else { return nil }
      return core.begin(
        ObjectObserver(found, core, core.observedKeyPaths(keyPaths, table: found._table.number)) { changes in
          if let changes {
            give(.change(found.freeze(), changes.map { $0.frozen() }), false)
          } else {
            give(.deleted, true)
          }
        })
    }
  }
}

extension PropertyChange {
  /// The same with frozen objects; those that are gone are left out.
  fileprivate func frozen() -> PropertyChange {
    func freeze(_ value: Any?) -> Any? {
      guard let value, let object = Coercion.object(value) else { return value }
      return object._isAlive ? object.frozenObject() : nil
    }
    return PropertyChange(name: name, oldValue: freeze(oldValue), newValue: freeze(newValue))
  }
}

extension Realm {
  /// The versions of the realm as frozen realms, each after a change by anybody.
  ///
  /// Stops the program for frozen and read-only realms.
  public var changes: ChangeSequence<Realm> {
    core.checkFollowable()
    return ChangeSequence(configuration: core.configuration, openedAt: core.openedAt) { core, give in
      core.begin(VersionObserver(core) { [unowned core] in give(Realm(core).freeze(), false) })
    }
  }
}

/// Is told, as collections are, that there is another version.
private final class VersionObserver: Observer, @unchecked Sendable {
  private let block: () -> Void

  init(_ realm: RealmCore, _ block: @escaping () -> Void) {
    self.block = block
    super.init(realm)
    version = realm.snapshot.version
  }

  override func update(_ context: ChangeContext) -> (() -> Void)? { block }
}

extension RealmCore {
  /// Stops the program unless there can be changes.
  func checkFollowable() {
    checkThread()
    if isFrozen { trap("Frozen Realms do not change and do not have change notifications.") }
    if configuration.readOnly {
      trap("Read-only Realms do not change and do not have change notifications.")
    }
    commitGroup()
  }

  /// Moves to the newest version without telling observers, who are told when they are asked for.
  fileprivate func followQuietly() {
    if (try? snapshot.advance()) ?? false { notifier?.follow() }
  }
}
