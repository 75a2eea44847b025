import Dispatch
import Foundation

extension ObjectBase {
  /// Calls a block after each transaction that writes properties of the object, and when the object is deleted.
  ///
  /// The block is called where the object belongs, until the token is invalidated or released. Without key paths the
  /// object's own properties count, those of objects that it links to do not.
  ///
  /// Stops the program for an object in memory or of a frozen or read-only realm, on a thread without a running run
  /// loop, within a write transaction that has changed something, and when a property does not exist.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties, over links, that count; nil or none for all of the object's own.
  ///   - queue: A serial queue to call the block on, with the object as that queue's realm has it.
  func _observe<T: ObjectBase>(
    keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    guard _isManaged, let realm = _realm else {
      trap("Only objects which are managed by a Realm support change notifications")
    }
    realm.checkObservable()
    if !_isAlive { trap(.objectInvalidated) }
    let observer = ObjectObserver(self, realm, realm.observedKeyPaths(keyPaths, table: _table.number)) {
      [unowned self] changes in
      if let changes, let object = self as? T {
        block(.change(object, changes))
      } else {
        block(.deleted)
      }
    }
    return realm.begin(observer)
  }
}

extension RealmSwiftObject {
  /// Calls a block after each transaction that writes properties of the object, and when the object is deleted.
  ///
  /// The block is called where the object belongs, until the token is invalidated or released. Without key paths the
  /// object's own properties count, those of objects that it links to do not.
  ///
  /// Stops the program for an object in memory or of a frozen or read-only realm, on a thread without a running run
  /// loop, within a write transaction that has changed something, and when a property does not exist.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties, over links, that count; nil or none for all of the object's own.
  ///   - queue: A serial queue to call the block on, with the object as that queue's realm has it.
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    _observe(keyPaths: keyPaths, on: queue, block)
  }

  /// Calls a block after each transaction that writes some properties, and when the object is deleted.
  ///
  /// The same as with names of properties.
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    _observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }
}

extension RealmSwiftEmbeddedObject {
  /// Calls a block after each transaction that writes properties of the object, and when the object is deleted.
  ///
  /// As for other objects.
  public func observe<T: ObjectBase>(
    on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    _observe(keyPaths: nil, on: queue, block)
  }
}
