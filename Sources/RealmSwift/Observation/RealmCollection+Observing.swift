public import Dispatch
import Foundation

/// A change of an observed collection.
///
/// Positions are ascending. To keep a table view in step, remove the deletions, then insert the insertions,
/// and reload the modifications, which are positions in the old version.
@frozen public enum RealmCollectionChange<CollectionType> {
  /// The state of the collection when observation begins.
  case initial(CollectionType)
  /// Deletions and modifications are positions in the old version, insertions in the new version. An element
  /// that moves is a deletion and an insertion.
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
  /// Never delivered; present for source compatibility.
  case error(Error)

  init(_ collection: CollectionType, _ changes: CollectionChangeSet?) {
    if let changes {
      self = .update(
        collection, deletions: changes.deletions.members, insertions: changes.insertions.members,
        modifications: changes.modifications.members)
    } else {
      self = .initial(collection)
    }
  }
}

extension RealmCollection {
  /// Calls a block with the collection soon, and then after each transaction that changes it.
  ///
  /// ```swift
  /// let token = trail.huts.observe { change in
  ///   guard case .update(let huts, let deletions, let insertions, _) = change else { return }
  ///   print(huts.count, deletions, insertions)
  /// }
  /// ```
  ///
  /// The block is called on the thread, queue or actor of the collection until the token is invalidated or
  /// released. An element is modified if it was written, or if an object was written that it links to
  /// directly or through up to four links.
  ///
  /// Stops the program if the collection is unmanaged or belongs to a frozen or read-only realm, on a thread
  /// without a running run loop, within a write transaction that has changed anything, and if a property does
  /// not exist.
  ///
  /// - Parameters:
  ///   - keyPaths: The observed properties of the elements, which can follow links; nil or an empty array for
  ///     all. Insertions and deletions are always reported.
  ///   - queue: A serial queue on which the block is called, with the collection of the realm of that queue.
  ///   - block: A block that is called with each change.
  /// - Returns: A token that keeps the observation active.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    guard let realm = realm?.core else { UnmanagedCollection.notObserved() }
    if let queue {
      _rlmOrigin.observedKeyPaths(keyPaths)
      realm.checkFollowable()
      return _observe(on: queue, realm) { collection, _ in
        CollectionObserver(collection._rlmOrigin.tracker(keyPaths: keyPaths)) {
          block(RealmCollectionChange(collection, $0))
        }
      }
    }
    let tracker = _rlmOrigin.tracker(keyPaths: keyPaths)
    realm.checkObservable()
    return realm.begin(
      CollectionObserver(tracker) { block(RealmCollectionChange(self, $0)) })
  }

  /// Calls a block with the collection soon, and then after each transaction that changes it. Takes key paths
  /// instead of names of properties.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken where Element: ObjectBase {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block that is isolated to an actor with the collection soon, and then after each transaction
  /// that changes it.
  ///
  /// The collection that the block receives belongs to the actor's realm. Stops the program in the cases in
  /// which the method without an actor does. The token is invalid from the start if the task is cancelled or
  /// the collection no longer exists.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    guard let realm = realm?.core else { UnmanagedCollection.notObserved() }
    realm.checkFollowable()
    _rlmOrigin.observedKeyPaths(keyPaths)
    return await _observe(on: actor, realm) { collection, _ in
      CollectionObserver(collection._rlmOrigin.tracker(keyPaths: keyPaths)) {
        actor._call(block, RealmCollectionChange(collection, $0))
      }
    }
  }

  /// Calls a block that is isolated to an actor with the collection soon, and then after each transaction
  /// that changes it. Takes key paths instead of names of properties.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken where Element: ObjectBase {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, block)
  }
}
