import Storage

/// An asynchronous sequence of the changes of an object, a collection or a realm, for `for await` in any task.
///
/// ```swift
/// for await change in realm.objects(Hut.self).changes {
///   if case .update(let huts, _, let insertions, _) = change { print(huts.count, insertions) }
/// }
/// ```
///
/// The sequence itself is Sendable. Each iteration opens a realm of its own in the background and begins with the newest
/// version of the file. No run loop is needed.
///
/// - **Elements.** The elements of `changes` hold frozen objects and collections. The elements of `changes(map:)` are
///   values that the program makes from live ones.
/// - **Back-pressure.** Nothing is queued: changes that occur while the task is busy arrive as one. Only the version
///   that was delivered last is kept in the file.
/// - **End.** The sequence ends when the task is cancelled; the sequence of an object when the object is deleted; the
///   sequence of a list, set, map or of linking objects when the object that they belong to is deleted. It also ends
///   when the file cannot be opened for the iteration, which is logged as an error.
public struct ChangeSequence<Element>: AsyncSequence, @unchecked Sendable {
  /// The type of errors: a sequence never throws.
  public typealias Failure = Never

  let configuration: Realm.Configuration
  /// Where the program opened the realm that the sequence was made with.
  let openedAt: CodeLocation?
  /// Begins the observation in the realm of the feed's queue; nil when there is nothing to observe.
  let observe: (RealmCore, @escaping (Element) -> Void) -> ChangeFeed<Element>.Observation?

  /// Begins an iteration.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(feed: ChangeFeed(configuration, openedAt, observe))
  }

  /// The iterator of a sequence of changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let feed: ChangeFeed<Element>

    /// Waits for the next change and returns it, or returns nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await feed.next(isolation: actor)
    }

    /// Waits for the next change and returns it, or returns nil at the end.
    public mutating func next() async -> Element? { await feed.next(isolation: nil) }
  }
}

extension ThreadConfined {
  /// Returns the sequence of what an observer delivers in the realm of each iteration.
  ///
  /// - Parameter observer: Makes the observer of what this is in that realm. It runs on the queue of the iteration, and calls
  ///   its last argument with each element.
  func _changes<Element>(
    _ realm: RealmCore,
    observer: @escaping (Self, RealmCore, @escaping (Element) -> Void) -> any Observer
  ) -> ChangeSequence<Element> {
    let place = _rlmRelocation
    return ChangeSequence(configuration: realm.configuration, openedAt: realm.openedAt) { core, give in
      guard let found = place.find(core) as? Self else { return nil }
      return .init(token: core.begin(observer(found, core, give))) { found.isGone }
    }
  }
}

// MARK: What can be followed

extension RealmCollection {
  /// The changes of the collection, beginning with the collection as it is.
  ///
  /// ```swift
  /// for await change in realm.objects(Hut.self).changes {
  ///   if case .update(let huts, _, let insertions, _) = change { print(huts.count, insertions) }
  /// }
  /// ```
  public var changes: ChangeSequence<RealmCollectionChange<Self>> { changes(keyPaths: nil) }

  /// Returns the changes of the collection, beginning with the collection as it is; of its elements only the changes
  /// of some properties.
  ///
  /// Stops the program for collections in memory or of a frozen or read-only realm, and when a property does not
  /// exist.
  public func changes(keyPaths: [String]?) -> ChangeSequence<RealmCollectionChange<Self>> {
    _changes(_checkFollowable(keyPaths)) { found, _, give in
      CollectionObserver(found._rlmOrigin.tracker(keyPaths: keyPaths)) { changes in
        guard !found.isGone else { return }
        give(RealmCollectionChange(found.freeze(), changes))
      }
    }
  }

  /// Returns the changes of the collection, beginning with the collection as it is; of its elements only the changes
  /// of some properties.
  ///
  /// ```swift
  /// for await change in dogs.changes(keyPaths: [\.name]) {
  ///   guard case .update(let dogs, _, _, let modifications) = change else { continue }
  ///   print(modifications.map { dogs[$0].name })
  /// }
  /// ```
  public func changes(
    keyPaths: [PartialKeyPath<Element>]
  ) -> ChangeSequence<RealmCollectionChange<Self>> where Element: ObjectBase {
    changes(keyPaths: keyPaths.map { _name(for: $0) })
  }

