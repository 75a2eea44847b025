public import Dispatch
import Foundation

/// A change of an observed map.
@frozen public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The state of the map when observation begins.
  case initial(Collection)
  /// The keys that were removed, the keys that were added, and the keys whose values were set or modified;
  /// each in order.
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])
  /// Never delivered; present for source compatibility.
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
  /// The rules are those of other collections; changes are reported by key. When an object is deleted, its
  /// value becomes null, which is a modification.
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

  /// Calls a block with the map soon, and then after each transaction that changes it. Takes key paths
  /// instead of names of properties.
  public func observe<Wrapped: ObjectBase>(
    keyPaths: [PartialKeyPath<Wrapped>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Self>) -> Void
  ) -> NotificationToken where Value == Wrapped? {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block that is isolated to an actor with the map soon, and then after each transaction that
  /// changes it.
  ///
  /// The map that the block receives belongs to the actor's realm. Stops the program in the cases in which
  /// the method without an actor does. The token is invalid from the start if the task is cancelled or the
  /// map no longer exists.
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

  /// Calls a block that is isolated to an actor with the map soon, and then after each transaction that
  /// changes it. Takes key paths instead of names of properties.
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
