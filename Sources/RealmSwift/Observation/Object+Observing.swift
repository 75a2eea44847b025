public import Dispatch
import Foundation

extension ThreadConfined where Self: ObjectBase {
  func _observe<T: ObjectBase>(
    keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    guard _isManaged, let realm = _realm else {
      trap("Only objects which are managed by a Realm support change notifications")
    }
    if let queue {
      checkFollowable(realm, keyPaths)
      return _observe(on: queue, realm) { $0.observer($1, keyPaths, block) }
    }
    realm.checkObservable()
    if !_isAlive { trap(.objectInvalidated) }
    return realm.begin(observer(realm, keyPaths, block))
  }

  func _observe<A: Actor, T: ObjectBase>(
    keyPaths: [String]?, on actor: A, _isolation: isolated (any Actor)?,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    guard _isManaged, let realm = _realm else {
      trap("Change notifications are only supported for managed objects")
    }
    checkFollowable(realm, keyPaths)
    return await _observe(on: actor, realm) { object, realm in
      object.observer(realm, keyPaths) { actor._call(block, $0) }
    }
  }

  private func checkFollowable(_ realm: RealmCore, _ keyPaths: [String]?) {
    realm.checkFollowable()
    if !_isAlive { trap(.objectInvalidated) }
    _ = realm.observedKeyPaths(keyPaths, table: _table.number)
  }

  private func observer<T: ObjectBase>(
    _ realm: RealmCore, _ keyPaths: [String]?, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> any Observer {
    ObjectObserver(self, realm, realm.observedKeyPaths(keyPaths, table: _table.number)) {
      [unowned self] changes in
      if let changes, let object = self as? T {
        block(.change(object, changes))
      } else {
        block(.deleted)
      }
    }
  }
}

extension Object {
  /// Calls a block after each transaction that writes properties of the object, and when the object is
  /// deleted.
  ///
  /// ```swift
  /// let token = hut.observe { (change: ObjectChange<Hut>) in
  ///   if case .change(_, let properties) = change { print(properties.map { $0.name }) }
  /// }
  /// ```
  ///
  /// The block is called on the thread, queue or actor of the object until the token is invalidated or
  /// released. Without key paths, only the object's own properties are observed, not those of objects that it
  /// links to.
  ///
  /// Stops the program if the object is unmanaged or belongs to a frozen or read-only realm, on a thread
  /// without a running run loop, within a write transaction that has changed anything, and if a property does
  /// not exist.
  ///
  /// - Parameters:
  ///   - keyPaths: The observed properties, which can follow links; nil or an empty array for all of the
  ///     object's own.
  ///   - queue: A serial queue on which the block is called, with the object of the realm of that queue.
  ///   - block: A block that is called with each change.
  /// - Returns: A token that keeps the observation active.
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    _observe(keyPaths: keyPaths, on: queue, block)
  }

  /// Calls a block after each transaction that writes some properties, and when the object is deleted. Takes
  /// key paths instead of names of properties.
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    _observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }
}

extension EmbeddedObject {
  /// Calls a block after each transaction that writes properties of the object, and when the object is
  /// deleted. The rules are those of other objects.
  public func observe<T: ObjectBase>(
    on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    _observe(keyPaths: nil, on: queue, block)
  }
}

extension Object {
  /// Calls a block that is isolated to an actor after each transaction that writes properties of the object,
  /// and when the object is deleted.
  ///
  /// The object that the block receives belongs to the actor's realm. Stops the program in the cases in which
  /// the method without an actor does. The token is invalid from the start if the task is cancelled or the
  /// object no longer exists.
  public func observe<A: Actor, T: Object>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    await _observe(keyPaths: keyPaths, on: actor, _isolation: _isolation, block)
  }

  /// Calls a block that is isolated to an actor after each transaction that writes some properties. Takes key
  /// paths instead of names of properties.
  public func observe<A: Actor, T: Object>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    await _observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}

extension EmbeddedObject {
  /// Calls a block that is isolated to an actor after each transaction that writes properties of the object,
  /// and when the object is deleted. The rules are those of other objects.
  public func observe<A: Actor, T: EmbeddedObject>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    await _observe(keyPaths: keyPaths, on: actor, _isolation: _isolation, block)
  }

  /// Calls a block that is isolated to an actor after each transaction that writes some properties. Takes key
  /// paths instead of names of properties.
  public func observe<A: Actor, T: EmbeddedObject>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    await _observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}