  /// Stops the program unless the collection can change and has the properties. Returns its realm.
  func _checkFollowable(_ keyPaths: [String]?) -> RealmCore {
    guard let realm = realm?.core else { UnmanagedCollection.notObserved() }
    realm.checkFollowable()
    _rlmOrigin.observedKeyPaths(keyPaths)
    return realm
  }
}

extension Map {
  /// The changes of the map, beginning with the map as it is.
  public var changes: ChangeSequence<RealmMapChange<Map>> { changes(keyPaths: nil) }

  /// Returns the changes of the map, beginning with the map as it is; of its objects only the changes of some properties.
  ///
  /// Stops the program for maps in memory or of a frozen or read-only realm, and when a property does not exist.
  public func changes(keyPaths: [String]?) -> ChangeSequence<RealmMapChange<Map>> {
    _changes(_checkFollowable(keyPaths)) { found, _, give in
      MapObserver(found.makeTracker(keyPaths)) { changes in
        guard !found.isGone else { return }
        give(RealmMapChange(found.freeze(), changes))
      }
    }
  }

  /// Returns the changes of the map, beginning with the map as it is; of its objects only the changes of some properties.
  public func changes<Wrapped: ObjectBase>(
    keyPaths: [PartialKeyPath<Wrapped>]
  ) -> ChangeSequence<RealmMapChange<Map>> where Value == Wrapped? {
    changes(keyPaths: keyPaths.map { _name(for: $0) })
  }

  /// Stops the program unless the map can change and its objects have the properties. Returns its realm.
  func _checkFollowable(_ keyPaths: [String]?) -> RealmCore {
    guard let realm = realm?.core else { UnmanagedCollection.notObserved() }
    realm.checkFollowable()
    _rlmOrigin.observedKeyPaths(keyPaths)
    return realm
  }
}

extension ThreadConfined where Self: ObjectBase {
  /// The changes of the object's properties, until it is deleted.
  public var changes: ChangeSequence<ObjectChange<Self>> { changes(keyPaths: nil) }

  /// Returns the changes of some of the object's properties, until it is deleted.
  ///
  /// Stops the program for objects in memory or of a frozen or read-only realm, and when a property does not exist.
  public func changes(keyPaths: [String]?) -> ChangeSequence<ObjectChange<Self>> {
    _changes(_checkFollowable(keyPaths)) { found, core, give in
      ObjectObserver(found, core, core.observedKeyPaths(keyPaths, table: found._table.number)) { changes in
        give(changes.map { .change(found.freeze(), $0.map { $0.frozen() }) } ?? .deleted)
      }
    }
  }

  /// Returns the changes of some of the object's properties, until it is deleted.
  public func changes(keyPaths: [PartialKeyPath<Self>]) -> ChangeSequence<ObjectChange<Self>> {
    changes(keyPaths: keyPaths.map { _name(for: $0) })
  }

  /// Stops the program unless the object can change and has the properties. Returns its realm.
  func _checkFollowable(_ keyPaths: [String]?) -> RealmCore {
    guard _isManaged, let realm = _realm else {
      trap("Only objects which are managed by a Realm support change notifications")
    }
    realm.checkFollowable()
    if !_isAlive { trap(.objectInvalidated) }
    _ = realm.observedKeyPaths(keyPaths, table: _table.number)
    return realm
  }
}

extension PropertyChange {
  /// Returns a copy with frozen objects instead of live ones, and without deleted ones.
  func frozen() -> PropertyChange {
    func freeze(_ value: Any?) -> Any? {
      guard let value, let object = Coercion.object(value) else { return value }
      return object._isAlive ? object.frozenObject() : nil
    }
    return PropertyChange(name: name, oldValue: freeze(oldValue), newValue: freeze(newValue))
  }
}

extension Realm {
  /// The versions of the realm as frozen realms, each after a commit of any thread or process.
  ///
  /// Stops the program for frozen and read-only realms.
  public var changes: ChangeSequence<Realm> {
    core.checkFollowable()
    return ChangeSequence(configuration: core.configuration, openedAt: core.openedAt) { core, give in
      .init(token: core.begin(VersionObserver { [unowned core] in give(Realm(core).freeze()) })) { false }
    }
  }
}

/// Observes the versions of a realm: it is notified, as observers of collections are, of each move to another version.
final class VersionObserver: Observer {
  private let block: () -> Void

  init(_ block: @escaping () -> Void) { self.block = block }

  func update(_ context: ChangeContext) -> ObserverCall? { ObserverCall(block) }
}
