public import Dispatch
import Foundation

/// What happened to an observed map.
@frozen public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The map as it is when the observation begins.
  case initial(Collection)
  /// The keys that were removed, that are new, and whose values were set or modified; in their order.
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])
  /// Exists for source compatibility: nothing goes wrong once a map is observed.
  case error(Error)

  init(_ map: Collection, _ changes: MapObserver.Changes?) {
    if let changes {
      self = .update(
        map, deletions: changes.deletions.map(Collection.Key._rlmKey),
        insertions: changes.insertions.map(Collection.Key._rlmKey),
        modifications: changes.modifications.map(Collection.Key._rlmKey))
    } else {
      self = .initial(map)
    }
  }
}

extension RealmKeyedCollection {
  /// Calls a block with the map soon, and then after each transaction that changes it.
  ///
  /// As for other collections; what changed is told by keys. The value of an object that was deleted is null from
  /// then on, which is a modification.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Self>) -> Void
  ) -> NotificationToken {
    guard let realm = realm?.core else { UnmanagedCollection.notObserved() }
    if let queue {
      realm.checkFollowable()
      _rlmOrigin.observedKeyPaths(keyPaths)
      return _observe(on: queue, realm) { map, _ in
        MapObserver(map.makeTracker(keyPaths)) { block(RealmMapChange(map, $0)) }
      }
    }
    realm.checkObservable()
    return realm.begin(
      MapObserver(makeTracker(keyPaths)) { block(RealmMapChange(self, $0)) })
  }

  /// Calls a block with the map soon, and then after each transaction that changes it.
  ///
  /// The same as with names of properties.
  public func observe<Wrapped: ObjectBase>(
    keyPaths: [PartialKeyPath<Wrapped>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Self>) -> Void
  ) -> NotificationToken where Value == Wrapped? {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block that belongs to an actor with the map soon, and then after each transaction that changes it.
  ///
  /// The map is that of the actor's realm. Stops the program as the form without an actor does. The token is invalid
  /// from the start when the task is cancelled or the map is gone.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Self>) -> Void
  ) async -> NotificationToken {
    guard let realm = realm?.core else { UnmanagedCollection.notObserved() }
    realm.checkFollowable()
    _rlmOrigin.observedKeyPaths(keyPaths)
    return await _observe(on: actor, realm) { map, _ in
      MapObserver(map.makeTracker(keyPaths)) { actor._call(block, RealmMapChange(map, $0)) }
    }
  }

  /// Calls a block that belongs to an actor with the map soon, and then after each transaction that changes it.
  ///
  /// The same as with names of properties.
  public func observe<A: Actor, Wrapped: ObjectBase>(
    keyPaths: [PartialKeyPath<Wrapped>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Self>) -> Void
  ) async -> NotificationToken where Value == Wrapped? {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, block)
  }

  func makeTracker(_ keyPaths: [String]?) -> any MapTracker {
    switch _rlmOrigin.kind {
    case .stored(let collection):
      return StoredCollectionTracker(collection, _rlmOrigin.observedKeyPaths(keyPaths))
    case .nested(let collection): return NestedDictionaryTracker(collection)
    case .unmanaged, .query: UnmanagedCollection.notObserved()
    }
  }
}
