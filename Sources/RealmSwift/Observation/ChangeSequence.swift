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
/// The sequence ends when the task is cancelled, or the object is deleted; that of a list, set, map or of linking objects when
/// the object that they belong to is.
public struct ChangeSequence<Element>: AsyncSequence, @unchecked Sendable {
  /// Nothing goes wrong once a sequence has begun.
  public typealias Failure = Never

  let configuration: Realm.Configuration
  /// Where the program opened the realm that the sequence was made with.
  let openedAt: CodeLocation?
  /// Begins the observation in the realm of the feed's queue; nil when there is nothing to observe.
  let observe: (RealmCore, @escaping (Element) -> Void) -> ChangeFeed<Element>.Observation?

  /// Begins to follow the changes.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(feed: ChangeFeed(configuration, openedAt, observe))
  }

  /// What waits for the changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let feed: ChangeFeed<Element>

    /// Waits for the next change; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await feed.next(isolation: actor)
    }

    /// Waits for the next change; nil at the end.
    public mutating func next() async -> Element? { await feed.next(isolation: nil) }
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
    _rlmOrigin.observedKeyPaths(keyPaths)
    let place = _rlmRelocation
    return ChangeSequence(configuration: realm.configuration, openedAt: realm.openedAt) { core, give in
      guard let found = place.find(core) as? Self else { return nil }
      let tracker = found._rlmOrigin.tracker(keyPaths: keyPaths)
      let token = core.begin(
        CollectionObserver(tracker) { changes in
          guard !found.isGone else { return }
          give(RealmCollectionChange(found.freeze(), changes))
        })
      return .init(token: token) { found.isGone }
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
      let token = core.begin(
        MapObserver(found.makeTracker(nil)) { changes in
          guard !found.isInvalidated else { return }
          give(RealmMapChange(found.freeze(), changes))
        })
      return .init(token: token) { found.isInvalidated }
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
      let token = core.begin(
        ObjectObserver(found, core, core.observedKeyPaths(keyPaths, table: found._table.number)) { changes in
          give(changes.map { .change(found.freeze(), $0.map { $0.frozen() }) } ?? .deleted)
        })
      return .init(token: token) { found.isInvalidated }
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
      .init(token: core.begin(VersionObserver { [unowned core] in give(Realm(core).freeze()) })) { false }
    }
  }
}

/// Is told, as collections are, that there is another version.
private final class VersionObserver: Observer {
  private let block: () -> Void

  init(_ block: @escaping () -> Void) { self.block = block }

  func update(_ context: ChangeContext) -> ObserverCall? { ObserverCall(block) }
}
