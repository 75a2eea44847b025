public import Dispatch
import Foundation

/// What happened to an observed collection.
///
/// Positions are ascending. To follow a table of one's own: take out the deletions, put in the insertions, and look
/// again at the modifications, which are positions before either.
@frozen public enum RealmCollectionChange<CollectionType> {
  /// The collection as it is when the observation begins.
  case initial(CollectionType)
  /// Deletions and modifications are positions in the old version, insertions in the new one. An element that moves
  /// is deleted and inserted.
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
  /// Exists for source compatibility: nothing goes wrong once a collection is observed.
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
  ///     let token = person.dogs.observe { change in
  ///       guard case .update(let dogs, let deletions, let insertions, _) = change else { return }
  ///       print(dogs.count, deletions, insertions)
  ///     }
  ///
  /// The block is called where the collection belongs, until the token is invalidated or released. Elements count as
  /// modified when they, or objects that they lead to over up to four links, were written.
  ///
  /// Stops the program for collections in memory or of a frozen or read-only realm, on a thread without a running
  /// run loop, within a write transaction that has changed something, and when a property does not exist.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the elements, over links, that count; nil or none for all. Insertions and
  ///     deletions are told in any case.
  ///   - queue: A serial queue to call the block on, with the collection as that queue's realm has it.
  ///   - block: Called with each change.
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

  /// Calls a block with the collection soon, and then after each transaction that changes it.
  ///
  /// The same as with names of properties.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken where Element: ObjectBase {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block that belongs to an actor with the collection soon, and then after each transaction that changes it.
  ///
  /// The collection is that of the actor's realm. Stops the program as the form without an actor does. The token is
  /// invalid from the start when the task is cancelled or the collection is gone.
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

  /// Calls a block that belongs to an actor with the collection soon, and then after each transaction that changes it.
  ///
  /// The same as with names of properties.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken where Element: ObjectBase {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, block)
  }
}
